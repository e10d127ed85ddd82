#include "tools/config/overrides.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/text.hpp"
#include "tools/config/front_ends.hpp"
#include "tools/config/hydra_value.hpp"
#include "tools/config/key_paths.hpp"
#include "tools/config/suggester.hpp"

namespace spillway::config {
namespace {

bool is_key_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '/' || c == '-' ||
         c == '@';
}

std::size_t prefix_length(std::string_view word) {
  if (word.starts_with("++")) return 2;
  return word.starts_with("+") || word.starts_with("~") ? 1 : 0;
}

class OverrideReader {
 public:
  explicit OverrideReader(const std::vector<Token>& tokens) : tokens_(tokens) {}

  Reading read() {
    for (const auto& token : tokens_)
      foreign_ = foreign_ || is_foreign_path(std::string_view(token.text).substr(prefix_length(token.text)));
    out_.launcher = Launcher::kBridge;
    for (const auto& token : tokens_) word(token);
    complete_for_front_end(out_);
    return std::move(out_);
  }

 private:
  void word(const Token& token) {
    const std::size_t length = override_key_length(token.text);
    if (length == 0 && !token.text.starts_with("=")) return syntax(token);
    const std::string_view spelled = std::string_view(token.text).substr(0, length);
    const std::string_view path = spelled.substr(prefix_length(spelled));
    const std::string_view rest = std::string_view(token.text).substr(length);
    if (spelled.starts_with("~"))
      return remark(Remark::Kind::kDeletedKey, token, canonical_key(path), std::string(rest.substr(rest.empty() ? 0 : 1)),
                    std::string(rest.substr(0, 1)));
    judge_key(token, spelled, path);
    value(token, std::string(spelled), canonical_key(path), rest.substr(1));
  }

  void syntax(const Token& token) {
    if (token.unknown) return remark(Remark::Kind::kOpenWords, token, token.text, token.text, token.unknown->reason);
    remark(Remark::Kind::kSyntax, token, token.text, "not of the form KEY=VALUE");
  }

  void judge_key(const Token& token, std::string_view spelled, std::string_view path) {
    const std::string key = canonical_key(path);
    if (foreign_ || key.starts_with("env_vars.")) return;
    const bool known = key_facts(key, Core::kBridgePin).known;
    const std::string value = token.text.substr(override_key_length(token.text));
    if (spelled.starts_with("+")) {
      if (!known)
        remark(Remark::Kind::kAddedKey, token, key, value);
      else if (!spelled.starts_with("++"))
        remark(Remark::Kind::kAddExisting, token, key, value);
    } else if (!known) {
      remark(Remark::Kind::kUnknownKey, token, key, value);
    }
    if (!known) out_.remarks.back().suggestions = suggest_([&] { return suggest_keys(key); });
  }

  void value(const Token& token, const std::string& spelled, const std::string& key, std::string_view text) {
    if (token.unknown) {
      remark(Remark::Kind::kUnresolved, token, key, std::string(text), token.unknown->reason);
      return add(token, spelled, key, Unknown{std::string(text), token.unknown->reason});
    }
    HydraValue parsed = parse_hydra_value(text);
    const std::string written(text);
    if (parsed.sweep) remark(Remark::Kind::kListString, token, key, written);
    if (parsed.sweep) parsed.problem = "an unbracketed comma asks for one run for each value";
    if (!parsed.problem.empty())
      remark(Remark::Kind::kSyntax, token, token.text, parsed.problem);
    else
      oddities(token, key, written, parsed);
    add(token, spelled, key, std::move(parsed.value));
  }

