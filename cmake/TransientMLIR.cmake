# The only file that names MLIR or LLVM targets, paths and compile definitions.
#
# Everything links the shared libMLIR/libLLVM. Mixing in the static MLIR*
# targets would duplicate TypeIDs and registries, so no other file gets the
# chance: libraries and tools are declared through the functions below.

include_guard(GLOBAL)

find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
# The package accepts only its exact minor version in find_package.
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "Transient needs MLIR 22, found ${LLVM_VERSION} in "
                      "${MLIR_DIR}")
endif()
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

list(GET MLIR_INCLUDE_DIRS 0 MLIR_INCLUDE_DIR)
set(TRANSIENT_LLVM_TOOLS_DIR ${LLVM_TOOLS_BINARY_DIR})
set(TRANSIENT_LLVM_LIBRARY_DIR ${LLVM_LIBRARY_DIR})

# The include path, flags and dylib that every MLIR-facing target needs.
add_library(transient_mlir_base INTERFACE)
target_include_directories(transient_mlir_base SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_include_directories(transient_mlir_base INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
separate_arguments(_llvm_defs UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(transient_mlir_base INTERFACE ${_llvm_defs}
  # The packaged LLVM is built without assertions and without exceptions;
  # sizeof(Pass::Statistic) differs between NDEBUG modes, so ours must match.
  -UNDEBUG -DNDEBUG -fno-exceptions)
target_link_libraries(transient_mlir_base INTERFACE MLIR LLVM)

# transient_tablegen(TD OUT GENERATOR...) makes include/transient/DIR/OUT in the
# build tree from include/transient/DIR/TD, where DIR is the caller's folder
# under lib/. Close a group with add_public_tablegen_target.
macro(transient_tablegen td out)
  file(RELATIVE_PATH _dir ${PROJECT_SOURCE_DIR}/lib ${CMAKE_CURRENT_SOURCE_DIR})
  set(LLVM_TARGET_DEFINITIONS
    ${PROJECT_SOURCE_DIR}/include/transient/${_dir}/${td})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include/transient/${_dir})
  mlir_tablegen(../../include/transient/${_dir}/${out} ${ARGN}
    -I${PROJECT_SOURCE_DIR}/include -I${MLIR_INCLUDE_DIR})
endmacro()

function(transient_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC transient_mlir_base ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  transient_set_warnings(${name})
endfunction()

function(transient_add_mlir_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} transient_mlir_base)
  transient_set_warnings(${name})
endfunction()

# A plugin: a module that takes MLIR symbols from the tool that loads it.
function(transient_add_mlir_plugin name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} MODULE ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} transient_mlir_base)
  set_target_properties(${name} PROPERTIES PREFIX "")
  transient_set_warnings(${name})
endfunction()
