//===- Export.cpp - Random programs as files to run -----------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Export.h"

#include "llvm/Support/FileSystem.h"

#include <set>

namespace transient::fuzz {
namespace {

/// Writes `@run` for the last function of a program.
class RunWriter {
public:
  RunWriter(const Program &program, const std::vector<Valuation> &valuations)
      : main(program.functions.back()), program(program),
        valuations(valuations) {}

  std::string write() {
    line("func.func @run() {");
    constants();
    for (size_t i = 0; i < main.buffers.size(); ++i)
      allocate(i);
    for (int i = 0; i < numFlags; ++i)
      line("  " + flags(i) + " = memref.alloc() : " + flagsType());
    for (const Valuation &valuation : valuations)
      call(valuation);
    for (size_t i = 0; i < main.buffers.size(); ++i)
      printBuffer(i);
    for (size_t i = 0; i < main.buffers.size(); ++i)
      line("  memref.dealloc " + name(i) + " : " + type(i));
    for (int i = 0; i < numFlags; ++i)
      line("  memref.dealloc " + flags(i) + " : " + flagsType());
    line("  return");
    line("}");
    if (printsFloats)
      line("func.func private @printMemrefF32(memref<*xf32>)");
    if (printsBytes)
      line("func.func private @printMemrefI8(memref<*xi8>)");
    return std::move(text);
  }

private:
  void line(const std::string &content) { text += "  " + content + "\n"; }
  static std::string name(size_t i) { return "%arg" + std::to_string(i); }
  static std::string flags(int i) { return "%flags" + std::to_string(i); }
  static std::string flagsType() {
    return "memref<" + std::to_string(flagsSize) + "xi1>";
  }
  const Shape &shape(size_t i) const {
    return program.shapeOf(main.buffers[i]);
  }
  std::string type(size_t i) const { return shape(i).type(); }

  void constants() {
    int64_t most = flagsSize;
    for (size_t i = 0; i < main.buffers.size(); ++i)
      for (int64_t size : shape(i).sizes)
        most = std::max(most, size);
    for (int64_t i = 0; i <= most; ++i)
      line("  %c" + std::to_string(i) + " = arith.constant " +
           std::to_string(i) + " : index");
    line("  %false = arith.constant false");
    line("  %true = arith.constant true");
    line("  %z = arith.constant 1.5 : f32");
    line("  %zero = arith.constant 7 : i8");
  }

  /// Element k of argument i holds 16 i + k: each element its own value.
  void allocate(size_t i) {
    std::string sizes;
    if (shape(i).dynamicSize)
      sizes = "%c" + std::to_string(shape(i).sizes[0]);
    line("  " + name(i) + " = memref.alloc(" + sizes + ") : " + type(i));
    std::string loops = "  ", at;
    for (size_t d = 0; d < shape(i).sizes.size(); ++d) {
      std::string variable = "%i" + std::to_string(d);
      line(loops + "scf.for " + variable + " = %c0 to %c" +
           std::to_string(shape(i).sizes[d]) + " step %c1 {");
      at += (d ? ", " : "") + variable;
      loops += "  ";
    }
    line(loops + "%base = arith.constant " + std::to_string(16 * i) + " : i32");
    std::string sum = "%base";
    for (size_t d = 0; d < shape(i).sizes.size(); ++d) {
      std::string n = std::to_string(d);
      line(loops + "%w" + n + " = arith.index_cast %i" + n + " : index to i32");
      line(loops + "%s" + n + " = arith.addi " + sum + ", %w" + n + " : i32");
      sum = "%s" + n;
    }
    line(loops + "%value = " +
         (shape(i).bytes ? "arith.trunci " + sum + " : i32 to i8"
                         : "arith.sitofp " + sum + " : i32 to f32"));
    line(loops + "memref.store %value, " + name(i) + "[" + at +
         "] : " + type(i));
    for (size_t d = 0; d < shape(i).sizes.size(); ++d) {
      loops.resize(loops.size() - 2);
      line(loops + "}");
    }
  }

