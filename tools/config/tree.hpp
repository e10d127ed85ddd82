#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "tools/config/reader.hpp"

namespace spillway::config {

/// 1-based, columns in bytes; 0: not known.
struct Place {
  int line = 0;
  int column = 0;
};

struct Node;

/// One member of a mapping, or one item of a sequence (then without a key).
struct Entry {
  std::string key;
  Place place;  ///< Of the key; of the item in a sequence.
  const Node* node = nullptr;
  bool repeated = false;  ///< An earlier entry with this key was dropped.
  bool plain = false;     ///< The key was written without quotes, so that `<<` means a merge.
};

/// One value of a YAML or JSON text. Aliases share the node they stand for.
struct Node {
  enum class Kind : unsigned char { kNull, kScalar, kSequence, kMapping };
  Kind kind = Kind::kNull;
  bool quoted = false;     ///< A scalar that cannot be anything but text.
  std::uint32_t size = 1;  ///< What it costs to copy: itself and all below it, aliases expanded.
  Place place;
  std::string text;                  ///< Of a scalar, escapes resolved.
  const std::string* tag = nullptr;  ///< Written out in full; nullptr when there is none.
  std::vector<Entry> entries;        ///< In the order written; keys are unique, the last one won.

  bool is_mapping() const { return kind == Kind::kMapping; }
  /// The member of a mapping, or nullptr.
  const Node* find(std::string_view key) const;
};

/// A whole text as a tree.
/// Lifetime: nodes live as long as the document; moving it keeps them where they are.
struct Document {
  std::deque<Node> nodes;
  std::deque<std::string> tags;
  const Node* root = nullptr;   ///< nullptr when the text holds no value.
  std::vector<Remark> remarks;  ///< What was left out.
};

/// Structured forms nest no deeper than this.
inline constexpr std::size_t kMaxDepth = 200;
/// Keys are no longer than this.
inline constexpr std::size_t kMaxKeyBytes = 200;

/// A place in a text where reading cannot go on. Thrown inside the parsers, never out of them.
struct SyntaxError {
  Place place;
  std::string what;
};

/// `bad-syntax`, with the file and the place in the message.
Error bad_syntax(const ReadContext& context, Place place, std::string_view what, std::string_view hint = "");

/// The place of a byte offset. Cost: linear.
Place place_at(std::string_view text, std::size_t offset);

/// Refuses what no structured form can hold: more than 16 MiB, NUL bytes, bytes that are not UTF-8.
std::optional<Error> unreadable(std::string_view text, const ReadContext& context);

/// Makes a Document of a stream of values in the order they are written; a key is a scalar like any other.
/// Throws: SyntaxError when the text nests too deeply, holds too many values, or has a key that is none.
class TreeBuilder {
 public:
  TreeBuilder(Document& document, std::size_t max_nodes) : document_(document), max_nodes_(max_nodes) {}

  /// The returned node is nullptr for the key of a mapping.
  const Node* null(Place place);
  const Node* scalar(Place place, std::string_view text, bool quoted, std::string_view tag = {});
  const Node* open(Node::Kind kind, Place place, std::string_view tag = {});
  void close();
  void alias(Place place, const Node* target);
  bool expects_key() const { return !open_.empty() && open_.back().node->is_mapping() && !open_.back().has_key; }
  /// The node is complete: an alias may stand for it.
  bool closed(const Node* node) const;

 private:
  struct Frame {
    Node* node;
    bool has_key = false;
    Entry pending{};
  };
  Node* make(Node::Kind kind, Place place, std::string_view tag);
  void key(Place place, std::string_view text, bool quoted);
  void attach(const Node* node, Place place);
  void grow(std::uint32_t& size, std::uint32_t by, Place place) const;

  Document& document_;
  std::size_t max_nodes_;
  std::vector<Frame> open_;
};

}  // namespace spillway::config
