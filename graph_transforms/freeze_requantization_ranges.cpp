#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "core/files/file.hpp"
#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {
namespace {

struct Seen {
  std::vector<float> mins;
  std::vector<float> maxs;
};

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t end = text.find(at);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::optional<float> number_before_bracket(std::string_view text) {
  const std::vector<std::string_view> pieces = split(text, ']');
  float value = 0;
  if (pieces.size() != 2) return std::nullopt;
  const auto [end, cause] = std::from_chars(pieces[0].data(), pieces[0].data() + pieces[0].size(), value);
  if (pieces[0].empty() || cause != std::errc() || end != pieces[0].data() + pieces[0].size()) return std::nullopt;
  return value;
}

/// A line that a Print of insert_logging(show_name=true, message="__requant_min_max:") wrote:
/// "…;NODE__print__;__requant_min_max:[MIN][MAX]".
void read_line(std::string_view line, std::map<std::string, Seen, std::less<>>& seen) {
  constexpr std::string_view kPrefix = "__requant_min_max:";
  constexpr std::string_view kSuffix = "__print__";
  const std::vector<std::string_view> pieces = split(line, ';');
  for (std::size_t i = pieces.size(); i-- > 1;) {
    if (!pieces[i].starts_with(kPrefix)) continue;
    const std::vector<std::string_view> parts = split(pieces[i], '[');
    if (!pieces[i - 1].ends_with(kSuffix) || parts.size() != 3 || parts[0] != kPrefix) return;
    const std::optional<float> min = number_before_bracket(parts[1]);
    const std::optional<float> max = number_before_bracket(parts[2]);
    if (!min || !max) return;
    Seen& node = seen[std::string(pieces[i - 1].substr(0, pieces[i - 1].size() - kSuffix.size()))];
    node.mins.push_back(*min);
    node.maxs.push_back(*max);
    return;
  }
}

Expected<std::map<std::string, Seen, std::less<>>> read_log(const std::string& path) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  MO_ASSIGN(const FilePtr file, File::open(path));
  if (file->size() > kMost)
    return error("MO-GTT-0028", "\"{}\" is too large for a log", path)
        .hint("keep the lines with __requant_min_max: only");
  std::string text(file->size(), '\0');
  MO_TRY(file->read(0, std::as_writable_bytes(std::span(text))));
  std::map<std::string, Seen, std::less<>> seen;
  for (const std::string_view line : split(text, '\n'))
    read_line(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line, seen);
  if (seen.empty())
    return error("MO-GTT-0028", "\"{}\" has no lines with minima and maxima", path)
        .hint(
            "write the log with insert_logging(op=RequantizationRange, show_name=true, "
            "message=\"__requant_min_max:\")");
  return seen;
}

/// The values that leave the given share of outliers out.
std::pair<float, float> range_without_outliers(Seen seen, float min_percentile, float max_percentile) {
  std::sort(seen.mins.begin(), seen.mins.end());
  std::sort(seen.maxs.begin(), seen.maxs.end());
  const auto count = static_cast<std::int64_t>(seen.mins.size());
  const auto at = [&](double share) {
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(std::llround(static_cast<double>(count) * share), 0, count - 1));
  };
  return {seen.mins[at(min_percentile / 100.0)], seen.maxs[at(1.0 - max_percentile / 100.0)]};
}

Expected<void> freeze(Graph& graph, const TransformFuncContext& context) {
  MO_ASSIGN(const std::string path, context.required_string("min_max_log_file"));
  MO_ASSIGN(const float min_percentile, context.one_float("min_percentile", 5));
  MO_ASSIGN(const float max_percentile, context.one_float("max_percentile", 5));
  MO_ASSIGN(const auto log, read_log(path));
  GraphEditor editor(graph, context);
  for (const auto& [name, seen] : log) {
    const Node node = editor.find(name);
    if (!node || op_of(node) != "RequantizationRange")
      return error("MO-GTT-0028", "the log names '{}', which is not a RequantizationRange of the graph", name)
          .hint("the log must be of the same graph");
    const auto [min, max] = range_without_outliers(seen, min_percentile, max_percentile);
    const Node frozen_min = editor.create_constant(editor.free_name(name + "/frozen_min"), Tensor::scalar(min));
    const Node frozen_max = editor.create_constant(editor.free_name(name + "/frozen_max"), Tensor::scalar(max));
    editor.redirect(node.output(), frozen_min.output());
    if (node.out_port_count() > 1) editor.redirect(node.out_port(1), frozen_max.output());
    editor.redirect_control(node, frozen_min);
    editor.erase(node);
  }
  return {};
}

}  // namespace

/// RequantizationRange nodes become the constants that a log of their results suggests, without the outermost
/// `min_percentile` and `max_percentile` (5) of a hundred values.
void register_freeze_requantization_ranges(TransformRegistry& registry) {
  registry.register_transform("freeze_requantization_ranges", Numbers::quantised, freeze);
  registry.describe("freeze_requantization_ranges",
                    {"Replaces RequantizationRange by constants that were logged",
                     {{"min_max_log_file", "text", "", "the log that a graph with insert_logging wrote; required"},
                      {"min_percentile", "number", "5", "share of the smallest minima that are ignored"},
                      {"max_percentile", "number", "5", "share of the largest maxima that are ignored"}}});
}

}  // namespace mo::graph_transforms
