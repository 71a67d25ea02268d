//===- Abi.cpp - The mgpu functions ---------------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C ABI that stock gpu-to-llvm calls, each function a thin layer over
// Runtime, and the way in for mlir-runner, which asks a library for its symbols
// and tells it when the program is over.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "HostHeap.h"
#include "KernelJit.h"
#include "Memory.h"
#include "Options.h"
#include "Report.h"
#include "Runtime.h"

#include "transient/SimRuntime/SimRuntime.h"
#include "llvm/ADT/StringMap.h"

#include <cstring>

using namespace transient::sim;

namespace {

using Lock = std::unique_lock<std::mutex>;

/// Markers for the next operation of this thread.
thread_local std::vector<TenantRange> nextTenants;

void misuse(const std::string &kind, const std::string &note) {
  Violation violation;
  violation.kind = kind;
  violation.notes = {note};
  report(violation);
}

/// Takes the pending markers, so that they go with this operation even where
/// it turns out to be none: they never reach the one after.
std::vector<TenantRange> takeTenants() {
  std::vector<TenantRange> taken;
  taken.swap(nextTenants);
  return taken;
}

/// Hands markers to `op`; two tenants may not overlap in one.
void attachTenants(Op &op, std::vector<TenantRange> tenants) {
  op.tenants = std::move(tenants);
  for (size_t i = 0; i < op.tenants.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const TenantRange &a = op.tenants[j], &b = op.tenants[i];
      if (a.region != b.region || a.tenant == b.tenant ||
          a.offset >= b.offset + b.bytes || b.offset >= a.offset + a.bytes)
        continue;
      Violation violation;
      violation.kind = "two tenants of one operation overlap";
      violation.where = a.region->describe();
      violation.second = op.number;
      violation.notes = {
          op.describe() + " uses tenants " + std::to_string(a.tenant) +
          " at byte " + std::to_string(a.offset) + " and " +
          std::to_string(b.tenant) + " at byte " + std::to_string(b.offset)};
      report(violation);
    }
}

void fill(void *target, uint32_t pattern, unsigned patternBytes, uint64_t count,
          void *stream, const char *use) {
  std::vector<TenantRange> tenants = takeTenants();
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  Stream *queue = runtime.handles.stream(stream, use);
  if (!queue || !count)
    return;
  Op *op = runtime.create(OpKind::Fill, queue);
  op->target = static_cast<char *>(target);
  op->bytes = count * patternBytes;
  op->pattern = pattern;
  op->patternBytes = patternBytes;
  attachTenants(*op, std::move(tenants));
  runtime.enqueue(op);
}

} // namespace

