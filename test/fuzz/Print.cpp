//===- Print.cpp - Random programs as MLIR --------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Print.h"

#include "Kernels.h"

#include <map>
#include <set>

namespace transient::fuzz {

static std::string list(const std::vector<int64_t> &values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

std::string Shape::type() const {
  std::string text = "memref<";
  for (size_t i = 0; i < sizes.size(); ++i)
    text += (i == 0 && dynamicSize ? "?" : std::to_string(sizes[i])) + "x";
  text += bytes ? "i8" : "f32";
  if (strided) {
    text += ", strided<" + list(strides);
    if (offset)
      text += ", offset: " + std::to_string(offset);
    text += ">";
  }
  return text + ">";
}

namespace {

constexpr const char *tokenType = "!gpu.async.token";

class Printer {
public:
  explicit Printer(const Program &program) : program(program) {}

  std::string run() {
    for (const Function &function : program.functions)
      printFunction(function);
    std::string result = "module attributes {gpu.container_module} {\n" + text;
    if (!kernels.empty()) {
      result += "  gpu.module @kernels {\n";
      for (const auto &[key, name] : kernels)
        result += name.second;
      result += "  }\n";
    }
    return result + "}\n";
  }

private:
  using Names = std::vector<std::string>;

  std::string fresh() { return "%j" + std::to_string(++joins); }
  static std::string buffer(Id id) { return "%b" + std::to_string(id); }
  static std::string token(Id id) { return "%t" + std::to_string(id); }

  std::string indent() { return std::string(2 * depth, ' '); }
  void line(const std::string &content) { text += indent() + content + "\n"; }

  /// The tokens that stand for `ids`, each once.
  Names resolve(const std::vector<Id> &ids) {
    Names result;
    std::set<std::string> seen;
    for (Id id : ids)
      for (const std::string &name : tokens[id])
        if (seen.insert(name).second)
          result.push_back(name);
    return result;
  }

  static std::string commas(const Names &names) {
    std::string text;
    for (const std::string &name : names)
      text += (text.empty() ? "" : ", ") + name;
    return text;
  }

  /// One token that stands for `ids`.
  std::string single(const std::vector<Id> &ids) {
    Names names = resolve(ids);
    if (names.size() == 1)
      return names.front();
    std::string joined = fresh();
    line(joined + " = gpu.wait async" +
         (names.empty() ? "" : " [" + commas(names) + "]"));
    return joined;
  }

  /// ` async [...]` or nothing.
  std::string async(const Step &step) {
    if (!step.async)
      return "";
    Names names = resolve(step.tokens);
    return names.empty() ? " async" : " async [" + commas(names) + "]";
  }
  std::string result(const Step &step) {
    if (!step.async)
      return "";
    tokens[step.token] = {token(step.token)};
    return token(step.token) + " = ";
  }

  std::string type(Id id) { return program.shapeOf(id).type(); }

  bool usable(const Step &step) {
    if (step.off)
      return false;
    for (Id id : step.buffers)
      if (!buffers.count(id))
        return false;
    if (step.kind == StepKind::Branch)
      for (const Block &block : step.blocks)
        for (Id id : block.buffers)
          if (!buffers.count(id))
            return false;
    // A buffer of a body that it hands on must be made there.
    if (step.kind == StepKind::Loop && !step.argumentBuffers.empty())
      for (const Step &inner : step.blocks[0].steps)
        for (Id id : step.blocks[0].buffers)
          if (inner.kind == StepKind::Alloc && inner.off &&
              inner.results[0] == id)
            return false;
    return true;
  }

  std::string condition(int condition) {
    if (condition >= 0)
      return "%cond" + std::to_string(condition);
    std::string name = "%f" + std::to_string(++joins);
    line(name + " = memref.load %flags" + std::to_string(-1 - condition) + "[" +
         (loops.empty() ? "%c0" : loops.back()) + "] : memref<" +
         std::to_string(flagsSize) + "xi1>");
    return name;
  }

  void define(Id id) { buffers.insert(id); }

  void printSteps(const std::vector<Step> &steps) {
    for (const Step &step : steps) {
      if (usable(step)) {
        printStep(step);
        continue;
      }
      if (step.token)
        tokens[step.token] = resolve(step.tokens);
    }
  }

  void printStep(const Step &step) {
    switch (step.kind) {
    case StepKind::Alloc:
      return printAlloc(step);
    case StepKind::View:
      return printView(step);
    case StepKind::SelectBuffer: {
      std::string chosen = condition(step.condition);
      line(buffer(step.results[0]) + " = arith.select " + chosen + ", " +
           buffer(step.buffers[0]) + ", " + buffer(step.buffers[1]) + " : " +
           type(step.results[0]));
      return define(step.results[0]);
    }
    case StepKind::SelectToken: {
      std::string chosen = condition(step.condition);
      std::string a = single({step.tokens[0]}), b = single({step.tokens[1]});
      line(token(step.token) + " = arith.select " + chosen + ", " + a + ", " +
           b + " : " + tokenType);
      tokens[step.token] = {token(step.token)};
      return;
    }
    case StepKind::Access:
      return printAccess(step);
    case StepKind::Wait: {
      Names names = resolve(step.tokens);
      if (!names.empty())
        line("gpu.wait [" + commas(names) + "]");
      return;
    }
    case StepKind::Join: {
      Names names = resolve(step.tokens);
      line(token(step.token) + " = gpu.wait async" +
           (names.empty() ? "" : " [" + commas(names) + "]"));
      tokens[step.token] = {token(step.token)};
      return;
    }
    case StepKind::Branch:
      return printBranch(step);
    case StepKind::Loop:
      return printLoop(step);
    case StepKind::Call:
      return printCall(step);
    case StepKind::Free: {
      Id id = step.buffers[0];
      std::string op =
          step.home == Home::MemRef ? "memref.dealloc " : "gpu.dealloc ";
      std::string dependencies = async(step);
      if (!dependencies.empty())
        op = "gpu.dealloc" + dependencies + " ";
      std::string left = result(step);
      line(left + op + buffer(id) + " : " + type(id));
      return;
    }
    }
  }

  void printAlloc(const Step &step) {
    Id id = step.results[0];
    std::string attributes =
        step.alignment
            ? " {alignment = " + std::to_string(step.alignment) + " : i64}"
            : "";
    if (step.home == Home::MemRef) {
      line(buffer(id) + " = memref.alloc()" + attributes + " : " + type(id));
    } else {
      std::string dependencies = async(step);
      std::string left = buffer(id);
      if (step.async) {
        tokens[step.token] = {token(step.token)};
        left += ", " + token(step.token);
      }
      line(left + " = gpu.alloc" + dependencies + " ()" + attributes + " : " +
           type(id));
    }
    define(id);
  }

  void printView(const Step &step) {
    Id from = step.buffers[0], id = step.results[0];
    const Shape &shape = step.shape, &source = program.shapeOf(from);
    std::string text = buffer(id) + " = ", to = type(id);
    switch (step.view) {
    case ViewKind::Subview:
      text += "memref.subview " + buffer(from) + "[" +
              std::to_string(step.index) + "] " + list(shape.sizes) + " [" +
              std::to_string(shape.strides[0] / source.strides[0]) +
              "] : " + type(from) + " to " + to;
      break;
    case ViewKind::Cast:
      text += "memref.cast " + buffer(from) + " : " + type(from) + " to " + to;
      break;
    case ViewKind::Expand:
      text += "memref.expand_shape " + buffer(from) +
              " [[0, 1]] output_shape " + list(shape.sizes) + " : " +
              type(from) + " into " + to;
      break;
    case ViewKind::Collapse:
      text += "memref.collapse_shape " + buffer(from) +
              " [[0, 1]] : " + type(from) + " into " + to;
      break;
    case ViewKind::Reinterpret:
      text += "memref.reinterpret_cast " + buffer(from) + " to offset: [" +
              std::to_string(shape.offset) + "], sizes: " + list(shape.sizes) +
              ", strides: " + list(shape.strides) + " : " + type(from) +
              " to " + to;
      break;
    case ViewKind::Bytes:
      line("%o" + std::to_string(id) + " = arith.constant " +
           std::to_string(step.index) + " : index");
      text += "memref.view " + buffer(from) + "[%o" + std::to_string(id) +
              "][] : " + type(from) + " to " + to;
      break;
    }
    line(text);
    define(id);
  }

  void printAccess(const Step &step) {
    Id target = step.buffers[0];
    std::string to = buffer(target), toType = type(target);
    std::string scalar =
        program.shapeOf(target).bytes ? "%zero : i8" : "%z : f32";
    std::string element = scalar.substr(scalar.find(':') + 2);
    std::string value = scalar.substr(0, scalar.find(' '));
    Id source = step.buffers.size() > 1 ? step.buffers[1] : 0;
    std::string from = buffer(source), fromType = source ? type(source) : "";
    std::string dependencies = async(step), left = result(step);
    std::string at = "%i" + std::to_string(step.index);
    switch (step.access) {
    case AccessKind::Memset:
      return line(left + "gpu.memset" + dependencies + " " + to + ", " + value +
                  " : " + toType + ", " + element);
    case AccessKind::Memcpy:
      return line(left + "gpu.memcpy" + dependencies + " " + to + ", " + from +
                  " : " + toType + ", " + fromType);
    case AccessKind::Launch: {
      std::vector<Shape> shapes;
      std::string arguments;
      for (Id id : step.buffers) {
        shapes.push_back(program.shapeOf(id));
        arguments +=
            (arguments.empty() ? "" : ", ") + buffer(id) + " : " + type(id);
      }
      return line(
          left + "gpu.launch_func" + dependencies + " @kernels::@" +
          kernelFor(step.kernel, shapes) +
          " blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(" +
          arguments + ")");
    }
    case AccessKind::HostStore:
      return line("memref.store %z, " + to + "[" + at + "] : " + toType);
    case AccessKind::HostLoad: {
      std::string loaded = "%v" + std::to_string(++joins);
      line(loaded + " = memref.load " + from + "[" + at + "] : " + fromType);
      return line("memref.store " + loaded + ", " + to + "[" + at +
                  "] : " + toType);
    }
    case AccessKind::HostCopy:
      return line("memref.copy " + from + ", " + to + " : " + fromType +
                  " to " + toType);
    case AccessKind::HostFill:
      return line("linalg.fill ins(%z : f32) outs(" + to + " : " + toType +
                  ")");
    case AccessKind::HostAdd:
      return line("linalg.add ins(" + from + ", " + buffer(step.buffers[2]) +
                  " : " + fromType + ", " + type(step.buffers[2]) + ") outs(" +
                  to + " : " + toType + ")");
    }
  }

  std::string kernelFor(Kernel kernel, const std::vector<Shape> &shapes) {
    std::string key = meaningOf(kernel).name;
    for (const Shape &shape : shapes)
      key += "," + shape.type();
    auto [it, isNew] = kernels.try_emplace(key);
    if (isNew) {
      it->second.first = std::string(meaningOf(kernel).name) + "_" +
                         std::to_string(kernels.size());
      it->second.second = kernelText(kernel, it->second.first, shapes);
    }
    return it->second.first;
  }

  void printBlock(const Block &block, const std::string &end) {
    auto outerBuffers = buffers;
    auto outerTokens = tokens;
    ++depth;
    printSteps(block.steps);
    Names values;
    std::string types;
    if (block.token) {
      values.push_back(single({block.token}));
      types = tokenType;
    }
    for (Id id : block.buffers) {
      values.push_back(buffer(id));
      types += (types.empty() ? "" : ", ") + type(id);
    }
    line(values.empty() ? end : end + " " + commas(values) + " : " + types);
    --depth;
    buffers = std::move(outerBuffers);
    tokens = std::move(outerTokens);
  }

  /// What a region op makes: names on the left, and their types.
  std::pair<std::string, std::string> made(const Step &step) {
    Names names, types;
    if (step.token) {
      names.push_back(token(step.token));
      types.push_back(tokenType);
    }
    for (Id id : step.results) {
      names.push_back(buffer(id));
      types.push_back(type(id));
    }
    return {names.empty() ? "" : commas(names) + " = ",
            names.empty() ? "" : " -> (" + commas(types) + ")"};
  }

  void defineMade(const Step &step) {
    if (step.token)
      tokens[step.token] = {token(step.token)};
    for (Id id : step.results)
      define(id);
  }

  void printBranch(const Step &step) {
    auto [left, types] = made(step);
    if (step.blocks.size() == 2) {
      std::string chosen = condition(step.condition);
      line(left + "scf.if " + chosen + types + " {");
      printBlock(step.blocks[0], "scf.yield");
      line("} else {");
      printBlock(step.blocks[1], "scf.yield");
      line("}");
    } else {
      line(left + "scf.index_switch %n" + std::to_string(step.condition) +
           (step.token ? std::string(" -> ") + tokenType : ""));
      for (size_t i = 0; i < step.blocks.size(); ++i) {
        line(i + 1 == step.blocks.size() ? "default {"
                                         : "case " + std::to_string(i) + " {");
        printBlock(step.blocks[i], "scf.yield");
        line("}");
      }
    }
    defineMade(step);
  }

  void printLoop(const Step &step) {
    auto [left, types] = made(step);
    Names carried;
    if (step.argumentToken)
      carried.push_back(token(step.argumentToken) + " = " +
                        single(step.tokens));
    for (size_t i = 0; i < step.argumentBuffers.size(); ++i)
      carried.push_back(buffer(step.argumentBuffers[i]) + " = " +
                        buffer(step.buffers[i]));
    std::string iv = "%k" + std::to_string(++joins);
    std::string trips = step.condition >= 0
                            ? "%n" + std::to_string(step.condition)
                            : "%c" + std::to_string(-1 - step.condition);
    line(left + "scf.for " + iv + " = %c0 to " + trips + " step %c1" +
         (carried.empty() ? "" : " iter_args(" + commas(carried) + ")") +
         types + " {");
    auto outerBuffers = buffers;
    auto outerTokens = tokens;
    if (step.argumentToken)
      tokens[step.argumentToken] = {token(step.argumentToken)};
    for (Id id : step.argumentBuffers)
      define(id);
    loops.push_back(iv);
    printBlock(step.blocks[0], "scf.yield");
    loops.pop_back();
    buffers = std::move(outerBuffers);
    tokens = std::move(outerTokens);
    line("}");
    defineMade(step);
  }

  static std::string commonArguments(bool withTypes) {
    std::string text;
    auto add = [&](const std::string &name, const std::string &type) {
      text += (text.empty() ? "" : ", ") + (withTypes ? name + ": " : "") +
              (withTypes ? type : name);
    };
    for (int i = 0; i < numConditions; ++i)
      add("%cond" + std::to_string(i), "i1");
    for (int i = 0; i < numTrips; ++i)
      add("%n" + std::to_string(i), "index");
    for (int i = 0; i < numFlags; ++i)
      add("%flags" + std::to_string(i),
          "memref<" + std::to_string(flagsSize) + "xi1>");
    add("%z", "f32");
    add("%zero", "i8");
    return text;
  }

  static std::string commonTypes() {
    std::string text = commonArguments(true), types;
    for (size_t at = 0; at != std::string::npos;) {
      size_t colon = text.find(": ", at), comma = text.find(", ", at);
      types +=
          (types.empty() ? "" : ", ") +
          text.substr(colon + 2,
                      comma == std::string::npos ? comma : comma - colon - 2);
      at = comma == std::string::npos ? comma : comma + 2;
    }
    return types;
  }

  void printCall(const Step &step) {
    const Function &callee = program.functions[step.callee];
    std::string arguments, types;
    std::string left;
    for (Id id : step.buffers) {
      arguments += buffer(id) + ", ";
      types += type(id) + ", ";
    }
    if (callee.token) {
      arguments += single(step.tokens) + ", ";
      types += std::string(tokenType) + ", ";
      left = token(step.token) + " = ";
      tokens[step.token] = {token(step.token)};
    }
    line(left + "func.call @" + callee.name + "(" + arguments +
         commonArguments(false) + ") : (" + types + commonTypes() + ") -> " +
         (callee.token ? tokenType : "()"));
  }

  void printFunction(const Function &function) {
    buffers.clear();
    tokens.clear();
    loops.clear();
    depth = 1;
    std::string arguments;
    for (Id id : function.buffers) {
      arguments += buffer(id) + ": " + type(id) + ", ";
      define(id);
    }
    if (function.token) {
      arguments += token(function.token) + ": " + tokenType + ", ";
      tokens[function.token] = {token(function.token)};
    }
    line(std::string("func.func ") +
         (function.name == "main" ? "" : "private ") + "@" + function.name +
         "(" + arguments + commonArguments(true) + ")" +
         (function.token ? std::string(" -> ") + tokenType : "") + " {");
    ++depth;
    for (int i = 0; i < 16; ++i)
      line((i < 4 ? "%c" : "%i") + std::to_string(i) + " = arith.constant " +
           std::to_string(i) + " : index");
    for (int i = 0; i < 4; ++i)
      line("%i" + std::to_string(i) + " = arith.constant " + std::to_string(i) +
           " : index");
    --depth;
    printBlock(function.body, "return");
    line("}");
  }

  const Program &program;
  std::string text;
  unsigned depth = 1, joins = 0;
  std::set<Id> buffers;
  std::map<Id, Names> tokens;
  std::vector<std::string> loops;
  /// Name and text by what they do and to which types.
  std::map<std::string, std::pair<std::string, std::string>> kernels;
};

} // namespace

std::string print(const Program &program) { return Printer(program).run(); }

} // namespace transient::fuzz
