#!/usr/bin/env bash
#===- check.sh - Builds everything and runs every test --------------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From a bare Debian 12 as root to ctest's verdict, whose output comes last and
# whose exit code is this script's. Safe to repeat: later runs build only what
# changed. Extra arguments go to ctest, e.g. check.sh -R planner.
#===-----------------------------------------------------------------------===#
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

step() { printf '\n== [%4ds] %s\n' "$SECONDS" "$*"; }

step "1/4 dependencies"
utils/install-deps.sh

step "2/4 configure (preset release)"
cmake --preset release

step "3/4 build"
cmake --build build

step "4/4 tests"
exec ctest --test-dir build --output-on-failure "$@"
