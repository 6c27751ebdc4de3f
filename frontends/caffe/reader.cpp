#include "frontends/caffe/reader.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "frontends/caffe/graph_builder.hpp"
#include "frontends/caffe/weight_rules.hpp"
#include "frontends/common/file_kind.hpp"

namespace mo::caffe {
namespace {

namespace fs = std::filesystem;

/// Text is parsed in memory: weights are binary.
constexpr std::uint64_t kTextLimit = std::uint64_t{1} << 26;

Expected<std::unique_ptr<Graph>> build(const Net& net, const ModelSource& model, WeightFile* weights, bool checked,
                                       DiagnosticSink& sink) {
  GraphBuilder builder(net, weights);
  for (const std::string& type : model.known_types) builder.spellings.emplace(lower_case(type), type);
  MO_ASSIGN(std::unique_ptr<Graph> graph, builder.build());
  for (const NetInput& input : net.inputs)
    if (!input.shape.has_rank() && model.input_shapes.empty() && graph->find_node(input.name))
      sink.report(
          warning("MO-CAFFE-0011", "the input '{}' has no shape", input.name).hint("give one with --input_shape"));
  if (model.disable_weights) MO_TRY(add_zero_weights(*graph, model.input_shapes, model.known_types));
  for (const Diagnostic& remark : builder.remarks()) sink.report(remark);
  if (!checked) return graph;
  MO_TRY(check_weights(*graph));
  if (!weights) return graph;
  const auto& served = builder.served();
  std::vector<std::string> unused;
  for (const StoredLayer& layer : weights->layers())
    if (!layer.blobs.empty() && !served.contains(layer.name)) unused.push_back(layer.name);
  if (!unused.empty() && served.empty())
    return error("MO-CAFFE-0034",
                 "no layer with weights has the name of a layer of the topology; the weights are of '{}'",
                 fmt::format("{}", fmt::join(unused.begin(),
                                             unused.begin() +
                                                 static_cast<std::ptrdiff_t>(std::min<std::size_t>(unused.size(), 5)),
                                             "', '")))
        .hint("the two files belong to different models");
  if (!unused.empty()) {
    const std::size_t count = unused.size();
    unused.resize(std::min<std::size_t>(count, 5));
    sink.report(warning("MO-CAFFE-0030", "the weights of {} layer{} not used, the topology does not have them: '{}'{}",
                        count, count == 1 ? " are" : "s are", fmt::format("{}", fmt::join(unused, "', '")),
                        count > 5 ? " …" : "")
                    .hint("that is usual for layers that only training has"));
  }
  return graph;
}

bool is_prototxt(const std::string& path) {
  return path.ends_with(".prototxt") || path.ends_with(".pbtxt") || path.ends_with(".txt");
}

Expected<std::unique_ptr<Graph>> read(const ModelSource& model, const std::string& topology, DiagnosticSink& sink) {
  std::unique_ptr<WeightFile> weights;
  if (!model.weights.empty()) {
    auto opened = WeightFile::open(model.weights);
    if (!opened) return std::move(opened).error().in_file(model.weights);
    weights = *std::move(opened);
  }
  auto graph = [&]() -> Expected<std::unique_ptr<Graph>> {
    MO_ASSIGN(const std::string text, read_topology(topology));
    MO_ASSIGN(const TextMessage message, parse_prototxt(text));
    MO_ASSIGN(const Net net, read_net(message, sink));
    return build(net, model, weights.get(), true, sink);
  }();
  if (!graph) return std::move(graph).error().in_file(topology);
  return graph;
}

}  // namespace

Expected<std::string> read_topology(const std::string& path) {
  MO_ASSIGN(const FilePtr file, File::open(path));
  MO_ASSIGN(std::optional<frontends::NotBinaryModel> problem, frontends::why_not_binary_model(file));
  if (problem && problem->text == frontends::NotBinaryModel::Text::none) return std::move(problem->reason);
  if (file->size() > kTextLimit)
    return error("MO-IO-0026", "\"{}\" has {} bytes, too many for protobuf text", path, file->size())
        .hint("give the topology only; weights belong into a .caffemodel");
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  MO_TRY(file->read(0, std::as_writable_bytes(std::span(text))));
  return text;
}

Expected<std::string> find_topology(const std::string& weights) {
  const fs::path path(weights);
  std::error_code failure;
  fs::path same = path;
  same.replace_extension(".prototxt");
  if (fs::is_regular_file(same, failure)) return same.string();
  const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  std::vector<std::string> found;
  fs::directory_iterator entry(folder, failure);
  for (std::size_t looked = 0; !failure && entry != fs::directory_iterator() && looked < 100'000;
       entry.increment(failure), ++looked)
    if (entry->path().extension() == ".prototxt") found.push_back(entry->path().filename().string());
  std::sort(found.begin(), found.end());
  if (found.size() == 1) return (path.parent_path() / found.front()).string();
  if (found.empty())
    return error("MO-CAFFE-0020", "there is no prototxt beside \"{}\"", weights)
        .hint("give the topology with --input_proto");
  const std::size_t count = found.size();
  found.resize(std::min<std::size_t>(count, 5));
  return error("MO-CAFFE-0020", "there are {} prototxt files beside \"{}\": {}{}", count, weights,
               fmt::join(found, ", "), count > 5 ? ", …" : "")
      .hint("choose one with --input_proto");
}

Expected<std::unique_ptr<Graph>> read_model(const ModelSource& model, DiagnosticSink& sink) {
  if (!model.weights.empty() && is_prototxt(model.weights))
    return error("MO-CAFFE-0021", "\"{}\" is a topology, given as weights", model.weights)
        .hint("give it with --input_proto, and the .caffemodel with --input_model");
  std::string topology = model.topology;
  if (topology.empty()) { MO_ASSIGN(topology, find_topology(model.weights)); }
  return read(model, topology, sink);
}

Expected<std::unique_ptr<Graph>> read_net_text(std::string_view text, DiagnosticSink& sink) {
  MO_ASSIGN(const TextMessage message, parse_prototxt(text));
  MO_ASSIGN(const Net net, read_net(message, sink));
  return build(net, {}, nullptr, false, sink);
}

Expected<std::unique_ptr<Graph>> read_net_text(std::string_view text, std::string_view weights, DiagnosticSink& sink) {
  MO_ASSIGN(const TextMessage message, parse_prototxt(text));
  MO_ASSIGN(const Net net, read_net(message, sink));
  std::unique_ptr<WeightFile> file;
  if (!weights.empty()) { MO_ASSIGN(file, WeightFile::from_bytes(weights, "the weights in memory")); }
  return build(net, {}, file.get(), true, sink);
}

}  // namespace mo::caffe
