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

/// yaml-cpp's events as calls of the builder. Its marker of a plain scalar is the tag `?`, of a quoted one `!`.
class Events : public YAML::EventHandler {
 public:
  Events(Document& document, std::size_t max_nodes) : builder_(document, max_nodes) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { remember(anchor, builder_.null(place_of(mark))); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& text) override {
    const bool marker = tag == "?" || tag == "!";
    remember(anchor, builder_.scalar(place_of(mark), text, tag == "!", marker ? std::string_view() : std::string_view(tag)));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (anchor >= anchors_.size() || anchors_[anchor] == nullptr) throw SyntaxError{place_of(mark), "an alias of a key, which is not understood"};
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
  return blank.find('\t') != std::string_view::npos ? "indent with spaces, not with tabs" : "check the indentation, the quotes and the brackets there";
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
  if (more) document.remarks.push_back({Remark::Kind::kIgnored, "further YAML documents", "only the first document of a file is read", {}, {}, {}});
}

}  // namespace

Result<Document> parse_yaml(std::string_view text, const ReadContext& context) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (auto error = unreadable(text, context)) return *error;
  Document document;
  ViewBuffer buffer(text);
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    Events events(document, context.max_nodes);
    if (parser.HandleNextDocument(events)) note_rest(parser, document);
  } catch (const SyntaxError& error) {
    return failed(text, context, error.place, error.what);
  } catch (const YAML::Exception& error) {
    return failed(text, context, place_of(error.mark), error.msg);
  }
  return document;
}

}  // namespace spillway::config
