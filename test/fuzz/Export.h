//===- Export.h - Random programs as files to run -------------*- C++ -*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes programs, their plans and damaged plans for whoever runs them on a
// device, with what the judges of this process say of each.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_TEST_FUZZ_EXPORT_H
#define TRANSIENT_TEST_FUZZ_EXPORT_H

#include "Program.h"
#include "Trace.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace transient::fuzz {

/// Whether an execution leaves no work behind and reads nothing that it has not
/// written, so that its results mean something on a device.
bool hasResults(const Trace &trace);

/// A folder of modules, each with a function `@run` that makes the arguments of
/// `@main`, calls it once for each valuation, and prints the arguments as they
/// are then; and `index.csv`, a line for each module:
/// `file,seed,what,unsafe,order,results,settled,verdict`. `what` is `source`,
/// `planned` or a kind of fault; the rest is empty but for faults. `settled`
/// says whether `hasResults` holds, `verdict` is that of the checker.
class Exporter {
public:
  /// Null and a message on standard error if the folder cannot be written.
  static std::unique_ptr<Exporter> create(const std::string &folder);

  struct Judgement {
    bool unsafe = false, order = false, results = false, settled = false;
    std::string verdict;
  };

  /// `text` is a module as MLIR prints it.
  void write(const Program &program, const std::vector<Valuation> &valuations,
             const std::string &what, const std::string &text,
             const Judgement *judgement = nullptr);

private:
  Exporter(std::string folder, std::unique_ptr<llvm::raw_fd_ostream> index)
      : folder(std::move(folder)), index(std::move(index)) {}

  std::string folder;
  std::unique_ptr<llvm::raw_fd_ostream> index;
  unsigned count = 0;
};

} // namespace transient::fuzz

#endif // TRANSIENT_TEST_FUZZ_EXPORT_H
