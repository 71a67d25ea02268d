# How our own code is compiled: warnings, sanitizers, linker, compiler cache.
# Knows nothing of MLIR.

include_guard(GLOBAL)

find_program(TRANSIENT_CCACHE ccache)
if(TRANSIENT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TRANSIENT_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${TRANSIENT_CCACHE})
endif()

# GNU ld takes 3 s a link of the MLIR tools, lld 0.4 s.
find_program(TRANSIENT_LLD NAMES ld.lld-22 ld.lld)
if(TRANSIENT_LLD)
  get_filename_component(_lld_name ${TRANSIENT_LLD} NAME)
  if(_lld_name STREQUAL "ld.lld")
    add_link_options(-fuse-ld=lld)
  elseif(EXISTS /usr/lib/llvm-22/bin/ld.lld)
    add_link_options(-fuse-ld=lld -B/usr/lib/llvm-22/bin)
  endif()
endif()

if(TRANSIENT_SANITIZER STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(TRANSIENT_SANITIZER STREQUAL "fuzzer")
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined
                      -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(TRANSIENT_SANITIZER STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(NOT TRANSIENT_SANITIZER STREQUAL "")
  message(FATAL_ERROR
    "TRANSIENT_SANITIZER must be empty, 'address', 'fuzzer' or 'thread', "
    "got '${TRANSIENT_SANITIZER}'")
endif()

# Warnings for our code only; foreign headers come in as SYSTEM.
function(transient_set_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter
    $<$<BOOL:${TRANSIENT_WARNINGS_AS_ERRORS}>:-Werror>)
endfunction()

# A static library of the planner layer: plain C++17 with assertions always on.
function(transient_add_planner_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:include>)
  target_compile_options(${name} PRIVATE -UNDEBUG)
  transient_set_warnings(${name})
endfunction()
