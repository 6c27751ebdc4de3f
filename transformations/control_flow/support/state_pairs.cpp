#include "transformations/control_flow/support/state_pairs.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/graph/model_ends.hpp"

namespace mo::transformations {
namespace {

/// Reads the dictionary of names. Shells may have taken the quotation marks; then a name ends at the next of `:,}`.
class PairReader {
 public:
  explicit PairReader(std::string_view text) : text_(text) {}

  std::optional<std::vector<StatePair>> read() {
    std::vector<StatePair> pairs;
    bool good = skip('{');
    while (good) {
      StatePair pair;
      good = name(pair.input) && skip(':') && name(pair.output);
      if (!good) break;
      pairs.push_back(std::move(pair));
      if (skip(',')) continue;
      good = skip('}') && at_ == text_.size();
      break;
    }
    return good ? std::optional(std::move(pairs)) : std::nullopt;
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool skip(char c) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_spaces();
    return true;
  }
  bool name(std::string& name) {
    const bool quoted = at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"');
    const std::size_t start = quoted ? at_ + 1 : at_;
    const std::size_t end = quoted ? text_.find(text_[at_], start) : text_.find_first_of(":,}", start);
    if (end == std::string_view::npos || end == start) return false;
    name = text_.substr(start, end - start);
    at_ = quoted ? end + 1 : end;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

struct Prefixes {
  std::string_view input;
  std::string_view output;
};

/// How the names of caches begin; the rest of both names is the same. Keys and values of attention, and the states of
/// state-space models.
constexpr std::array<Prefixes, 3> kCaches = {Prefixes{"past_key_values", "present"},
                                             Prefixes{"past_key_values", "present_key_values"},
                                             Prefixes{"cache_params.past", "cache_params.present"}};

bool is_of_encoder(std::string_view name) { return name.find(".encoder.") != std::string_view::npos; }

std::vector<std::string_view> names_of_end(const Node& end) {
  const Value tensor = tensor_of_end(end);
  std::vector<std::string_view> names = tensor ? tensor.data().tensor_names() : std::vector<std::string_view>();
  names.push_back(end.name());
  return names;
}

/// Whether an input is called as a cache is, after `past`.
bool has_prefix(std::string_view input, std::string_view past) {
  return input.starts_with(past) && input.size() > past.size() && input[past.size()] == '.';
}

/// The output that belongs to the input of that name.
std::optional<StatePair> cache_of(std::string_view input, const std::vector<Node>& results) {
  if (is_of_encoder(input)) return std::nullopt;
  for (const auto& [past, present] : kCaches) {
    if (!has_prefix(input, past)) continue;
    const std::string output = std::string(present) + std::string(input.substr(past.size()));
    if (std::any_of(results.begin(), results.end(), [&](const Node& result) { return is_called(result, output); }))
      return StatePair{std::string(input), output};
  }
  return std::nullopt;
}

}  // namespace

std::string variable_of(const StatePair& pair) { return pair.input + pair.output; }

Expected<std::vector<StatePair>> parse_state_pairs(std::string_view text, std::string_view pass) {
  auto pairs = PairReader(text).read();
  if (pairs) return *std::move(pairs);
  return error("MO-CONFIG-0050", "{}: param_res_names is not a list of pairs: {}", pass, text)
      .hint("write --transform \"{}[param_res_names={{'input':'output','input2':'output2'}}]\"", pass);
}

std::vector<StatePair> caches_of(const Graph& graph) {
  const std::vector<Node> results = graph.results();
  std::vector<StatePair> pairs;
  for (const Node& parameter : graph.parameters())
    for (const std::string_view name : names_of_end(parameter))
      if (auto pair = cache_of(name, results)) {
        pairs.push_back(*std::move(pair));
        break;
      }
  return pairs;
}

std::vector<Node> encoder_caches_of(const Graph& graph) {
  std::vector<Node> found;
  for (const Node& parameter : graph.parameters()) {
    const std::vector<std::string_view> names = names_of_end(parameter);
    if (std::any_of(names.begin(), names.end(), [](std::string_view name) {
          return is_of_encoder(name) && std::any_of(kCaches.begin(), kCaches.end(), [name](const Prefixes& prefixes) {
                   return has_prefix(name, prefixes.input);
                 });
        }))
      found.push_back(parameter);
  }
  return found;
}

StatePair cache_of_variable(std::string_view variable) {
  for (const auto& [past, present] : kCaches) {
    if (!variable.starts_with(past)) continue;
    const std::size_t rest = variable.size() - past.size();
    // Both names have the same end: its length follows from the whole.
    if (rest <= present.size() || (rest - present.size()) % 2 != 0) continue;
    const std::size_t length = (rest - present.size()) / 2;
    const std::string_view end = variable.substr(past.size(), length);
    const std::string_view output = variable.substr(past.size() + length);
    if (end.starts_with('.') && output.starts_with(present) && output.substr(present.size()) == end)
      return {std::string(variable.substr(0, past.size() + length)), std::string(output)};
  }
  return {};
}

}  // namespace mo::transformations
