# lit configuration of the MLIR-facing tests.
#
# Features say what this machine has; a test that needs more is reported as
# unsupported, never silently passed:
#   shared-corpus   ../shared/corpus lies beside the checkout
#   mlir-runner     mlir-runner-22 and its runtime libraries are installed
#   nvptx           the packaged LLVM can emit PTX
import os
import shutil
import sys

import lit.formats
import lit.llvm

config.name = "transient"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".td"]
config.excludes = ["lit.cfg.py", "Inputs", "unit", "lib", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.transient_src_root, "test")
config.test_exec_root = os.path.join(config.transient_obj_root, "test")

# Run the tests of one folder when lit is given that folder of the build tree.
lit.llvm.initialize(lit_config, config)
from lit.llvm import llvm_config  # noqa: E402

llvm_config.with_environment(
    "PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment(
    "PATH", os.path.join(config.transient_obj_root, "bin"), append_path=True)
# CI and editors set these; tests compare output without colours.
config.environment.pop("CLICOLOR_FORCE", None)

bin_dir = os.path.join(config.transient_obj_root, "bin")
plugin = os.path.join(config.transient_obj_root, "lib", "TransientPlugin.so")


def first_existing(*paths):
    for path in paths:
        if path and os.path.exists(path):
            return path
    return None


mlir_opt = first_existing(
    shutil.which("mlir-opt-22"), os.path.join(config.llvm_tools_dir, "mlir-opt"))
mlir_runner = first_existing(
    shutil.which("mlir-runner-22"),
    os.path.join(config.llvm_tools_dir, "mlir-runner"))
shared = os.path.normpath(
    os.path.join(config.transient_src_root, os.pardir, "shared"))

config.substitutions += [
    ("%transient-fuzz", os.path.join(bin_dir, "transient-fuzz")),
    ("%transient-opt", os.path.join(bin_dir, "transient-opt")),
    ("%transient-plan", os.path.join(bin_dir, "transient-plan")),
    ("%plugin", plugin),
    ("%mlir-opt", mlir_opt or "mlir-opt-22-is-missing"),
    ("%mlir-runner", mlir_runner or "mlir-runner-22-is-missing"),
    ("%mlir-libs", config.llvm_lib_dir),
    ("%python", sys.executable),
    ("%utils", os.path.join(config.transient_src_root, "utils")),
    ("%shared", shared),
]
if mlir_runner and os.path.exists(
        os.path.join(config.llvm_lib_dir, "libmlir_runner_utils.so")):
    config.available_features.add("mlir-runner")
if os.path.isdir(os.path.join(shared, "corpus")):
    config.available_features.add("shared-corpus")
if shutil.which("ptxas"):
    config.available_features.add("ptxas")
config.available_features.add("nvptx")
