#include "base/secrets.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"

namespace spillway {
namespace {

constexpr std::string_view kSecret[] = {"api_key",  "apikey", "access_key", "secret_key", "private_key", "token",        "secret",
                                        "password", "passwd", "passphrase", "credential", "credentials", "authorization"};

/// Words before `token` that make it one of a vocabulary. Source: names of Megatron-LM's and Megatron-Bridge's options.
constexpr std::string_view kVocabulary[] = {"bos", "class", "cls",    "eod", "eos",     "image",  "mask", "middle", "moe",
                                            "pad", "per",   "prefix", "sep", "special", "suffix", "unk",  "use",    "video"};

/// How access keys of well-known services begin, with at least so many characters behind it.
constexpr std::string_view kBeginnings[] = {"hf_", "nvapi-", "ghp_", "glpat-"};
constexpr std::size_t kKeyLength = 20;

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_quote(char c) { return c == '"' || c == '\''; }

/// `eos_token`, `--rl-skip-bos-token`.
bool is_vocabulary(std::string_view name) {
  constexpr std::string_view kToken = "_token";
  if (!name.ends_with(kToken)) return false;
  name.remove_suffix(kToken.size());
  const auto word = name.substr(name.rfind('_') + 1);
  return std::find(std::begin(kVocabulary), std::end(kVocabulary), word) != std::end(kVocabulary);
}

/// Finds the secrets of a text from its beginning to its end and overwrites them.
class Masker {
 public:
  explicit Masker(std::string_view text) : text_(text), out_(text) {}

  std::string mask() && {
    while (at_ < text_.size()) {
      if (text_.substr(at_, 3) == "://")
        url();
      else if (is_name(text_[at_]))
        word();
      else
        step();
    }
    return std::move(out_);
  }

 private:
  bool done(std::size_t at) const { return at >= text_.size(); }
  std::size_t past_blanks(std::size_t at) const {
    while (!done(at) && is_blank(text_[at])) ++at;
    return at;
  }
  /// Asked again and again for places of one long line.
  std::size_t line_end(std::size_t at) {
    if (at < looked_from_ || at > line_end_) {
      looked_from_ = at;
      line_end_ = std::min(text_.find('\n', at), text_.size());
    }
    return line_end_;
  }

  void step() {
    if (text_[at_] == '{') in_braces_ = true;
    if (text_[at_] == '\n') {
      line_ = at_ + 1;
      in_braces_ = false;
    }
    ++at_;
  }

  /// Overwrites all but line ends, and goes on behind it.
  void hide(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at)
      if (text_[at] != '\n' && text_[at] != '\r') out_[at] = '*';
    at_ = std::max(at_, end);
  }

  void word() {
    const std::size_t begin = at_;
    while (!done(at_) && is_name(text_[at_])) ++at_;
    const auto name = text_.substr(begin, at_ - begin);
    if (is_access_key(name)) return hide(begin, at_);
    if (iequals(name, "bearer")) return bearer();
    if (names_secret(name)) given_to(begin);
  }

  static bool is_access_key(std::string_view word) {
    return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                       [&](std::string_view start) { return word.starts_with(start) && word.size() >= start.size() + kKeyLength; });
  }

  /// A word behind it that is long enough to be none of a sentence.
  void bearer() {
    const std::size_t begin = past_blanks(at_);
    std::size_t end = begin;
    while (!done(end) && (is_name(text_[end]) || std::string_view("~+/=").find(text_[end]) != std::string_view::npos)) ++end;
    if (end - begin >= 8) hide(begin, end);
  }

