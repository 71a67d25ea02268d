#!/bin/sh
#===- bench-pipeline.sh - The pipeline against the passes it replaces -----===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Times transient-pipeline, transient-verify included, against the stock passes
# on the corpus: see bench_pipeline.py for options. Run it on a quiet machine.
#===-----------------------------------------------------------------------===#
exec python3 "$(dirname "$0")/bench_pipeline.py" "$@"
