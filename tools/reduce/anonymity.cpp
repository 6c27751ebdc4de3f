#include "tools/reduce/anonymity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "core/tensor/convert.hpp"

namespace mo::tools {
namespace {

constexpr std::size_t kRun = 16;
constexpr std::size_t kShortestName = 3;

/// New names of tensors, the same for a tensor and for those who capture it.
class Namer {
 public:
  void rename(Graph& graph) {
    graph.name.clear();
    for (const Node node : graph.nodes())
      for (const OutPort& port : node.out_ports()) rename(port.data());
    for (const Node node : graph.nodes()) {
      if (AttributeValue* const captures = node.op_type().dynamic ? node.change_attribute("@captures") : nullptr)
        if (auto* const names = captures->get_if<std::vector<std::string>>())
          for (std::string& name : *names) name = new_name(name);
      for (Graph* body : node.bodies()) rename(*body);
      // A GraphDef that spells its inputs by name.
      if (node.op_type().dynamic) static_cast<AttributeMap*>(node.payload())->erase("@inputs");
    }
    for (const Node node : graph.nodes()) {
      if (node.is<Const>() && node.name().empty()) continue;
      const bool is_tensor = node.is<Parameter>() && !node.output().data().first_tensor_name().empty();
      node.set_name(is_tensor ? std::string(node.output().data().first_tensor_name()) : fmt::format("n{}", nodes_++));
    }
  }

 private:
  void rename(const PortData& data) {
    const std::string_view name = data.first_tensor_name();
    if (name.empty()) return;
    const std::string made = new_name(std::string(name));
    data.clear_tensor_names();
    data.add_tensor_name(made);
  }
  std::string new_name(const std::string& name) {
    const auto [it, is_new] = tensors_.try_emplace(name, fmt::format("t{}", tensors_.size()));
    return it->second;
  }

  std::map<std::string, std::string> tensors_;
  int nodes_ = 0;
};

void add_names(const Graph& graph, std::set<std::string>& names) {
  names.insert(graph.name);
  for (const Node node : graph.nodes()) {
    names.emplace(node.name());
    for (const std::string_view source : node.sources()) names.emplace(source);
    for (const OutPort& port : node.out_ports())
      for (const std::string_view name : port.data().tensor_names()) names.emplace(name);
    for (const Graph* body : node.bodies()) add_names(*body, names);
  }
}

/// What a file says anyway: names of ops and attributes.
void collect_words(const Graph& graph, std::string& words) {
  for (const Node node : graph.nodes()) {
    words += fmt::format("{} {}\n", node.type(), node.origin().op);
    for (const AttributeMap::Item& item : node.attributes()) words += item.name + "\n";
    for (const Graph* body : node.bodies()) collect_words(*body, words);
  }
}

bool says_something(std::string_view run) {
  const std::size_t period = 4;
  for (std::size_t i = period; i < run.size(); ++i)
    if (run[i] != run[i - period]) return true;
  return false;
}

}  // namespace

Expected<Tensor> noise_like(const Tensor& original, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> numbers;
  numbers.reserve(static_cast<std::size_t>(original.element_count()));
  for (std::int64_t i = 0; i < original.element_count(); ++i) {
    const auto step = static_cast<double>(random() % 4096);
    numbers.push_back(is_real(original.element_type()) ? step / 2048 - 1 : std::floor(step / 2048));
  }
  return from_reals(original.element_type(), original.shape(), numbers);
}

void forget_names(Graph& graph) { Namer().rename(graph); }

Expected<std::vector<std::string>> leaks_of(const Graph& original, const ModelForm& form, const Graph& reduced,
                                            const std::string& written) {
  std::vector<std::string> leaks;
  std::set<std::string> names;
  add_names(original, names);
  std::string words = "cut unnamed output input initializer node attribute float int ints floats";
  collect_words(reduced, words);
  for (const std::string& name : names) {
    const bool is_new = name.size() >= 2 && (name[0] == 'n' || name[0] == 't') &&
                        std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (name.size() < kShortestName || is_new || words.find(name) != std::string::npos) continue;
    if (written.find(name) != std::string::npos) leaks.push_back(fmt::format("the name '{}'", name));
  }
  for (const Node node : original.nodes()) {
    if (!form.is_constant(node)) continue;
    const Tensor value = form.value_of(node);
    if (value.empty() || value.element_type() == ElementType::string || value.byte_size() < kRun) continue;
    MO_ASSIGN(const Tensor loaded, value.load());
    const auto bytes = loaded.bytes();
    for (const std::size_t at : {std::size_t{0}, (bytes.size() - kRun) / 2, bytes.size() - kRun}) {
      const std::string_view run(reinterpret_cast<const char*>(bytes.data()) + at, kRun);
      if (says_something(run) && written.find(run) != std::string::npos) {
        leaks.push_back(fmt::format("values of constant '{}'", node.name()));
        break;
      }
    }
  }
  return leaks;
}

}  // namespace mo::tools
