#!/usr/bin/env bash
#===- install-deps.sh - What Transient needs, from Debian's archives ------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs the missing packages and nothing else; when none is missing it
# touches neither the network nor the package database. Debian 12 (bookworm)
# carries LLVM 22 in its security archive.
#===-----------------------------------------------------------------------===#
set -euo pipefail

packages=(
  g++ cmake ninja-build ccache git # building
  lld-22                           # links in 0.4 s instead of 3 s
  llvm-22-dev libmlir-22-dev       # headers, CMake packages, shared libraries
  llvm-22-tools                    # lit, FileCheck, not, split-file
  mlir-22-tools                    # mlir-opt, mlir-runner, mlir-tblgen
  nlohmann-json3-dev libcli11-dev  # planner's files, tools' command lines
  libgtest-dev libbenchmark-dev    # unit tests, benchmarks
  python3                          # utils/
)

# Prints those of its arguments that dpkg does not report as installed.
missing_packages() {
  local package status
  for package in "$@"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || echo "$package"
  done
}

# Prints those of its arguments that no configured archive offers.
unavailable_packages() {
  local package candidate
  for package in "$@"; do
    candidate=$(apt-cache policy "$package" | awk '/Candidate:/ { print $2 }')
    [[ -n $candidate && $candidate != "(none)" ]] || echo "$package"
  done
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install-deps: error: this script needs apt (Debian 12 or later);" \
    "install these by hand: ${packages[*]}" >&2
  exit 1
fi

mapfile -t missing < <(missing_packages "${packages[@]}")
if [[ ${#missing[@]} -eq 0 ]]; then
  echo "install-deps: all ${#packages[@]} packages are installed"
  exit 0
fi
echo "install-deps: missing: ${missing[*]}"

if [[ $(id -u) -ne 0 ]]; then
  echo "install-deps: error: installing packages needs root; run as root:" \
    "apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi

export DEBIAN_FRONTEND=noninteractive
echo "install-deps: updating the package lists"
apt-get update -q ||
  echo "install-deps: warning: some package lists are out of date" >&2

mapfile -t unavailable < <(unavailable_packages "${missing[@]}")
if [[ ${#unavailable[@]} -gt 0 ]]; then
  echo "install-deps: error: no archive offers ${unavailable[*]}; LLVM 22 is" \
    "in Debian 12's security archive (bookworm-security main) and on" \
    "https://apt.llvm.org: add one of them to /etc/apt/sources.list.d" >&2
  exit 1
fi

echo "install-deps: installing ${#missing[@]} packages"
apt-get install -y -q --no-install-recommends "${missing[@]}"
echo "install-deps: done"
