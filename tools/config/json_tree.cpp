#include "tools/config/json_tree.hpp"

#include <nlohmann/json.hpp>

#include "tools/config/json_problem.hpp"

namespace spillway::config {
namespace {

using Json = nlohmann::json;

/// An iterator that leaves word of how far the lexer has read; the library's events do not say where they stand.
class Tracked {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Tracked(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  Tracked& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  bool operator==(const Tracked& other) const { return at_ == other.at_; }
  bool operator!=(const Tracked& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

/// Where the tokens begin. A token starts at the first byte after the one before it that is no blank and no punctuation.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text), reached(text.data()) {}

  Place token() {
    const auto start = text_.find_first_not_of(" \t\r\n,:", done_);
    for (; counted_ < start && counted_ < text_.size(); ++counted_)
      if (text_[counted_] == '\n') {
        ++line_;
        line_start_ = counted_ + 1;
      }
    done_ = static_cast<std::size_t>(reached - text_.data());
    return {line_, static_cast<int>(start - line_start_) + 1};
  }
  /// Closing brackets begin nothing, but the next token stands behind them.
  void skip() { done_ = static_cast<std::size_t>(reached - text_.data()); }

 private:
  std::string_view text_;
  std::size_t done_ = 0;
  std::size_t counted_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;

 public:
  const char* reached;
};

/// The library's events as calls of the builder.
class Events : public nlohmann::json_sax<Json> {
 public:
  Events(std::string_view text, Document& document, std::size_t max_nodes) : text_(text), cursor(text), builder_(document, max_nodes) {}

  bool null() override { return builder_.null(cursor.token()), true; }
  bool boolean(bool value) override { return plain(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) override { return plain(std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) override { return plain(std::to_string(value)); }
  bool number_float(double, const std::string& text) override { return plain(text); }
  bool string(std::string& text) override { return builder_.scalar(cursor.token(), text, true), true; }
  bool binary(Json::binary_t&) override { return false; }
  bool key(std::string& text) override { return string(text); }
  bool start_object(std::size_t) override { return builder_.open(Node::Kind::kMapping, cursor.token()), true; }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return builder_.open(Node::Kind::kSequence, cursor.token()), true; }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t offset, const std::string&, const Json::exception& error) override {
    throw SyntaxError{place_at(text_, offset == 0 ? 0 : offset - 1), json_problem(error.what())};
  }

 private:
  bool plain(const std::string& text) { return builder_.scalar(cursor.token(), text, false), true; }
  bool close() {
    builder_.close();
    cursor.skip();
    return true;
  }

  std::string_view text_;

 public:
  Cursor cursor;

 private:
  TreeBuilder builder_;
};

}  // namespace

Result<Document> parse_json(std::string_view text, const ReadContext& context) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (auto error = unreadable(text, context)) return *error;
  Document document;
  Events events(text, document, context.max_nodes);
  try {
    Json::sax_parse(Tracked(text.data(), &events.cursor.reached), Tracked(text.data() + text.size(), &events.cursor.reached), &events);
  } catch (const SyntaxError& error) {
    return bad_syntax(context, error.place, error.what, "check the quotes, commas and brackets there");
  }
  return document;
}

}  // namespace spillway::config
