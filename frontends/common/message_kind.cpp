#include "frontends/common/message_kind.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace mo::frontends {
namespace {

/// Fields that are looked at: the large messages repeat their first field for each node.
constexpr std::size_t kLookedAt = 64;
constexpr std::uint64_t kNameLength = 4096;

/// The fields of one message that tell what it is: numbers (below 128) by wire type, and the first payload of numbers 1
/// and 2.
struct Sketch {
  std::array<std::uint64_t, 2> varints{};
  std::array<std::uint64_t, 2> bytes{};
  std::array<std::uint64_t, 2> others{};
  WireField first;   ///< the first field 1
  WireField second;  ///< the first field 2
  std::size_t seconds = 0;
  bool damaged = false;

  static bool test(const std::array<std::uint64_t, 2>& set, std::uint32_t number) {
    return (set[number / 64] >> (number % 64) & 1U) != 0;
  }
  bool has_bytes(std::uint32_t number) const { return test(bytes, number); }
  bool has_varint(std::uint32_t number) const { return test(varints, number); }
  bool has(std::uint32_t number) const { return has_bytes(number) || has_varint(number) || test(others, number); }
};

Sketch sketch_of(WireReader reader) {
  Sketch sketch;
  WireField field;
  for (std::size_t count = 0; count < kLookedAt; ++count) {
    auto more = reader.next(field);
    if (!more) sketch.damaged = true;
    if (!more || !*more) break;
    if (field.number >= 128) continue;
    auto& set = field.type == WireType::varint  ? sketch.varints
                : field.type == WireType::bytes ? sketch.bytes
                                                : sketch.others;
    set[field.number / 64] |= std::uint64_t{1} << (field.number % 64);
    if (field.number == 1 && sketch.first.number == 0) sketch.first = field;
    if (field.number == 2 && sketch.seconds++ == 0) sketch.second = field;
  }
  return sketch;
}

Sketch sketch_of(WireSource& source, const WireField& message) {
  return sketch_of(WireReader(source, message.offset, message.size));
}

/// Printable text without line ends: what names of nodes and ops are.
bool is_name(WireSource& source, const WireField& field) {
  if (field.type != WireType::bytes || field.size == 0 || field.size > kNameLength) return false;
  const auto text = short_text_of(source, field);
  return text && std::ranges::all_of(*text, [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; });
}

/// A NodeDef: name and op are text. (The head of a MetaGraphDef has the same numbers; its 2 is a message of ops.)
bool holds_node(WireSource& source, const WireField& message) {
  if (message.type != WireType::bytes) return false;
  const Sketch node = sketch_of(source, message);
  return !node.damaged && is_name(source, node.first) && is_name(source, node.second) && !node.has_varint(5);
}

/// A GraphDef: its first node is one.
bool is_graph(WireSource& source, const WireField& message) {
  if (message.type != WireType::bytes) return false;
  return holds_node(source, sketch_of(source, message).first);
}

/// A Paddle ProgramDesc: its first block has number 0 and, being the outermost, no parent.
bool is_paddle(WireSource& source, const WireField& message) {
  if (message.type != WireType::bytes) return false;
  const Sketch block = sketch_of(source, message);
  return block.first.type == WireType::varint && block.first.value == 0 && block.has_varint(1) && block.has_varint(2) &&
         block.has_bytes(3);
}

/// ModelProto: a version and a graph or imports of op sets.
bool is_onnx(const Sketch& top) { return top.has_varint(1) && top.has_bytes(7) && !top.has_varint(2); }

/// NetParameter: layers of the current form (100), or of the V1 form, which are several messages 2 that are no graphs.
bool is_caffe(WireSource& source, const Sketch& top) {
  if (top.has_bytes(100)) return true;
  if (!top.has_bytes(2) || (top.first.number != 0 && !is_name(source, top.first))) return false;
  const Sketch layer = sketch_of(source, top.second);
  return !layer.damaged && (layer.has_varint(5) || layer.has_bytes(1)) &&
         (layer.has_bytes(3) || layer.has_bytes(4) || layer.has_bytes(6));
}

}  // namespace

ModelKind kind_of_message(WireSource& source) {
  const Sketch top = sketch_of(WireReader(source));
  if (top.damaged) return ModelKind::unknown;
  if (is_onnx(top)) return ModelKind::onnx;
  if (holds_node(source, top.first)) return ModelKind::tensorflow_graph;
  if (is_paddle(source, top.first)) return ModelKind::paddle;
  if (top.seconds == 1 && is_graph(source, top.second)) return ModelKind::tensorflow_meta_graph;
  if (top.has_varint(1) && top.has_bytes(2)) {
    if (is_graph(source, sketch_of(source, top.second).second)) return ModelKind::saved_model;
    if (is_name(source, top.second) && top.has_bytes(3)) return ModelKind::caffe_solver_state;
    // Core ML's Model: a version, a description, and the message of its kind of model, numbered from 200 on.
    if (sketch_of(source, top.second).has_bytes(1) && !top.has(7) && !top.has(8)) return ModelKind::coreml;
  }
  // TensorProto and BlobProto begin with numbers: dimensions and type, or the four old dimensions.
  if (top.has_varint(2) && top.has_bytes(9) && !top.has(3)) return ModelKind::onnx_tensor;
  if (top.has_varint(1) && top.has_varint(2) && top.has_varint(3) && top.has_varint(4) && top.has(5))
    return ModelKind::caffe_mean_image;
  return is_caffe(source, top) ? ModelKind::caffe_weights : ModelKind::unknown;
}

}  // namespace mo::frontends
