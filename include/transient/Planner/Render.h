//===- Render.h - The memory map as a picture --------------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws a plan as SVG: time to the right, addresses upwards, one rectangle a
// buffer. For people; nothing reads it back. Self-contained (no script, no
// external font) and deterministic to the byte.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_RENDER_H
#define TRANSIENT_PLANNER_RENDER_H

#include "transient/Planner/Plan.h"
#include "transient/Planner/Problem.h"

#include <string>

namespace transient::planner {

/// Looks.
struct RenderOptions {
  std::string title = "Transient memory map";
  unsigned width = 1200; ///< Of the whole picture, in CSS pixels.
  unsigned height = 640; ///< Of the address area, all physical buffers.
};

/// An SVG document. Physical buffers are stacked, lowest index at the bottom;
/// a partial order is drawn in its linear extension and the caption says so.
/// Each rectangle has a tooltip with id, bytes, offset, first and last nodes.
/// Precondition: `plan` has one placement a buffer (others are not drawn).
std::string renderMemoryMap(const Problem &problem, const Plan &plan,
                            const RenderOptions &options = {});

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_RENDER_H