extern "C" {

void *mgpuModuleLoad(void *data, size_t bytes) {
  options();
  return loadModule(data, bytes);
}

void *mgpuModuleLoadJIT(void *, int) {
  fatal("mgpuModuleLoadJIT: expects LLVM bitcode, not assembly; serialise with "
        "gpu-module-to-binary{format=llvm}");
}

void mgpuModuleUnload(void *) {
  // Kernels stay compiled; queued work still finishes, as on a device.
  Runtime &runtime = Runtime::get();
  Lock lock(runtime.mutex);
  runtime.drain(lock);
}

void *mgpuModuleGetFunction(void *module, const char *name) {
  return getKernel(static_cast<DeviceModule *>(module), name);
}

void mgpuLaunchClusterKernel(void *function, ...) {
  fatal("kernel '" + static_cast<Kernel *>(function)->info.name +
        "' is launched in clusters, which are not supported");
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t, void *stream, void **params,
                      void **, size_t paramsCount) {
  auto *kernel = static_cast<Kernel *>(function);
  const KernelInfo &info = kernel->info;
  if (paramsCount != info.argumentBytes.size())
    fatal("kernel '" + info.name + "' expects " +
          std::to_string(info.argumentBytes.size()) + " arguments, got " +
          std::to_string(paramsCount));
  intptr_t sizes[] = {gridX, gridY, gridZ, blockX, blockY, blockZ};
  for (intptr_t size : sizes)
    if (size < 0 || size > INT32_MAX)
      fatal("kernel '" + info.name +
            "': expects sizes from 0 to 2147483647, "
            "got " +
            std::to_string(size));
  std::vector<TenantRange> tenants = takeTenants();
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  Stream *queue = runtime.handles.stream(stream, "mgpuLaunchKernel");
  if (!queue)
    return;
  Op *op = runtime.create(OpKind::Launch, queue);
  op->kernel = kernel;
  for (int d = 0; d < 3; ++d) {
    op->grid[d] = static_cast<uint64_t>(sizes[d]);
    op->block[d] = static_cast<uint64_t>(sizes[3 + d]);
  }
  for (size_t i = 0; i < paramsCount; ++i) {
    const char *value = static_cast<const char *>(params[i]);
    op->arguments.emplace_back(value, value + info.argumentBytes[i]);
  }
  attachTenants(*op, std::move(tenants));
  runtime.enqueue(op);
}

void *mgpuStreamCreate() {
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  return runtime.handles.createStream();
}

void mgpuStreamDestroy(void *stream) {
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  if (Stream *live = runtime.handles.stream(stream, "mgpuStreamDestroy"))
    live->destroyed = live->number != 0;
}

void mgpuStreamSynchronize(void *stream) {
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  if (Stream *live = runtime.handles.stream(stream, "mgpuStreamSynchronize"))
    runtime.waitFor(live->last, lock);
}

void mgpuStreamWaitEvent(void *stream, void *event) {
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  Stream *queue = runtime.handles.stream(stream, "mgpuStreamWaitEvent");
  Event *live = runtime.handles.event(event, "mgpuStreamWaitEvent");
  // As in CUDA, an event that was never recorded is not waited for.
  if (queue && live && live->record)
    runtime.enqueue(runtime.create(OpKind::Wait, queue), live->record);
}

void *mgpuEventCreate() {
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  return runtime.handles.createEvent();
}

void mgpuEventDestroy(void *event) {
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  if (Event *live = runtime.handles.event(event, "mgpuEventDestroy"))
    live->destroyed = true;
}

void mgpuEventRecord(void *event, void *stream) {
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  Event *live = runtime.handles.event(event, "mgpuEventRecord");
  Stream *queue = runtime.handles.stream(stream, "mgpuEventRecord");
  if (!live || !queue)
    return;
  live->record = runtime.create(OpKind::Record, queue);
  runtime.enqueue(live->record);
}

void mgpuEventSynchronize(void *event) {
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  if (Event *live = runtime.handles.event(event, "mgpuEventSynchronize"))
    runtime.waitFor(live->record, lock);
}

void *mgpuMemAlloc(uint64_t bytes, void *stream, bool hostShared) {
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  Stream *queue = runtime.handles.stream(stream, "mgpuMemAlloc");
  if (!bytes || !queue)
    return nullptr;
  Region *region = Memory::get().allocate(bytes, hostShared);
  if (!region)
    fatal("out of device memory: cannot allocate " + std::to_string(bytes) +
          " bytes");
  // Without a stream the host itself allocates, at once.
  Op *op = stream ? runtime.create(OpKind::Alloc, queue)
                  : runtime.create(OpKind::HostAlloc, nullptr);
  op->region = region;
  checkAllocation(*region, op);
  if (stream)
    runtime.enqueue(op);
  else
    runtime.performOnHost(op);
  return reinterpret_cast<void *>(region->base);
}

void mgpuMemFree(void *pointer, void *stream) {
  if (!pointer)
    return;
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  Stream *queue = runtime.handles.stream(stream, "mgpuMemFree");
  auto address = reinterpret_cast<uintptr_t>(pointer);
  Region *region = Memory::get().nearest(address);
  if (!region || region->isHost() || region->base != address) {
    misuse("free of what mgpuMemAlloc did not return",
           region ? "the address lies in or behind " + region->describe()
                  : "the address is not the device's");
    return;
  }
  if (!queue)
    return;
  Op *op = stream ? runtime.create(OpKind::Free, queue)
                  : runtime.create(OpKind::HostFree, nullptr);
  op->region = region;
  if (stream)
    runtime.enqueue(op);
  else
    runtime.performOnHost(op);
}

void mgpuMemcpy(void *target, void *source, size_t bytes, void *stream) {
  std::vector<TenantRange> tenants = takeTenants();
  Runtime &runtime = Runtime::get();
  Lock lock = runtime.enter();
  Stream *queue = runtime.handles.stream(stream, "mgpuMemcpy");
  if (!queue || !bytes)
    return;
  Op *op = runtime.create(OpKind::Copy, queue);
  op->target = static_cast<char *>(target);
  op->source = static_cast<const char *>(source);
  op->bytes = bytes;
  attachTenants(*op, std::move(tenants));
  runtime.enqueue(op);
}

void mgpuMemset32(void *target, unsigned value, size_t count, void *stream) {
  fill(target, value, 4, count, stream, "mgpuMemset32");
}

void mgpuMemset16(void *target, unsigned short value, size_t count,
                  void *stream) {
  fill(target, value, 2, count, stream, "mgpuMemset16");
}

// All host memory is the device's too.
void mgpuMemHostRegister(void *, uint64_t) {}
void mgpuMemHostRegisterMemRef(int64_t, void *, int64_t) {}
void mgpuMemHostUnregister(void *) {}
void mgpuMemHostUnregisterMemRef(int64_t, void *, int64_t) {}
void mgpuSetDefaultDevice(int32_t) {}

void transientSimHostAccess(void *address, int64_t bytes, int32_t mode) {
  Runtime &runtime = Runtime::get();
  auto start = reinterpret_cast<uintptr_t>(address);
  if (options().check && bytes > 0 &&
      (runtime.hasUnawaitedWork() || Memory::get().mayBeReleased(start)))
    runtime.accessOnHost(start, static_cast<uint64_t>(bytes),
                         mode == 0   ? Touch::Read
                         : mode == 2 ? Touch::Atomic
                                     : Touch::Write);
}

void transientSimTenant(void *base, int64_t offset, int64_t bytes,
                        int64_t tenant) {
  // An arena of no bytes has no address.
  if (!options().check || (!base && !bytes))
    return;
  Region *region = Memory::get().find(reinterpret_cast<uintptr_t>(base), false);
  int64_t start = region
                      ? static_cast<int64_t>(reinterpret_cast<uintptr_t>(base) -
                                             region->base) +
                            offset
                      : 0;
  if (!region || start < 0 || bytes < 0 || tenant < 0 ||
      static_cast<uint64_t>(start) + static_cast<uint64_t>(bytes) >
          region->size) {
    misuse("tenant outside its allocation",
           "tenant " + std::to_string(tenant) + " at offset " +
               std::to_string(offset) + ", " + std::to_string(bytes) +
               " bytes" + (region ? ", in " + region->describe() : ""));
    return;
  }
  nextTenants.push_back({region, static_cast<uint64_t>(start),
                         static_cast<uint64_t>(bytes), tenant});
}

/// mlir-runner: the symbols that compiled host code sees.
void __mlir_execution_engine_init(llvm::StringMap<void *> &symbols) {
  options();
  auto add = [&](const char *name, auto *function) {
    symbols[name] = reinterpret_cast<void *>(function);
  };
#define TRANSIENT_EXPORT(name) add(#name, &name)
  TRANSIENT_EXPORT(mgpuModuleLoad);
  TRANSIENT_EXPORT(mgpuModuleLoadJIT);
  TRANSIENT_EXPORT(mgpuModuleUnload);
  TRANSIENT_EXPORT(mgpuModuleGetFunction);
  TRANSIENT_EXPORT(mgpuLaunchKernel);
  TRANSIENT_EXPORT(mgpuLaunchClusterKernel);
  TRANSIENT_EXPORT(mgpuStreamCreate);
  TRANSIENT_EXPORT(mgpuStreamDestroy);
  TRANSIENT_EXPORT(mgpuStreamSynchronize);
  TRANSIENT_EXPORT(mgpuStreamWaitEvent);
  TRANSIENT_EXPORT(mgpuEventCreate);
  TRANSIENT_EXPORT(mgpuEventDestroy);
  TRANSIENT_EXPORT(mgpuEventRecord);
  TRANSIENT_EXPORT(mgpuEventSynchronize);
  TRANSIENT_EXPORT(mgpuMemAlloc);
  TRANSIENT_EXPORT(mgpuMemFree);
  TRANSIENT_EXPORT(mgpuMemcpy);
  TRANSIENT_EXPORT(mgpuMemset32);
  TRANSIENT_EXPORT(mgpuMemset16);
  TRANSIENT_EXPORT(mgpuMemHostRegister);
  TRANSIENT_EXPORT(mgpuMemHostRegisterMemRef);
  TRANSIENT_EXPORT(mgpuMemHostUnregister);
  TRANSIENT_EXPORT(mgpuMemHostUnregisterMemRef);
  TRANSIENT_EXPORT(mgpuSetDefaultDevice);
  TRANSIENT_EXPORT(transientSimTenant);
  TRANSIENT_EXPORT(transientSimHostAccess);
#undef TRANSIENT_EXPORT
  add("malloc", &hostMalloc);
  add("calloc", &hostCalloc);
  add("aligned_alloc", &hostAlignedAlloc);
  add("free", &hostFree);
}

/// mlir-runner: the program is over, its memory still there.
void __mlir_execution_engine_destroy() { Runtime::get().finish(); }

} // extern "C"
