//===- Files.cpp - Whole files in and out ---------------------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C streams, because they say why they failed.
//
//===----------------------------------------------------------------------===//

#include "Files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace transient::planner {

std::string displayName(const std::string &path) {
  return path == "-" ? "<stdin>" : path;
}

static Error ioError(const std::string &path, const char *verb) {
  Error error(ErrorKind::Io, "",
              std::string("cannot ") + verb + ": " + std::strerror(errno));
  error.file = path == "-" ? (verb[0] == 'r' ? "<stdin>" : "<stdout>") : path;
  return error;
}

Result<std::string> readFile(const std::string &path) {
  std::FILE *file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (!file)
    return ioError(path, "read");
  std::string text;
  char block[1 << 16];
  while (std::size_t count = std::fread(block, 1, sizeof block, file))
    text.append(block, count);
  const bool bad = std::ferror(file);
  const int why = errno;
  if (file != stdin)
    std::fclose(file);
  errno = why;
  if (bad)
    return ioError(path, "read");
  return text;
}

std::optional<Error> writeFile(const std::string &path,
                               const std::string &text) {
  std::FILE *file = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
  if (!file)
    return ioError(path, "write");
  bool good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  good &= std::fflush(file) == 0;
  const int why = errno;
  if (file != stdout)
    good &= std::fclose(file) == 0;
  if (good)
    return std::nullopt;
  if (why)
    errno = why;
  return ioError(path, "write");
}

} // namespace transient::planner
