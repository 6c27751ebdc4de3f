#include "frontends/ir/reader.hpp"

#include <filesystem>

#include "frontends/ir/checksums.hpp"
#include "frontends/ir/graph_builder.hpp"

namespace mo::ir {
namespace {

constexpr int kMaxInfoDepth = 16;
/// More than any tool writes; what is beyond is left out (look-up in an AttributeMap is linear).
constexpr std::size_t kMaxInfoItems = 10000;

/// Elements with a value are texts, others records: <conversion_parameters><framework
/// value="onnx"/></conversion_parameters>. `items` counts what was read in all.
AttributeMap read_info(const pugi::xml_node& parent, int depth, std::size_t& items) {
  AttributeMap info;
  for (const pugi::xml_node& child : parent.children()) {
    if (child.type() != pugi::node_element) continue;
    if (++items > kMaxInfoItems) break;
    const bool named = std::string_view(child.name()) == "info" && child.attribute("name");
    const std::string key = named ? child.attribute("name").value() : child.name();
    if (const pugi::xml_attribute value = child.attribute("value"))
      info.set(key, std::string(value.value()));
    else if (depth < kMaxInfoDepth)
      info.set(key, read_info(child, depth + 1, items));
  }
  return info;
}

Expected<pugi::xml_node> find_net(const pugi::xml_document& document) {
  const pugi::xml_node net = document.document_element();
  if (!equal_ignoring_case(net.name(), "net"))
    return error("MO-IR-0001", "the root element is <{}>, not <net>", shortened(net.name()))
        .hint("give the .xml of an IR");
  return net;
}

}  // namespace

Expected<std::unique_ptr<Graph>> read_ir(const std::string& xml_path, const std::string& bin_path,
                                         const OpRegistry& registry, DiagnosticSink& sink, const ReadOptions& options) {
  MO_ASSIGN(const std::unique_ptr<Document> document, load_document(xml_path));
  const auto read = [&]() -> Expected<std::unique_ptr<Graph>> {
    MO_ASSIGN(const pugi::xml_node net, find_net(document->xml));
    MO_TRY(check_attributes(net));
    MO_ASSIGN(const std::int64_t version, required_integer(net, "version"));
    if (version != 10 && version != 11)
      return error("MO-IR-0001", "IR version {} is not read, only 10 and 11", version)
          .hint("convert the original model again");
    const std::string beside = std::filesystem::path(xml_path).replace_extension(".bin").string();
    const std::string& weights = bin_path.empty() ? beside : bin_path;
    if (options.check_weights) MO_TRY(check_checksums(*document, net, weights));
    auto graph = std::make_unique<Graph>();
    graph->name = net.attribute("name").value();
    GraphBuilder builder(registry, weights, static_cast<int>(version), options.carries_unknown_ops, sink);
    auto built = builder.build(net, *graph);
    builder.report_more_warnings();
    if (!built) return std::move(built).error();
    MO_TRY(builder.check_ops());
    graph->properties.set("ir_version", version);
    std::size_t items = 0;
    for (const char* key : {"rt_info", "meta_data"})
      if (const pugi::xml_node info = net.child(key)) graph->properties.set(key, read_info(info, 0, items));
    return graph;
  };
  auto graph = read();
  if (!graph) return std::move(graph).error().in_file(xml_path);
  return graph;
}

}  // namespace mo::ir
