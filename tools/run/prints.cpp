#include "tools/run/prints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/tensor/convert.hpp"

namespace mo::tools {
namespace {

constexpr std::string_view kJumps[] = {"tf::Switch", "tf::RefSwitch", "tf::_SwitchN", "tf::Enter", "tf::RefEnter"};

bool has_jumps(const Graph& graph) {
  for (const Node node : graph.nodes())
    if (std::find(std::begin(kJumps), std::end(kJumps), node.type()) != std::end(kJumps)) return true;
  return false;
}

/// "[1 2 3]", "[1 2...]"
Expected<std::string> shown(const Tensor& value, std::int64_t most) {
  const std::int64_t count = value.element_count();
  const auto written = static_cast<std::size_t>(most < 0 ? count : std::min(count, most));
  std::vector<std::string> texts;
  if (value.element_type() == ElementType::string) {
    MO_ASSIGN(texts, to_strings(value));
  } else if (value.element_type() == ElementType::f32) {
    // As short as the number can be told from its neighbours.
    MO_ASSIGN(const Tensor loaded, value.load());
    for (const float number : loaded.values<float>()) texts.push_back(fmt::format("{}", number));
  } else {
    MO_ASSIGN(const Tensor wide, convert(value, ElementType::f64));
    for (const double number : wide.values<double>()) texts.push_back(fmt::format("{}", number));
  }
  texts.resize(std::min(texts.size(), written));
  return fmt::format("[{}{}]", fmt::join(texts, " "), written < static_cast<std::size_t>(count) ? "..." : "");
}

}  // namespace

void Prints::collect(Graph& graph, DiagnosticSink& sink) {
  std::vector<Node> prints;
  for (const Node node : graph.nodes())
    if (node.is("tf::Print") && node.attr<std::int64_t>("first_n").value_or(-1) != 0) prints.push_back(node);
  if (!prints.empty() && has_jumps(graph)) {
    sink.report(warning("MO-RUN-0015",
                        "the model has branches or loops of TensorFlow 1: what its Print nodes show is not written")
                    .hint("ask for a tensor with --output NAME, or for all of them with --dump DIR")
                    .at_node(std::string(prints.front().name())));
    return;
  }
  for (const Node& print : prints) {
    Line line{print.attr<std::string>("message").value_or(""), {}, print.attr<std::int64_t>("summarize").value_or(3)};
    for (std::size_t i = 1; i < print.in_port_count(); ++i) {
      const Value value = print.input(i);
      if (!value) continue;
      line.results.push_back(graph.unique_name(fmt::format("{}:shown:{}", print.name(), i)));
      graph.create_result(value, line.results.back());
    }
    lines_.push_back(std::move(line));
  }
}

bool Prints::owns(const Node& result) const {
  return std::any_of(lines_.begin(), lines_.end(), [&](const Line& line) {
    return std::find(line.results.begin(), line.results.end(), result.name()) != line.results.end();
  });
}

Expected<std::vector<std::string>> Prints::take_lines(const Graph& graph, std::vector<Tensor>& values) const {
  const std::vector<Node> results = graph.results();
  std::vector<std::string> texts;
  for (const Line& line : lines_) {
    std::string text = line.message;
    bool is_whole = true;
    for (const std::string& name : line.results) {
      const auto at =
          std::find_if(results.begin(), results.end(), [&](const Node& result) { return result.name() == name; });
      // With --output the part that prints may be gone.
      is_whole &= at != results.end();
      if (at == results.end()) continue;
      MO_ASSIGN(const std::string value, shown(values[static_cast<std::size_t>(at - results.begin())], line.most));
      text += value;
    }
    if (is_whole) texts.push_back(std::move(text));
  }
  for (std::size_t i = results.size(); i-- > 0;)
    if (owns(results[i])) values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
  return texts;
}

}  // namespace mo::tools
