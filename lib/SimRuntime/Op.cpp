//===- Op.cpp - One operation of the program ------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How operations are named in reports and traces.
//
//===----------------------------------------------------------------------===//

#include "Op.h"
#include "KernelJit.h"
#include "Streams.h"

namespace transient::sim {

std::string Op::name() const {
  switch (kind) {
  case OpKind::Launch:
    return "kernel @" + kernel->info.name;
  case OpKind::Copy:
    return "copy";
  case OpKind::Fill:
    return "fill";
  case OpKind::Alloc:
  case OpKind::HostAlloc:
    return "allocation";
  case OpKind::Free:
  case OpKind::HostFree:
    return "free";
  case OpKind::Record:
    return "event record";
  case OpKind::Wait:
    return "event wait";
  case OpKind::HostWait:
    return "host wait";
  case OpKind::HostAccess:
    return "access";
  }
  return "operation";
}

std::string Op::describe() const {
  std::string text = "op #" + std::to_string(number) + " " + name();
  if (!stream)
    return text + " by the host";
  return text + " on stream " + std::to_string(stream->number);
}

} // namespace transient::sim
