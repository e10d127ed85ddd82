#pragma once

#include <string>
#include <vector>

namespace spillway::config {

/// Rations the search for near names within one source: it costs a pass over all of them, and a hostile text holds a great many names
/// that are none. The first ones get suggestions, as many as anybody reads.
class Suggester {
 public:
  static constexpr int kMost = 20;

  /// What `search` gives, or nothing once the ration is used up.
  template <class Search>
  std::vector<std::string> operator()(const Search& search) {
    return given_ >= kMost ? std::vector<std::string>() : (++given_, search());
  }

 private:
  int given_ = 0;
};

}  // namespace spillway::config
