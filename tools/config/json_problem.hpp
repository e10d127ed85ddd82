#pragma once

#include <string>
#include <string_view>

namespace spillway::config {

/// What is wrong with a JSON text in plain words, from the text of the parser library's exception: without the library's name and numbers,
/// and without the place.
std::string json_problem(std::string_view what);

}  // namespace spillway::config
