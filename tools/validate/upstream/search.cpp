#include "tools/validate/upstream/search.hpp"

#include <algorithm>
#include <cstring>

#include "base/text.hpp"

namespace spillway::validate::upstream {
namespace {

constexpr std::size_t kAnchor = 8;         // Bytes that are looked up at once.
constexpr std::size_t kLeast = 12;         // Bytes of the longest part; shorter ones are found anywhere.
constexpr std::size_t kGap = 200;          // Bytes that a filled-in value may take.
constexpr std::size_t kCodeGap = 600;      // Bytes between a condition and what follows from it: upstream likes to warn first.
constexpr std::size_t kHashes = 1u << 16;  // A few hundred anchors leave nearly all of them empty.
constexpr double kNear = 0.6;              // Share of words in common; below it two messages say different things.

/// Exceptions that Python, argparse and Hydra word themselves.
constexpr std::string_view kNotUpstreams[] = {"KeyError",   "AttributeError", "TypeError",      "NameError",
                                              "IndexError", "ArgumentError",  "OverridesError", "ConstructorError"};

/// Messages of PyTorch's that rules predict.
constexpr std::string_view kTorchs[] = {"can't optimize a non-leaf Tensor"};

constexpr std::string_view kKeywords[] = {"and", "or",   "not",    "in",    "is",  "if",     "elif",   "else",
                                          "for", "None", "assert", "raise", "del", "lambda", "return", "with"};

bool among(std::string_view word, const auto& list) { return std::find(std::begin(list), std::end(list), word) != std::end(list); }

std::string_view without_src(std::string_view file) { return file.starts_with("src/") ? file.substr(4) : file; }

/// The file that a place of upstream's names; empty for places that several files hold.
std::string_view file_of(Place place) {
  switch (place) {
    case Place::kValidateArgs:
      return "megatron/training/arguments.py";
    case Place::kModelParallelConfig:
      return "megatron/core/model_parallel_config.py";
    case Place::kTransformerConfig:
    case Place::kBridgeRefinalize:
      return "megatron/core/transformer/transformer_config.py";
    case Place::kOptimizerConfig:
      return "megatron/core/optimizer/optimizer_config.py";
    default:
      return {};
  }
}

/// The files a raise may stand in, the one to name first; a package where no file is certain.
std::vector<std::string> files_of(const Raise& raise, const Rule& rule) {
  const std::string evidence(without_src(rule.evidence.file)), fixed(file_of(raise.place));
  if (raise.place == Place::kBridge) return {package_of(evidence) == "megatron/bridge" ? evidence : "megatron/bridge"};
  if (fixed.empty() || fixed == evidence) return {evidence};
  if (package_of(fixed) != package_of(evidence)) return {fixed};
  return {fixed, evidence};
}

std::vector<std::string> parts_of(const std::string& wording) {
  std::vector<std::string> parts;
  for (const auto part : split(wording, kHole))
    if (!part.empty()) parts.emplace_back(part);
  return parts;
}

std::size_t longest(const std::vector<std::string>& parts) {
  return static_cast<std::size_t>(
      std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); }) - parts.begin());
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Two words beside each other, neither of them Python's, are a sentence.
bool is_prose(std::string_view text) {
  bool before = false;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (is_letter(text[end]) || (end > at && text[end] >= '0' && text[end] <= '9'))) ++end;
    const bool word = end > at && !among(text.substr(at, end - at), kKeywords);
    if (word && before) return true;
    before = word || (end == at && text[at] == ' ' && before);
    at = std::max(end, at + 1);
  }
  return false;
}

/// A condition that is quoted as it stands, not told.
bool is_code(std::string_view text) {
  for (const std::string_view told : {"…", "...", "; ", "#"})
    if (text.find(told) != std::string_view::npos) return false;
  return !is_prose(text);
}

/// A condition and what follows from it, squeezed.
std::vector<std::string> statements(std::string_view code) {
  const auto colon = code.find(": ");
  if (colon == std::string_view::npos) return {squeezed(code)};
  return {squeezed(code.substr(0, colon + 1)), squeezed(code.substr(colon + 2))};
}