  /// `user:password@` between the slashes and the host.
  void url() {
    const std::size_t begin = at_ + 3;
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n\"'/?#<>", begin), text_.size());
    const auto authority = text_.substr(begin, end - begin);
    at_ = begin;
    const auto at_sign = authority.rfind('@'), colon = authority.find(':');
    if (at_sign == std::string_view::npos) return;
    if (colon < at_sign) return hide(begin + colon + 1, begin + at_sign);
    if (at_sign >= kKeyLength) hide(begin, begin + at_sign);
  }

  /// What stands behind a name: `=VALUE`, `: VALUE`, `"]` before either of them, or a blank behind an option.
  void given_to(std::size_t name) {
    std::size_t at = at_;
    const bool quoted = !done(at) && is_quote(text_[at]);
    if (quoted) ++at;
    if (!done(at) && text_[at] == ']') ++at;
    const std::size_t next = past_blanks(at);
    if (done(next)) return;
    if (text_[next] == '=') return value(past_blanks(text_.substr(next).starts_with("==") ? next + 2 : next + 1), false);
    if (text_[next] == ':') return after_colon(next + 1, quoted);
    if (next > at && text_[name] == '-' && text_[next] != '-') return value(next, false);
    if (next > at && name > 0 && is_quote(text_[name - 1])) quoted_pair(name - 1, next);
  }

  /// `"NAME VALUE"`: the equals sign was forgotten. More words than two are a sentence.
  void quoted_pair(std::size_t open, std::size_t begin) {
    const std::size_t end = text_.find_first_of(" \t\n\"'", begin);
    if (end != std::string_view::npos && text_[end] == text_[open]) hide(begin, end);
  }

  void after_colon(std::size_t at, bool quoted) {
    if (!done(at) && (text_[at] == '-' || text_[at] == '=')) return hide(at + 1, std::min(text_.find_first_of("}\n", at), text_.size()));
    const bool yaml = done(at) || is_blank(text_[at]) || text_[at] == '\n' || text_[at] == '\r';
    // `NAME:VALUE`, where neither a scope nor a place in a file follows.
    if (!quoted && !yaml) return is_name(text_[at]) && !(text_[at] >= '0' && text_[at] <= '9') ? value(at, false) : void();
    at = past_blanks(at);
    const bool nothing = done(at) || std::string_view("\r\n|>#").find(text_[at]) != std::string_view::npos;
    nothing ? block(line_end(at)) : value(at, !quoted);
  }

  /// Lines that stand deeper than the key's own.
  void block(std::size_t end) {
    const std::size_t depth = text_.find_first_not_of(' ', line_) - line_;
    while (!done(end)) {
      const std::size_t begin = text_.find_first_not_of(" \r\n", end);
      if (begin == std::string_view::npos || begin - (text_.rfind('\n', begin) + 1) <= depth) return;
      end = line_end(begin);
      hide(begin, end);
    }
  }

  /// From here to the end of the value: its closing quote, the end of the word, or where a text goes on, of the line.
  void value(std::size_t begin, bool to_line_end) {
    if (done(begin) || is_reference(begin)) return;
    if (is_quote(text_[begin])) return hide(begin + 1, closing(begin));
    const bool line = to_line_end && !in_braces_;
    std::size_t end = line ? line_end(begin) : std::min(text_.find_first_of(to_line_end ? ",}\n" : " \t\r\n,;)}", begin), text_.size());
    if (to_line_end) end = begin + std::min(text_.substr(begin, end - begin).find(" #"), end - begin);
    hide(begin, end);
  }

  /// `$NAME` and `${NAME}` say where a secret is, not what it is.
  bool is_reference(std::size_t at) const {
    if (is_quote(text_[at])) ++at;
    if (done(at) || text_[at] != '$') return false;
    std::size_t end = at + 1;
    const bool braces = !done(end) && text_[end] == '{';
    if (braces) ++end;
    while (!done(end) && is_name(text_[end])) ++end;
    return braces ? !done(end) && text_[end] == '}' : end > at + 1;
  }

  std::size_t closing(std::size_t open) {
    for (std::size_t at = open + 1; !done(at); ++at) {
      if (text_[at] == '\\')
        ++at;
      else if (text_[at] == text_[open])
        return at;
    }
    return line_end(open);
  }

  const std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
  std::size_t looked_from_ = 1;  ///< Between here and line_end_ there is no line end.
  std::size_t line_end_ = 0;
  std::size_t line_ = 0;    ///< Where the line begins.
  bool in_braces_ = false;  ///< A `{` stands before on the line: a comma ends a value.
};

}  // namespace

bool names_secret(std::string_view name) {
  name = name.substr(name.find_last_of("./") + 1);
  std::string word = lower(name);
  std::replace(word.begin(), word.end(), '-', '_');
  if (is_vocabulary(word)) return false;
  return std::any_of(std::begin(kSecret), std::end(kSecret), [&](std::string_view secret) {
    return word.ends_with(secret) && (word.size() == secret.size() || word[word.size() - secret.size() - 1] == '_');
  });
}

std::string masked(std::string_view text) { return Masker(text).mask(); }

}  // namespace spillway
