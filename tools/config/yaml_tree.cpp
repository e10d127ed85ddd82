#include "tools/config/yaml_tree.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <istream>
#include <streambuf>

namespace spillway::config {
namespace {

Place place_of(const YAML::Mark& mark) { return mark.is_null() ? Place{} : Place{mark.line + 1, mark.column + 1}; }

/// Reads from the text without copying it.
struct ViewBuffer : std::streambuf {
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }
};

/// Brackets opened and not closed, wherever they stand. yaml-cpp gets lost in flows far deeper than any configuration before it says so.
std::optional<std::size_t> too_deep(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '[' || text[at] == '{')
      ++depth;
    else if ((text[at] == ']' || text[at] == '}') && depth > 0)
      --depth;
    if (depth > kMaxDepth) return at;
  }
  return std::nullopt;
}

/// Past a node's tag and anchor.
std::string_view without_properties(std::string_view text) {
  while (!text.empty() && (text.front() == '!' || text.front() == '&')) {
    text.remove_prefix(std::min(text.find_first_of(" \t\r\n"), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  }
  return text;
}

/// yaml-cpp takes the end of the text for the end of a quoted scalar.
bool is_open(std::string_view scalar) {
  scalar = without_properties(scalar);
  if (!scalar.starts_with('"') && !scalar.starts_with('\'')) return false;
  const char quote = scalar.front();
  for (std::size_t at = 1; at < scalar.size(); ++at) {
    if (quote == '"' && scalar[at] == '\\')
      ++at;
    else if (scalar[at] == quote && !(quote == '\'' && scalar.substr(at + 1).starts_with('\'')))
      return false;
    else if (scalar[at] == quote)
      ++at;
  }
  return true;
}

/// yaml-cpp's events as calls of the builder. Its marker of a plain scalar is the tag `?`, of a quoted one `!`.
class Events : public YAML::EventHandler {
 public:
  Events(Document& document, std::size_t max_nodes) : builder_(document, max_nodes) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { remember(anchor, builder_.null(place_of(mark))); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& text) override {
    const bool marker = tag == "?" || tag == "!";
    last_scalar = mark;
    remember(anchor, builder_.scalar(place_of(mark), text, tag == "!", marker ? std::string_view() : std::string_view(tag)));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (anchor >= anchors_.size() || anchors_[anchor] == nullptr)
      throw SyntaxError{place_of(mark), "an alias of a key, which is not understood"};
    builder_.alias(place_of(mark), anchors_[anchor]);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(Node::Kind::kSequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { builder_.close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(Node::Kind::kMapping, mark, tag, anchor);
  }
  void OnMapEnd() override { builder_.close(); }

  YAML::Mark last_scalar = YAML::Mark::null_mark();  ///< Only the last one can run into the end of the text.

 private:
  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const bool marker = tag == "?" || tag == "!";
    remember(anchor, builder_.open(kind, place_of(mark), marker ? std::string_view() : std::string_view(tag)));
  }
  void remember(YAML::anchor_t anchor, const Node* node) {
    if (anchor == 0) return;
    if (anchor >= anchors_.size()) anchors_.resize(anchor + 1, nullptr);
    anchors_[anchor] = node;
  }

  TreeBuilder builder_;
  std::vector<const Node*> anchors_;
};

/// The first byte that is not blank decides: a tab there is what people mix up with spaces.
std::string_view hint_of(std::string_view text, Place place) {
  for (int line = 1; line < place.line && !text.empty(); ++line) text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
  const auto blank = text.substr(0, text.find_first_not_of(" \t"));
  return blank.find('\t') != std::string_view::npos ? "indent with spaces, not with tabs"
                                                    : "check the indentation, the quotes and the brackets there";
}

Result<Document> failed(std::string_view text, const ReadContext& context, Place place, const std::string& what) {
  if (place.line == 0) place = place_at(text, text.size());
  return bad_syntax(context, place, what, hint_of(text, place));
}

/// Anything after the first document is left out; whether it is well-formed does not matter.
void note_rest(YAML::Parser& parser, Document& document) {
  bool more = true;
  try {
    more = static_cast<bool>(parser);
  } catch (const YAML::Exception&) {
    // What stands there does not even begin like YAML; it is left out all the same.
  }
  if (more)
    document.remarks.push_back({Remark::Kind::kIgnored, "further YAML documents", "only the first document of a file is read", {}, {}, {}});
}

}  // namespace

Result<Document> parse_yaml(std::string_view text, const ReadContext& context) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (auto error = unreadable(text, context)) return *error;
  if (const auto at = too_deep(text))
    return failed(text, context, place_at(text, *at), "nested deeper than " + std::to_string(kMaxDepth) + " levels");
  Document document;
  ViewBuffer buffer(text);
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    Events events(document, context.max_nodes);
    const bool any = parser.HandleNextDocument(events);
    const YAML::Mark& last = events.last_scalar;
    if (!last.is_null() && is_open(text.substr(std::min(text.size(), static_cast<std::size_t>(last.pos)))))
      return failed(text, context, place_of(last), "a quoted text that is never closed");
    if (any) note_rest(parser, document);
  } catch (const SyntaxError& error) {
    return failed(text, context, error.place, error.what);
  } catch (const YAML::Exception& error) {
    return failed(text, context, place_of(error.mark), error.msg);
  }
  return document;
}

}  // namespace spillway::config
