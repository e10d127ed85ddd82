# The build words.
#
#   add_part(NAME [DEPENDS part...] [LIBRARIES target...] [PRECOMPILE header...])
#       A static library `spillway_NAME` of every .cpp in the current folder (not below it).
#   collect_folder(PART FOLDER folder NAMESPACE ns TYPE type HEADER header)
#       The folder is the list: each FOLDER/x.cpp defines `TYPE ns::x()`; the part gains
#       `std::vector<TYPE> ns::all()` declared in HEADER, in the order of the file names.
#       A new file needs no edit elsewhere; a misnamed function is a link error that names it.
#   embed_file(PART SYMBOL file)
#       The bytes of a file as `extern const char SYMBOL_begin[], SYMBOL_end[]` (C linkage), mapped, not copied.
#   embed_folder(PART FOLDER folder NAMESPACE ns HEADER header)
#       The folder is the list: the part gains `std::vector<std::string_view> ns::texts()` declared in HEADER, the text of every file
#       of the folder in the order of the file names.
#   add_suite(NAME [DEPENDS part...] [SOURCES glob...])
#       One test binary of every .cpp in the current folder, registered with CTest.

function(add_part NAME)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES;PRECOMPILE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(NOT sources)
    message(FATAL_ERROR "part ${NAME}: no source in ${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  add_library(spillway_${NAME} STATIC ${sources})
  target_link_libraries(spillway_${NAME} PUBLIC spillway_flags ${ARG_LIBRARIES})
  foreach(part ${ARG_DEPENDS})
    target_link_libraries(spillway_${NAME} PUBLIC spillway_${part})
  endforeach()
  if(ARG_PRECOMPILE)
    target_precompile_headers(spillway_${NAME} PRIVATE ${ARG_PRECOMPILE})
  endif()
endfunction()

function(collect_folder PART)
  cmake_parse_arguments(ARG "" "FOLDER;NAMESPACE;TYPE;HEADER" "" ${ARGN})
  file(GLOB members CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER}/*.cpp")
  list(SORT members)
  set(declarations "")
  set(calls "")
  foreach(member ${members})
    get_filename_component(name "${member}" NAME_WE)
    string(APPEND declarations "${ARG_TYPE} ${name}();\n")
    string(APPEND calls "  members.push_back(${name}());\n")
  endforeach()
  list(LENGTH members count)
  string(REPLACE "::" "_" stem "${ARG_NAMESPACE}")
  set(registry "${CMAKE_BINARY_DIR}/generated/registry_${stem}.cpp")
  file(CONFIGURE OUTPUT "${registry}" @ONLY CONTENT
"// Generated from the file names of ${ARG_FOLDER}/; do not edit.
#include \"${ARG_HEADER}\"
namespace ${ARG_NAMESPACE} {
${declarations}
std::vector<${ARG_TYPE}> all() {
  std::vector<${ARG_TYPE}> members;
  members.reserve(${count});
${calls}  return members;
}
}  // namespace ${ARG_NAMESPACE}
")
  target_sources(spillway_${PART} PRIVATE ${members} "${registry}")
  set_source_files_properties("${registry}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

function(embed_file PART SYMBOL FILE)
  get_filename_component(path "${FILE}" ABSOLUTE)
  set(stub "${CMAKE_BINARY_DIR}/generated/embed_${SYMBOL}.S")
  file(CONFIGURE OUTPUT "${stub}" @ONLY CONTENT
"    .section .rodata
    .global ${SYMBOL}_begin
    .global ${SYMBOL}_end
    .balign 16
${SYMBOL}_begin:
    .incbin \"${path}\"
${SYMBOL}_end:
    .byte 0
    .section .note.GNU-stack,\"\",%progbits
")
  set_source_files_properties("${stub}" PROPERTIES OBJECT_DEPENDS "${path}")
  target_sources(spillway_${PART} PRIVATE "${stub}")
endfunction()

function(embed_folder PART)
  cmake_parse_arguments(ARG "" "FOLDER;NAMESPACE;HEADER" "" ${ARGN})
  file(GLOB members CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER}/*")
  list(SORT members)
  string(REPLACE "::" "_" stem "${ARG_NAMESPACE}")
  set(declarations "")
  set(texts "")
  foreach(member ${members})
    get_filename_component(name "${member}" NAME_WE)
    set(symbol "${stem}_${name}")
    embed_file(${PART} "${symbol}" "${member}")
    string(APPEND declarations "extern const char ${symbol}_begin[], ${symbol}_end[];\n")
    string(APPEND texts "      {${symbol}_begin, static_cast<std::size_t>(${symbol}_end - ${symbol}_begin)},\n")
  endforeach()
  set(registry "${CMAKE_BINARY_DIR}/generated/texts_${stem}.cpp")
  file(CONFIGURE OUTPUT "${registry}" @ONLY CONTENT
"// Generated from the files of ${ARG_FOLDER}/; do not edit.
#include \"${ARG_HEADER}\"
extern \"C\" {
${declarations}}
namespace ${ARG_NAMESPACE} {
std::vector<std::string_view> texts() {
  return {
${texts}  };
}
}  // namespace ${ARG_NAMESPACE}
")
  target_sources(spillway_${PART} PRIVATE "${registry}")
  set_source_files_properties("${registry}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

function(add_suite NAME)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_executable(test_${NAME} ${sources})
  target_link_libraries(test_${NAME} PRIVATE spillway_flags GTest::gtest GTest::gmock GTest::gtest_main ${ARG_LIBRARIES})
  foreach(part ${ARG_DEPENDS})
    target_link_libraries(test_${NAME} PRIVATE spillway_${part})
  endforeach()
  # One precompiled gtest for all suites; it is the largest part of compiling a small one. An executable carries it, because a
  # precompiled header and its users must agree on how position-independent they are.
  if(NOT TARGET spillway_gtest)
    file(WRITE "${CMAKE_BINARY_DIR}/generated/gtest_anchor.cpp" "int main() { return 0; }\n")
    add_executable(spillway_gtest "${CMAKE_BINARY_DIR}/generated/gtest_anchor.cpp")
    target_link_libraries(spillway_gtest PRIVATE spillway_flags GTest::gtest GTest::gmock)
    target_compile_definitions(spillway_gtest PRIVATE SPILLWAY_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SPILLWAY_BINARY_DIR="${CMAKE_BINARY_DIR}")
    target_precompile_headers(spillway_gtest PRIVATE <gtest/gtest.h> <gmock/gmock.h>)
  endif()
  target_compile_definitions(test_${NAME} PRIVATE SPILLWAY_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SPILLWAY_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_precompile_headers(test_${NAME} REUSE_FROM spillway_gtest)
  add_test(NAME ${NAME} COMMAND test_${NAME} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  # Sanitizers cost up to ten times the time; two suites share two cores.
  set(limit 300)
  if(SPILLWAY_SANITIZE)
    set(limit 1500)
  endif()
  set_tests_properties(${NAME} PROPERTIES TIMEOUT ${limit})
endfunction()