/// Where the statements stand one after the other; npos where they do not.
std::size_t find_code(const std::vector<std::string>& parts, std::string_view code) {
  for (std::size_t at = 0; (at = code.find(parts.front(), at)) != std::string_view::npos; ++at)
    if (parts.size() == 1 || code.substr(at + parts[0].size(), kCodeGap).find(parts[1]) != std::string_view::npos) return at;
  return std::string_view::npos;
}

std::uint64_t beginning(const char* text) {
  std::uint64_t value = 0;
  std::memcpy(&value, text, kAnchor);
  return value;
}

std::size_t hash_of(std::uint64_t value) { return (value * 0x9E3779B97F4A7C15u) >> 48; }

/// Whether the parts stand in this order around the one at `at`, with room for values in between.
bool stands(const std::vector<std::string>& parts, std::size_t anchor, std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with(parts[anchor])) return false;
  std::size_t end = at + parts[anchor].size();
  for (std::size_t i = anchor + 1; i < parts.size(); ++i) {
    const std::size_t found = text.substr(end, kGap + parts[i].size()).find(parts[i]);
    if (found == std::string_view::npos) return false;
    end += found + parts[i].size();
  }
  for (std::size_t i = anchor, begin = at; i-- > 0;) {
    const std::size_t from = begin - std::min(begin, kGap + parts[i].size());
    const std::size_t found = text.substr(from, begin - from).rfind(parts[i]);
    if (found == std::string_view::npos) return false;
    begin = from + found;
  }
  return true;
}

/// Whether the text is what a string with holes can become.
bool becomes(const std::string& wording, std::string_view text) {
  const auto parts = parts_of(wording);
  if (parts.empty() || wording.find(kHole) == std::string::npos) return false;
  std::size_t at = 0, literal = 0;
  for (const auto& part : parts) {
    const std::size_t found = text.find(part, at);
    if (found == std::string_view::npos || (at == 0 && found > 0 && wording.front() != kHole)) return false;
    at = found + part.size();
    literal += part.size();
  }
  return 2 * literal >= text.size();
}

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  for (const auto word : split(text, ' '))
    if (word.size() > 2) words.insert(lower(word));
  return words;
}

/// Share of words that two texts have in common.
double likeness(const std::set<std::string>& a, const std::set<std::string>& b) {
  const auto common = std::count_if(a.begin(), a.end(), [&](const auto& word) { return b.contains(word); });
  return a.empty() || b.empty() ? 0 : 2.0 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
}

}  // namespace

bool RuleDrift::gone() const {
  return std::all_of(texts.begin(), texts.end(), [](const TextDrift& text) { return text.state == TextDrift::State::kGone; });
}

std::string_view package_of(std::string_view file) {
  file = without_src(file);
  for (const auto package : kPackages)
    if (file == package || (file.starts_with(package) && file[package.size()] == '/')) return package;
  return {};
}

Search::Search(const std::vector<Rule>& rules, Core core, const std::set<std::string_view>& packages) : beginnings_(kHashes, false) {
  for (const auto& rule : rules) {
    const std::size_t before = wanted_.size();
    want(rule, packages, core);
    if (wanted_.size() == before) left_out_.emplace_back(rule.code);
  }
}

void Search::want(const Rule& rule, const std::set<std::string_view>& packages, Core core) {
  const auto there = [&](const std::vector<std::string>& files) { return packages.contains(package_of(files.front())); };
  if (rule.until < core || core < rule.since) return;
  for (const auto& raise : rule.raises) {
    const auto files = files_of(raise, rule);
    if (raise.place == Place::kParse || among(raise.type, kNotUpstreams) || among(raise.text, kTorchs) || raise.until < core ||
        core < raise.since || !there(files))
      continue;
    add({std::string(rule.code), std::string(raise.text), files, parts_of(wording(raise.text))});
  }
  const std::vector<std::string> evidence = {std::string(without_src(rule.evidence.file))};
  if (!rule.raises.empty() || !is_code(rule.evidence.text) || !there(evidence)) return;
  Wanted code{std::string(rule.code), std::string(rule.evidence.text), evidence, statements(rule.evidence.text)};
  code.is_code = true;
  add(std::move(code));
}