  void oddities(const Token& token, const std::string& key, const std::string& written, const HydraValue& parsed) {
    const std::string* text = parsed.value.string();
    if (parsed.value.is_unknown()) remark(Remark::Kind::kUnresolved, token, key, written, parsed.value.unknown()->reason);
    if (text && !parsed.quoted && *text == "None") remark(Remark::Kind::kNoneString, token, key);
    if (text && parsed.quoted && (iequals(*text, "true") || iequals(*text, "false"))) remark(Remark::Kind::kBoolString, token, key, *text);
    if (text && parsed.quoted && text->find(',') != std::string::npos && key_facts(key, Core::kBridgePin).list)
      remark(Remark::Kind::kListString, token, key, *text);
  }

  /// Sections take dicts key by key: what is not named stays as it is.
  void add(const Token& token, const std::string& spelled, const std::string& key, Value value) {
    Map* entries = value.map();
    if (entries == nullptr || entries->empty() || !key_facts(key, Core::kBridgePin).section)
      return leaf(token, spelled, key, std::move(value));
    for (auto& [name, inner] : *entries) {
      std::string below = std::string(spelled) + "." + name;
      judge_key(token, below, std::string_view(below).substr(prefix_length(below)));
      const std::string path = canonical_key(std::string_view(below).substr(prefix_length(below)));
      add(token, below, path, std::move(inner));
    }
  }

  void leaf(const Token& token, const std::string& spelled, const std::string& key, Value value) {
    if (!value.is_unknown() && !keys_.insert(key).second) remark(Remark::Kind::kDuplicate, token, key);
    Origin origin = token.origin;
    origin.spelling = spelled;
    out_.settings.push_back({key, std::move(value), std::move(origin)});
  }

  void remark(Remark::Kind kind, const Token& token, const std::string& subject, std::string detail = {}, std::string expected = {}) {
    Origin origin = token.origin;
    const std::size_t length = override_key_length(token.text);
    origin.spelling = length > 0 ? token.text.substr(0, length) : token.text;
    out_.remarks.push_back({kind, subject, std::move(detail), std::move(expected), {}, std::move(origin)});
  }

  const std::vector<Token>& tokens_;
  bool foreign_ = false;
  Suggester suggest_;
  std::unordered_set<std::string> keys_;
  Reading out_;
};

Error not_expressible(const Setting& setting, const std::string& why) {
  return {"not-expressible", setting.key + " = " + setting.value.str() + " cannot be written as an override: " + why,
          "set it in another form"};
}

/// How the key is written: as the user did when that names the same key, else its path, added where upstream may not have it.
std::string spelling_of(const Setting& setting) {
  const std::string& written = setting.origin.spelling;
  const bool usable = override_key_length(written + "=") == written.size() && !written.starts_with("~");
  if (usable && !written.empty() && canonical_key(std::string_view(written).substr(prefix_length(written))) == setting.key) return written;
  const bool exists = !setting.key.starts_with("env_vars.") && key_facts(setting.key, Core::kBridgePin).known;
  return exists ? setting.key : "++" + setting.key;
}

}  // namespace

std::size_t override_key_length(std::string_view word) {
  std::size_t length = prefix_length(word);
  if (length >= word.size() || word[length] == '-') return 0;
  while (length < word.size() && is_key_char(word[length])) ++length;
  if (length == prefix_length(word) && !word.substr(length).starts_with("=")) return 0;
  if (word.substr(length).starts_with("=")) return length;
  return word.starts_with("~") && length == word.size() ? length : 0;
}

Reading read_overrides(const std::vector<Token>& tokens, const ReadContext&) { return OverrideReader(tokens).read(); }

Result<std::vector<std::string>> write_overrides(const std::vector<Setting>& settings, const ReadContext&) {
  std::vector<std::string> out;
  for (const auto& setting : settings) {
    if (setting.key.starts_with("env.") || setting.key.starts_with("args.") || setting.key.starts_with("launch."))
      return not_expressible(setting, "it is no configuration key");
    const auto text = hydra_text(setting.value);
    if (!text) return not_expressible(setting, "no value of this kind exists there");
    out.push_back(spelling_of(setting) + "=" + *text);
  }
  return out;
}

}  // namespace spillway::config
