//===- Label.h - A text that is nearly always empty --------------*- C++
//-*-===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As large as a pointer where a std::string takes four times that: of a million
// buffers few say where their alignment comes from.
//
//===----------------------------------------------------------------------===//

#ifndef TRANSIENT_PLANNER_LABEL_H
#define TRANSIENT_PLANNER_LABEL_H

#include <memory>
#include <string>
#include <string_view>

namespace transient::planner {

/// A string by value.
class Label {
public:
  Label() = default;
  Label(const Label &other) { *this = other.str(); }
  Label(Label &&) = default;
  Label &operator=(const Label &other) { return *this = other.str(); }
  Label &operator=(Label &&) = default;
  Label &operator=(std::string_view text) {
    held = text.empty() ? nullptr : std::make_unique<const std::string>(text);
    return *this;
  }

  bool empty() const { return !held; }
  const std::string &str() const {
    static const std::string none;
    return held ? *held : none;
  }

private:
  std::unique_ptr<const std::string> held; ///< Null for the empty one.
};

} // namespace transient::planner

#endif // TRANSIENT_PLANNER_LABEL_H