void Search::add(Wanted wanted) {
  if (wanted.parts.empty()) return;
  wanted.anchor = longest(wanted.parts);
  const std::string& anchor = wanted.parts[wanted.anchor];
  if (anchor.size() < kLeast) return;
  for (const auto& other : wanted_)
    if (other.code == wanted.code && other.text == wanted.text && other.files == wanted.files) return;
  for (const auto& file : wanted.files) known_[file];
  const std::uint64_t begin = beginning(anchor.data());
  if (!wanted.is_code) {
    anchors_.emplace(begin, wanted_.size());
    beginnings_[hash_of(begin)] = true;
  }
  wanted_.push_back(std::move(wanted));
}

bool Search::is_expected(const Wanted& wanted, std::string_view file) const {
  return std::any_of(wanted.files.begin(), wanted.files.end(), [&](const std::string& expected) {
    return file == expected || (expected == package_of(expected) && package_of(file) == expected);
  });
}

void Search::note(Wanted& wanted, std::string_view file, int line) {
  auto& spot = is_expected(wanted, file) ? wanted.here : wanted.elsewhere;
  if (!spot) spot = Spot{std::string(file), line};
}

void Search::read(std::string_view file, std::string_view text) {
  const PythonSource source = read_python(text);
  const auto known = known_.find(file);
  for (const auto& string : source.strings) {
    std::string words = wording(string.text);
    match(file, words, string.line);
    if (known != known_.end() && words.size() >= kLeast) known->second.push_back({{std::string(file), string.line}, std::move(words)});
  }
  match_code(file, source);
}

void Search::match(std::string_view file, std::string_view text, int line) {
  for (std::size_t at = 0; at + kAnchor <= text.size(); ++at) {
    const std::uint64_t begin = beginning(text.data() + at);
    if (!beginnings_[hash_of(begin)]) continue;
    const auto [first, last] = anchors_.equal_range(begin);
    for (auto each = first; each != last; ++each) {
      Wanted& wanted = wanted_[each->second];
      if (!wanted.here && stands(wanted.parts, wanted.anchor, text, at)) note(wanted, file, line);
    }
  }
}

void Search::match_code(std::string_view file, const PythonSource& source) {
  for (auto& wanted : wanted_) {
    if (!wanted.is_code || wanted.here) continue;
    const std::size_t found = find_code(wanted.parts, source.code);
    if (found != std::string::npos) note(wanted, file, source.line_at(found));
  }
}

std::vector<RuleDrift> Search::result() const {
  std::vector<RuleDrift> rules;
  for (const auto& wanted : wanted_) {
    if (rules.empty() || rules.back().code != wanted.code) rules.push_back({wanted.code, {}});
    rules.back().texts.push_back(drift_of(wanted));
  }
  return rules;
}

TextDrift Search::drift_of(const Wanted& wanted) const {
  using State = TextDrift::State;
  TextDrift out;
  out.text = wanted.text;
  out.file = wanted.files.front();
  out.state = wanted.here ? State::kFound : wanted.elsewhere ? State::kMoved : State::kGone;
  out.now = wanted.here ? wanted.here : wanted.elsewhere;
  if (out.state == State::kGone && !wanted.is_code) find_near(wanted, out);
  return out;
}

void Search::find_near(const Wanted& wanted, TextDrift& drift) const {
  const std::string text = wording(wanted.text);
  const auto words = words_of(text);
  double best = kNear;
  for (const auto& file : wanted.files)
    for (const auto& known : known_.find(file)->second) {
      if (becomes(known.text, text)) {
        drift = {TextDrift::State::kFound, drift.text, drift.file, known.spot};
        return;
      }
      const double like = likeness(words, words_of(known.text));
      if (like < best) continue;
      best = like;
      drift.near = known.spot;
      drift.near_text = known.text;
    }
}

}  // namespace spillway::validate::upstream