  void call(const Valuation &valuation) {
    std::string arguments, types;
    auto add = [&](const std::string &value, const std::string &kind) {
      arguments += (arguments.empty() ? "" : ", ") + value;
      types += (types.empty() ? "" : ", ") + kind;
    };
    for (size_t i = 0; i < main.buffers.size(); ++i)
      add(name(i), type(i));
    for (int i = 0; i < numConditions; ++i)
      add(valuation.conditions >> i & 1 ? "%true" : "%false", "i1");
    for (int64_t trips : valuation.trips)
      add("%c" + std::to_string(trips), "index");
    for (int i = 0; i < numFlags; ++i) {
      for (int bit = 0; bit < flagsSize; ++bit)
        line(std::string("  memref.store ") +
             (valuation.flags[i] >> bit & 1 ? "%true" : "%false") + ", " +
             flags(i) + "[%c" + std::to_string(bit) + "] : " + flagsType());
      add(flags(i), flagsType());
    }
    add("%z", "f32");
    add("%zero", "i8");
    line("  func.call @main(" + arguments + ") : (" + types + ") -> ()");
  }

  void printBuffer(size_t i) {
    std::string element = shape(i).bytes ? "i8" : "f32";
    (shape(i).bytes ? printsBytes : printsFloats) = true;
    std::string any = "%any" + std::to_string(i);
    line("  " + any + " = memref.cast " + name(i) + " : " + type(i) +
         " to memref<*x" + element + ">");
    line(std::string("  func.call @printMemref") +
         (shape(i).bytes ? "I8" : "F32") + "(" + any + ") : (memref<*x" +
         element + ">) -> ()");
  }

  const Function &main;
  const Program &program;
  const std::vector<Valuation> &valuations;
  std::string text;
  bool printsFloats = false, printsBytes = false;
};

} // namespace

bool hasResults(const Trace &trace) {
  Instances ended;
  auto end = [&](size_t instance) {
    ended.set(instance);
    ended |= trace.instances[instance].before;
  };
  std::set<std::pair<int, int64_t>> written;
  for (const HostStep &step : trace.host) {
    for (size_t i = 0; i < trace.instances.size(); ++i)
      if (step.waits[i])
        end(i);
    if (step.instance < 0)
      continue;
    const Instance &instance = trace.instances[step.instance];
    if (instance.blocking)
      end(step.instance);
    for (const Access &access : instance.accesses)
      for (int64_t at : access.elements)
        for (int64_t i = 0; access.read && i < access.width; ++i)
          if (!trace.allocations[access.allocation].argument &&
              !written.count({access.allocation, at + i}))
            return false;
    for (const Access &access : instance.accesses)
      for (int64_t at : access.elements)
        for (int64_t i = 0; access.write && i < access.width; ++i)
          written.insert({access.allocation, at + i});
  }
  return ended.count() == trace.instances.size();
}

std::unique_ptr<Exporter> Exporter::create(const std::string &folder) {
  std::error_code error = llvm::sys::fs::create_directories(folder);
  std::unique_ptr<llvm::raw_fd_ostream> index;
  if (!error)
    index =
        std::make_unique<llvm::raw_fd_ostream>(folder + "/index.csv", error);
  if (error) {
    llvm::errs() << folder << ": " << error.message() << "\n";
    return nullptr;
  }
  *index << "file,seed,what,unsafe,order,results,settled,verdict\n";
  return std::unique_ptr<Exporter>(new Exporter(folder, std::move(index)));
}

void Exporter::write(const Program &program,
                     const std::vector<Valuation> &valuations,
                     const std::string &what, const std::string &text,
                     const Judgement *judgement) {
  std::string file = std::to_string(count++) + ".mlir";
  std::error_code error;
  llvm::raw_fd_ostream os(folder + "/" + file, error);
  size_t end = text.rfind('}');
  if (!error && end != std::string::npos)
    os << text.substr(0, end) << RunWriter(program, valuations).write()
       << text.substr(end);
  *index << file << "," << program.seed << "," << what;
  if (judgement)
    *index << "," << judgement->unsafe << "," << judgement->order << ","
           << judgement->results << "," << judgement->settled << ","
           << judgement->verdict << "\n";
  else
    *index << ",,,,,\n";
}

} // namespace transient::fuzz
