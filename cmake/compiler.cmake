# How everything is compiled: C++20 without extensions, strict warnings, the sanitizers asked for, a compiler cache
# and a fast linker where the machine has them.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()

add_library(spillway_flags INTERFACE)
target_include_directories(spillway_flags INTERFACE "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/generated")
target_compile_options(spillway_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers>)
# Warnings are errors where the compiler's front end gives them. With optimisation g++ 12 adds false ones about overlapping and
# oversized copies in inlined std::string code, which are silenced.
target_compile_options(spillway_flags INTERFACE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Debug>>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(spillway_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds>)
endif()
if(SPILLWAY_SANITIZE)
  target_compile_options(spillway_flags INTERFACE -fsanitize=${SPILLWAY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(spillway_flags INTERFACE -fsanitize=${SPILLWAY_SANITIZE})
endif()
if(SPILLWAY_FUZZ)
  # The fuzzer steers by the branches that a text takes, so everything counts them.
  target_compile_options(spillway_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(SPILLWAY_CCACHE ccache)
if(SPILLWAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};CCACHE_NOHASHDIR=1;CCACHE_SLOPPINESS=pch_defines,time_macros;${SPILLWAY_CCACHE}")
endif()
if(SPILLWAY_CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(spillway_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()
find_program(SPILLWAY_MOLD mold)
if(SPILLWAY_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
