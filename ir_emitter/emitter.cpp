#include "ir_emitter/emitter.hpp"

#include <filesystem>

#include "ir_emitter/layer_writer.hpp"
#include "ir_emitter/meta_data.hpp"
#include "ir_emitter/text.hpp"

namespace mo::ir_emitter {
namespace {

/// Readers recognise a net by its first 512 bytes, which must hold the whole start tag.
constexpr std::size_t kMaxStartTag = 440;

std::string bin_path_of(const EmitOptions& options) {
  return options.bin_path.empty() ? std::filesystem::path(options.xml_path).replace_extension(".bin").string() : options.bin_path;
}

template <class Fn>
void for_each_plan(Plan& plan, Fn&& fn) {  // depth: kMaxBodyDepth
  fn(plan);
  for (auto& [layer, bodies] : plan.bodies)
    for (Plan& body : bodies) for_each_plan(body, fn);
}

template <class Fn>
Expected<void> for_each_constant(Plan& plan, Fn&& fn) {
  Expected<void> result;
  for_each_plan(plan, [&](Plan& part) {
    for (const Node& node : part.layers)
      if (const Const* constant = node.as<Const>(); constant && result) result = fn(part, node, constant->value);
  });
  return result;
}

Expected<void> check_outputs(Plan& plan, const EmitOptions& options, const std::string& bin_path) {
  if (options.ir_version != 10 && options.ir_version != 11)
    return error("MO-EMIT-0011", "IR version {} is not known", options.ir_version).hint("10 for runtimes before 2022.1, else 11");
  if (std::filesystem::path(options.xml_path).lexically_normal() == std::filesystem::path(bin_path).lexically_normal())
    return error("MO-EMIT-0012", "the .xml and the .bin would be the same file \"{}\"", bin_path).hint("choose another --model_name");
  std::vector<FileIdentity> inputs;
  for (const std::string& path : options.input_files) add_identity(inputs, path);
  const File* last = nullptr;
  MO_TRY(for_each_constant(plan, [&](Plan&, const Node&, const Tensor& value) -> Expected<void> {
    const FileRange* range = value.buffer()->file_range();
    if (!range || range->file.get() == last) return {};  // usually all of one file
    last = range->file.get();
    for (const FileIdentity& known : inputs)
      if (known.device == last->device() && known.inode == last->inode()) return {};
    inputs.push_back({last->device(), last->inode(), last->path()});
    return {};
  }));
  MO_TRY(check_not_an_input(options.xml_path, inputs));
  return check_not_an_input(bin_path, inputs);
}

Expected<void> write_constants(Plan& plan, WeightsWriter& weights, EmitReport& report) {
  MO_TRY(for_each_constant(plan, [&](Plan&, const Node&, const Tensor& value) -> Expected<void> {
    weights.announce(value);
    return {};
  }));
  weights.reserve();
  MO_TRY(for_each_constant(plan, [&](Plan& part, const Node& node, const Tensor& value) -> Expected<void> {
    auto blob = weights.place(value);
    if (!blob) return node.describe(std::move(blob).error());
    part.blobs.push_back(*blob);
    ++report.constants;
    if (has_nibbles(value.element_type())) ++report.four_bit_constants;
    return {};
  }));
  report.shared_constants = weights.shared();
  report.recipes = weights.recipes();
  return {};
}

/// The start of the net, its name cut short where it would push the tag out of what readers look at.
void write_start_tag(XmlStream& xml, const std::string& model_name, int ir_version) {
  std::string name = xml_safe(std::string_view(model_name).substr(0, kMaxStartTag));
  while (true) {
    pugi::xml_document document;
    pugi::xml_node net = document.append_child("net");
    net.append_attribute("name").set_value(name.c_str());
    net.append_attribute("version").set_value(ir_version);
    std::size_t escaped = 0;
    for (const char c : name) escaped += c == '&' || c == '<' || c == '>' || c == '"' || c == '\'' ? 6 : 1;
    if (escaped <= kMaxStartTag) return xml.start_tag(0, net);
    do name.pop_back();
    while (!name.empty() && (static_cast<unsigned char>(name.back()) & 0xC0U) == 0x80U);
    if (!name.empty() && static_cast<unsigned char>(name.back()) >= 0x80U) name.pop_back();  // a lead byte that lost its followers
  }
}

Expected<void> write_xml(OutputFile& file, const Plan& plan, const EmitOptions& options) {
  XmlStream xml(file);
  xml.line(0, "<?xml version=\"1.0\"?>");
  write_start_tag(xml, options.model_name.empty() ? plan.graph->name : options.model_name, options.ir_version);
  LayerWriter layers(xml, options);
  MO_TRY(layers.write_graph(plan, 1));
  MO_TRY(write_meta_data(xml, options.rt_info, options.ir_version, 1));
  xml.line(0, "</net>");
  return xml.status();
}

}  // namespace

Expected<EmitReport> emit(const Graph& graph, const EmitOptions& options) {
  const std::string bin_path = bin_path_of(options);
  MO_ASSIGN(Plan plan, make_plan(graph, options.ir_version));
  MO_TRY(check_outputs(plan, options, bin_path));

  EmitReport report;
  for_each_plan(plan, [&](Plan& part) { report.layers += part.layers.size(); });
  MO_ASSIGN(const std::unique_ptr<OutputFile> bin, OutputFile::create(bin_path));
  MO_ASSIGN(const std::unique_ptr<OutputFile> xml, OutputFile::create(options.xml_path));
  WeightsWriter weights(*bin, options.low_nibble_first);
  MO_TRY(write_constants(plan, weights, report));
  // 2021.4 refuses an empty file as soon as there is a Const, even one without elements.
  if (report.constants > 0 && bin->size() == 0) MO_TRY(bin->write(std::array{std::byte{0}}));
  report.bin_bytes = bin->size();
  MO_TRY(bin->close());
  MO_TRY(write_xml(*xml, plan, options));
  report.xml_bytes = xml->size();
  MO_TRY(xml->close());

  // Whoever waits for the .xml finds the .bin that belongs to it.
  MO_TRY(bin->commit());
  if (auto done = xml->commit(); !done) {
    std::error_code ignored;
    std::filesystem::remove(bin_path, ignored);
    return std::move(done).error();
  }
  return report;
}

}  // namespace mo::ir_emitter
