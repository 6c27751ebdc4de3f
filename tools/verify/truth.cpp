#include "tools/verify/truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "tools/common/npy.hpp"

namespace mo::tools {
namespace {

namespace fs = std::filesystem;

std::set<std::string, std::less<>> names_in(const Graph& graph) {
  std::set<std::string, std::less<>> names;
  for (const Node node : graph.nodes()) {
    names.emplace(node.name());
    for (const OutPort& port : node.out_ports())
      for (const std::string_view name : port.data().tensor_names()) names.emplace(name);
  }
  return names;
}

bool is_named_in(const Value& value, const std::set<std::string, std::less<>>& names) {
  if (names.contains(value.node().name())) return true;
  const auto own = value.data().tensor_names();
  return std::any_of(own.begin(), own.end(), [&](std::string_view name) { return names.contains(name); });
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// `a%2Fb` -> `a/b`.
std::string decoded(std::string_view text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped =
        text[i] == '%' && i + 2 < text.size() && digit_of(text[i + 1]) >= 0 && digit_of(text[i + 2]) >= 0;
    made += escaped ? static_cast<char>(digit_of(text[i + 1]) * 16 + digit_of(text[i + 2])) : text[i];
    if (escaped) i += 2;
  }
  return made;
}

}  // namespace

std::string Truth::node_name_of(const Value& value) {
  const Node node = value.node();
  if (node.name().empty() || node.out_port_count() <= 1) return std::string(node.name());
  return fmt::format("{}.{}", node.name(), value.index());
}

void Truth::remember(std::map<std::string, std::vector<std::size_t>, std::less<>>& names, std::string_view name) {
  if (!name.empty()) names[std::string(name)].push_back(tensors_.size() - 1);
}

void Truth::add(const Value& made, Tensor value) {
  const Node node = made.node();
  const std::string node_name = node_name_of(made);
  const std::string_view tensor_name = made.data().first_tensor_name();
  const Origin origin = node.origin();
  tensors_.push_back({tensor_name.empty() ? node_name : std::string(tensor_name), std::string(node.name()),
                      origin.empty() ? std::string(node.type()) : origin.label(), std::move(value), made});
  for (const std::string_view name : made.data().tensor_names()) remember(by_tensor_, name);
  remember(by_node_, node_name);
}

void Truth::add(const std::string& name, Tensor value) {
  tensors_.push_back({name, {}, {}, std::move(value)});
  remember(by_tensor_, name);
  remember(by_node_, name);
}

std::vector<std::size_t> Truth::named_as(const Value& value) const {
  std::vector<std::size_t> places;
  for (const std::string_view name : value.data().tensor_names())
    if (const auto it = by_tensor_.find(name); it != by_tensor_.end())
      places.insert(places.end(), it->second.begin(), it->second.end());
  if (places.empty())
    if (const auto it = by_node_.find(node_name_of(value)); it != by_node_.end()) places = it->second;
  std::sort(places.rbegin(), places.rend());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

const Tensor* Truth::find(const std::string& name) const {
  for (const auto* names : {&by_tensor_, &by_node_})
    for (const std::string& spelling : {name, name + ":0"})
      if (const auto it = names->find(spelling); it != names->end()) return &tensors_[it->second.back()].value;
  return nullptr;
}

std::string output_name(const Node& result) {
  const Value source = result.input(0);
  if (!source) return std::string(result.name());
  const std::string_view tensor = source.data().first_tensor_name();
  return std::string(tensor.empty() ? source.node().name() : tensor);
}

Expected<Truth> true_outputs(const Graph& source, const std::vector<Tensor>& inputs, const ExecutorOptions& how) {
  MO_ASSIGN(const std::vector<Tensor> outputs, execute(source, inputs, how));
  Truth truth;
  const std::vector<Node> results = source.results();
  for (std::size_t i = 0; i < results.size(); ++i) truth.add(results[i].input(0), outputs[i]);
  return truth;
}

Expected<Truth> true_tensors(const Graph& source, const std::vector<Tensor>& inputs, const Graph& other,
                             const ExecutorOptions& how) {
  const std::set<std::string, std::less<>> wanted = names_in(other);
  Truth truth;
  ExecutorOptions watching = how;
  watching.on_tensor = [&](const Value& made, Tensor& value) -> Expected<void> {
    if (!made.node().is<Const>() && is_named_in(made, wanted)) truth.add(made, value);
    return {};
  };
  MO_TRY(execute(source, inputs, watching));
  return truth;
}

std::vector<std::string> shared_names(const Graph& source, const Graph& other) {
  const std::set<std::string, std::less<>> wanted = names_in(other);
  std::vector<std::string> names;
  for (const Node node : source.nodes())
    if (!node.is<Const>() && !node.is<Parameter>())
      for (const OutPort& port : node.out_ports())
        if (is_named_in(port, wanted))
          for (const std::string_view name : port.data().tensor_names()) names.emplace_back(name);
  return names;
}

Expected<Truth> read_truth(const std::string& folder) {
  std::error_code problem;
  std::vector<fs::path> files;
  for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem))
    if (it->path().extension() == ".npy") files.push_back(it->path());
  if (problem || files.empty())
    return error("MO-VERIFY-0003", "there is no array in \"{}\"{}", folder, problem ? ": " + problem.message() : "")
        .hint("put one NAME.npy there for each tensor, as `mo run --dump` does");
  std::sort(files.begin(), files.end());
  Truth truth;
  for (const fs::path& file : files) {
    MO_ASSIGN(Tensor value, read_npy(file.string()));
    truth.add(decoded(file.stem().string()), std::move(value));
  }
  return truth;
}

}  // namespace mo::tools
