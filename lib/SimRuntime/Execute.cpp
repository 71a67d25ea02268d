//===- Execute.cpp - What operations do -----------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Performs one operation: kernels by work-groups, copies and fills by the
// pieces that the checker lets through, allocations and frees with poison.
// Holds no lock, so that streams on threads overlap.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Fibers.h"
#include "KernelJit.h"
#include "Options.h"
#include "Report.h"
#include "Runtime.h"

#include <cstring>
#include <sys/mman.h>

namespace transient::sim {

namespace {

/// Workgroup memory of one launch, with an inaccessible page behind.
class LocalMemory {
public:
  explicit LocalMemory(uint64_t bytes) : bytes(bytes) {
    if (!bytes)
      return;
    void *space = mmap(nullptr, bytes + 4096, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED || mprotect(space, bytes, PROT_READ | PROT_WRITE))
      fatal("no memory for workgroup memory");
    start = static_cast<char *>(space);
  }
  ~LocalMemory() {
    if (start)
      munmap(start, bytes + 4096);
  }
  void poison() {
    if (start)
      std::memset(start, allocatedPoison, bytes);
  }

  char *start = nullptr;
  uint64_t bytes;
};

void launch(Op &op, OpAccess *access) {
  KernelEntry entry = compile(op.kernel);
  const KernelInfo &info = op.kernel->info;
  std::vector<void *> params;
  for (std::vector<char> &argument : op.arguments)
    params.push_back(argument.data());
  LocalMemory local(info.localArguments * uint64_t(localBytesPerArgument));
  WorkItem item = {};
  if (access) {
    access->setLocalMemory(local.start, local.bytes);
    item.slots = access->makeSlots(info.sites);
  }
  item.localMemory = local.start;
  item.access = access;
  item.op = &op;
  // Kernels on threads may wait for each other for as long as it takes.
  item.stepLimit = options().threaded() ? 0 : options().steps;
  for (int d = 0; d < 3; ++d) {
    item.groups[d] = op.grid[d];
    item.size[d] = op.block[d];
    if (!op.grid[d] || !op.block[d]) {
      warn(op.describe() + " has no work items; a device would refuse it");
      return;
    }
  }
  BarrierGroup fibers;
  bool uniform = true;
  auto &group = item.group;
  for (group[2] = 0; group[2] < op.grid[2]; ++group[2])
    for (group[1] = 0; group[1] < op.grid[1]; ++group[1])
      for (group[0] = 0; group[0] < op.grid[0]; ++group[0]) {
        local.poison();
        if (info.hasBarrier)
          uniform &= fibers.run(item, entry, params.data());
        else
          entry(&item, params.data());
      }
  if (uniform || !options().check)
    return;
  Violation violation;
  violation.kind = "barrier that some work items of a group never reach";
  violation.second = op.number;
  violation.notes = {op.describe()};
  report(violation);
}

void fillPiece(char *to, uint64_t bytes, const Op &op) {
  if (op.patternBytes == 1) {
    std::memset(to, static_cast<int>(op.pattern & 0xFF), bytes);
    return;
  }
  for (uint64_t at = 0; at + op.patternBytes <= bytes; at += op.patternBytes)
    std::memcpy(to + at, &op.pattern, op.patternBytes);
}

void copyChecked(const Op &op, OpAccess &access) {
  std::vector<char> staged;
  auto source = reinterpret_cast<uintptr_t>(op.source);
  auto target = reinterpret_cast<uintptr_t>(op.target);
  Region *to = Memory::get().find(target, true);
  Touch reading =
      to && to->kind == RegionKind::Device ? Touch::Copied : Touch::Read;
  // Through a buffer only where either side comes in several pieces.
  std::vector<std::pair<char *, uint64_t>> from;
  bool whole = access.range(source, op.bytes, reading,
                            [&](char *storage, uint64_t bytes) {
                              from.emplace_back(storage, bytes);
                            });
  const char *data = from.empty() ? nullptr : from.front().first;
  if (from.size() > 1) {
    for (auto [storage, bytes] : from)
      staged.insert(staged.end(), storage, storage + bytes);
    data = staged.data();
  }
  uint64_t available = 0, done = 0;
  for (auto [storage, bytes] : from)
    available += bytes;
  whole &= access.range(target, op.bytes, Touch::Write,
                        [&](char *storage, uint64_t bytes) {
                          if (done + bytes <= available)
                            std::memmove(storage, data + done, bytes);
                          done += bytes;
                        });
  if (whole)
    access.propagateUnwritten(target, source, op.bytes);
}

void executeChecked(Op &op) {
  switch (op.kind) {
  case OpKind::Launch: {
    OpAccess access(op);
    launch(op, &access);
    break;
  }
  case OpKind::Copy: {
    OpAccess access(op);
    copyChecked(op, access);
    break;
  }
  case OpKind::Fill: {
    OpAccess access(op);
    access.range(
        reinterpret_cast<uintptr_t>(op.target), op.bytes, Touch::Write,
        [&](char *storage, uint64_t bytes) { fillPiece(storage, bytes, op); });
    break;
  }
  case OpKind::Free:
  case OpKind::HostFree: {
    OpAccess access(op);
    if (op.region && !op.region->gone)
      access.whole(*op.region, Touch::Free);
    break;
  }
  default:
    break;
  }
}

} // namespace

extern "C" void transientSimStuck(WorkItem *item) {
  fatal(item->op->describe() + ": a work item goes round in loops for more " +
        "than " + std::to_string(item->stepLimit) +
        " rounds; if it waits for another kernel, both need "
        "TRANSIENT_SIM=threads and streams of their own; otherwise raise "
        "TRANSIENT_SIM_STEPS");
}

void execute(Op &op) {
  if (options().check) {
    executeChecked(op);
  } else if (op.kind == OpKind::Launch) {
    launch(op, nullptr);
  } else if (op.kind == OpKind::Copy) {
    std::memmove(op.target, op.source, op.bytes);
  } else if (op.kind == OpKind::Fill) {
    fillPiece(op.target, op.bytes, op);
  }
  if ((op.kind == OpKind::Free || op.kind == OpKind::HostFree) && op.region)
    Memory::get().release(*op.region, &op);
}

} // namespace transient::sim
