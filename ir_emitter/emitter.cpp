#include "ir_emitter/emitter.hpp"

#include <algorithm>
#include <filesystem>

#include "core/files/output_set.hpp"
#include "core/op/runtimes.hpp"
#include "core/support/progress.hpp"
#include "ir_emitter/layer_writer.hpp"
#include "ir_emitter/meta_data.hpp"
#include "ir_emitter/text.hpp"

namespace mo::ir_emitter {
namespace {

/// Readers recognise a net by its first 512 bytes, which must hold the whole start tag.
constexpr std::size_t kMaxStartTag = 440;

template <class Fn>
void for_each_plan(Plan& plan, Fn&& fn) {  // depth: kMaxBodyDepth
  fn(plan);
  for (auto& [layer, bodies] : plan.bodies)
    for (Plan& body : bodies) for_each_plan(body, fn);
}

template <class Fn>
void for_each_constant(Plan& plan, Fn&& fn) {
  for_each_plan(plan, [&](Plan& part) {
    for (const Node& node : part.layers)
      if (const Const* constant = node.as<Const>()) fn(part, node, constant->value);
  });
}

/// Adds the files that constants refer to.
void add_sources(Plan& plan, InputFiles& inputs) {
  const File* last = nullptr;
  for_each_constant(plan, [&](Plan&, const Node&, const Tensor& value) {
    const FileRange* range = value.buffer()->file_range();
    if (range && range->file.get() != last) inputs.add(*range->file);  // usually all of one file
    if (range) last = range->file.get();
  });
}

/// Tells the weights which constants come, and how many bytes that is.
std::uint64_t announce_constants(Plan& plan, WeightsWriter& weights) {
  std::uint64_t bytes = 0;
  for_each_constant(plan, [&](Plan&, const Node&, const Tensor& value) {
    weights.announce(value);
    bytes += value.byte_size();
  });
  return bytes;
}

/// The file that may become the .bin as it is: all constants are stretches of it, and beside them it holds nothing but
/// padding. Null: there is none.
FilePtr packed_file(Plan& plan, bool low_nibble_first) {
  FilePtr file;
  bool fits = true;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> stretches;  // begin, end
  for_each_constant(plan, [&](Plan&, const Node&, const Tensor& value) {
    const FileRange* range = value.buffer()->file_range();
    if (value.byte_size() == 0 || !fits) return;
    fits = range && (!file || range->file == file) && (low_nibble_first || !has_nibbles(value.element_type()));
    if (!fits) return;
    file = range->file;
    const std::uint64_t begin = range->offset + value.offset();
    stretches.emplace_back(begin, begin + value.byte_size());
  });
  if (!fits || !file) return nullptr;
  std::sort(stretches.begin(), stretches.end());
  std::uint64_t end = 0;
  for (const auto& [first, last] : stretches) {
    if (first > end && first - end >= kAlignment) return nullptr;
    end = std::max(end, last);
  }
  return file->size() - end < kAlignment ? file : nullptr;
}

/// How much of the work of writing is that of `bytes` of constants; a layer takes about as long as so many of them.
double share_of_constants(std::uint64_t bytes, std::size_t layers) {
  constexpr double kBytesOfLayer = 16384;
  return static_cast<double>(bytes) / (static_cast<double>(bytes) + kBytesOfLayer * static_cast<double>(layers) + 1);
}

Expected<void> write_constants(Plan& plan, std::uint64_t bytes, const EmitOptions& options, WeightsWriter& weights,
                               EmitReport& report) {
  std::uint64_t written = 0;
  Expected<void> done;
  for_each_constant(plan, [&](Plan& part, const Node& node, const Tensor& value) {
    if (!done) return;
    auto blob = weights.place(value, [&node](Error error) { return node.describe(std::move(error)); });
    if (!blob) {
      done = node.describe(std::move(blob).error());
      return;
    }
    part.blobs.push_back(*blob);
    if (options.constant_written) options.constant_written(node, blob->offset, blob->size);
    ++report.constants;
    progress::tell(written += value.byte_size(), bytes);
    if (has_nibbles(value.element_type())) ++report.four_bit_constants;
  });
  MO_TRY(std::move(done));
  report.shared_constants = weights.shared();
  report.recipes = weights.recipes();
  return {};
}

/// The start of the net, its name cut short where it would push the tag out of what readers look at.
void write_start_tag(XmlStream& out, const std::string& model_name, int ir_version) {
  std::string name = xml_safe(std::string_view(model_name).substr(0, kMaxStartTag));
  while (true) {
    std::size_t escaped = 0;
    for (const char c : name) escaped += c == '&' || c == '<' || c == '>' || c == '"' || c == '\'' ? 6 : 1;
    if (escaped <= kMaxStartTag) break;
    do name.pop_back();
    while (!name.empty() && (static_cast<unsigned char>(name.back()) & 0xC0U) == 0x80U);
    // a lead byte that lost its followers
    if (!name.empty() && static_cast<unsigned char>(name.back()) >= 0x80U) name.pop_back();
  }
  XmlText net;
  net.clear(0);
  net.start("net");
  net.attribute("name", name);
  net.attribute("version", std::int64_t{ir_version});
  net.end_start_tag();
  out.write(net);
}

Expected<void> write_xml(OutputFile& file, const Plan& plan, const EmitOptions& options, std::uint64_t bin_hash) {
  XmlStream xml(file);
  xml.line(0, "<?xml version=\"1.0\"?>");
  write_start_tag(xml, options.model_name.empty() ? plan.graph->name : options.model_name, options.ir_version);
  LayerWriter layers(xml, options);
  MO_TRY(layers.write_graph(plan, 1));
  MO_TRY(xml.status());
  MO_ASSIGN(const std::uint64_t xml_hash, file.hash());
  AttributeMap info = options.rt_info;
  info.set("checksums", AttributeMap{{"bin_xxh64", hash_text(bin_hash)}, {"xml_xxh64", hash_text(xml_hash)}});
  MO_TRY(write_meta_data(xml, info, options.ir_version, 1));
  xml.line(0, "</net>");
  return xml.status();
}

/// Where the two files go.
Expected<std::unique_ptr<OutputSet>> make_outputs(const EmitOptions& options, const InputFiles& inputs) {
  const std::filesystem::path xml(options.xml_path);
  const std::filesystem::path bin = std::filesystem::path(xml).replace_extension(".bin");
  if (options.ir_version != 10 && options.ir_version != 11)
    return error("MO-EMIT-0011", "IR version {} is not known", options.ir_version)
        .hint("10 for runtimes before {}, else 11", first_release::reading_version_11);
  if (xml == bin)
    return error("MO-EMIT-0012", "the .xml and the .bin would be the same file \"{}\"", bin.string())
        .hint("choose another --model_name");
  const std::vector<std::string> names = {bin.filename().string(), xml.filename().string()};
  if (options.in_memory) return OutputSet::in_memory(names);
  return OutputSet::create(xml.parent_path().string(), xml.stem().string(), names,
                           {.inputs = &inputs, .durable = options.durable});
}

}  // namespace

Expected<EmitReport> emit(const Graph& graph, const EmitOptions& options) {
  MO_ASSIGN(Plan plan, make_plan(graph, options.ir_version, options.as_read));
  InputFiles inputs = options.inputs ? *options.inputs : InputFiles();
  add_sources(plan, inputs);
  MO_ASSIGN(const std::unique_ptr<OutputSet> outputs, make_outputs(options, inputs));

  EmitReport report;
  for_each_plan(plan, [&](Plan& part) { report.layers += part.layers.size(); });
  MO_ASSIGN(OutputFile* const bin, outputs->open(0));
  bin->keep_hash();
  WeightsWriter weights(*bin, options.low_nibble_first);
  const std::uint64_t bytes = announce_constants(plan, weights);
  const double share = share_of_constants(bytes, report.layers);
  {
    const progress::Part part(0, share);
    const FilePtr packed = options.as_read ? packed_file(plan, options.low_nibble_first) : nullptr;
    if (packed) {
      MO_TRY(weights.keep(*packed));
    } else {
      weights.reserve();
    }
    MO_TRY(write_constants(plan, bytes, options, weights, report));
  }
  // 2021.4 refuses an empty file as soon as there is a Const, even one without elements.
  if (report.constants > 0 && bin->size() == 0) MO_TRY(bin->write(std::array{std::byte{0}}));
  report.bin_bytes = bin->size();
  MO_ASSIGN(const std::uint64_t bin_hash, bin->hash());
  MO_TRY(bin->close());
  const progress::Part part(share, 1);
  MO_ASSIGN(OutputFile* const xml, outputs->open(1));
  xml->keep_hash();
  MO_TRY(write_xml(*xml, plan, options, bin_hash));
  report.xml_bytes = xml->size();
  MO_TRY(xml->close());
  MO_TRY(outputs->commit());
  report.xml = xml->memory();
  report.bin = bin->memory();
  return report;
}

}  // namespace mo::ir_emitter
