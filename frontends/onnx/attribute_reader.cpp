#include <algorithm>
#include <bit>
#include <optional>

#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/graph_reader.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;

namespace {

/// AttributeProto.AttributeType -> the field that holds the value; 0 for UNDEFINED.
constexpr std::uint32_t kFieldOfKind[] = {0,
                                          attribute_field::kFloat,
                                          attribute_field::kInt,
                                          attribute_field::kString,
                                          attribute_field::kTensor,
                                          attribute_field::kGraph,
                                          attribute_field::kFloats,
                                          attribute_field::kInts,
                                          attribute_field::kStrings,
                                          attribute_field::kTensors,
                                          attribute_field::kGraphs,
                                          attribute_field::kSparse,
                                          attribute_field::kSparses,
                                          attribute_field::kType,
                                          attribute_field::kTypes};
constexpr std::string_view kKindNames[] = {
    "UNDEFINED", "FLOAT",   "INT",    "STRING",        "TENSOR",         "GRAPH",      "FLOATS",     "INTS",
    "STRINGS",   "TENSORS", "GRAPHS", "SPARSE_TENSOR", "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};

}  // namespace

/// An AttributeProto before its kind is known for sure.
struct GraphReader::AttributeReader::Raw {
  std::string name;
  std::string reference;
  std::int64_t kind = 0;
  std::uint32_t present = 0;  ///< bit n: field n has a value
  double real = 0;
  std::int64_t integer = 0;
  std::vector<double> reals;
  std::vector<std::int64_t> integers;
  /// strings, tensors, graphs, types: the payload of `present` fields in order
  std::vector<WireField> messages;

  Expected<void> check_length(std::size_t length) const {
    if (length < limits::kListLength) return {};
    return error("MO-ONNX-0019", "attribute '{}' has more than {} elements", name, limits::kListLength)
        .hint("store large data in a tensor");
  }
};

Expected<void> GraphReader::AttributeReader::read(const WireField& message) {
  frontends::WireSource& source = graph_.model_.source;
  Raw raw;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case attribute_field::kName:
      case attribute_field::kReferenceName: {
        MO_ASSIGN(const std::string_view text, short_text_of(source, field));
        (field.number == attribute_field::kName ? raw.name : raw.reference) = text;
        return {};
      }
      case attribute_field::kKind: {
        MO_ASSIGN(raw.kind, integer_of(field));
        return {};
      }
      case attribute_field::kFloat: {
        MO_ASSIGN(const float narrow, float_of(field));
        raw.real = frontends::as_written(narrow);
        break;
      }
      case attribute_field::kInt: {
        MO_ASSIGN(raw.integer, integer_of(field));
        break;
      }
      case attribute_field::kFloats:
        MO_TRY(frontends::each_fixed<float>(source, field, [&](float v) -> Expected<void> {
          MO_TRY(raw.check_length(raw.reals.size()));
          raw.reals.push_back(frontends::as_written(v));
          return {};
        }));
        break;
      case attribute_field::kInts:
        MO_TRY(frontends::each_varint(source, field, [&](std::uint64_t v) -> Expected<void> {
          MO_TRY(raw.check_length(raw.integers.size()));
          raw.integers.push_back(static_cast<std::int64_t>(v));
          return {};
        }));
        break;
      case attribute_field::kString:
      case attribute_field::kTensor:
      case attribute_field::kGraph:
      case attribute_field::kStrings:
      case attribute_field::kTensors:
      case attribute_field::kGraphs:
      case attribute_field::kType:
      case attribute_field::kTypes:
      case attribute_field::kSparse:
      case attribute_field::kSparses:
        MO_TRY(raw.check_length(raw.messages.size()));
        if (field.type != frontends::WireType::bytes) return wrong_wire_type(field, "bytes");
        raw.messages.push_back(field);
        break;
      default: return {};
    }
    raw.present |= 1U << field.number;
    return {};
  }));

  if (raw.name.empty())
    return error("MO-ONNX-0020", "an attribute has no name")
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  if (raw.name.front() == '@')
    return error("MO-ONNX-0020", "invalid attribute name '{}'", raw.name).hint("names of attributes are identifiers");
  if (attributes.contains(raw.name))
    return error("MO-ONNX-0020", "duplicate attribute '{}'", raw.name)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  if (attributes.size() == limits::kAttributes)
    return error("MO-ONNX-0019", "a node has more than {} attributes", limits::kAttributes)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  if (!raw.reference.empty()) {
    if (!graph_.scope_.in_function)
      return error("MO-ONNX-0022", "attribute '{}' refers to attribute '{}' of a function, but is in no function",
                   raw.name, raw.reference)
          .hint("export the model again; onnx.checker finds such errors");
    if (raw.kind == 5 || raw.kind == 10)
      return error("MO-ONNX-0045", "attribute '{}' is a graph that is given to a function", raw.name)
          .hint("export the model without functions");
    attributes.set(raw.name, AttributeMap{{std::string(kReference), raw.reference}});
    return {};
  }
  auto value = value_of(raw);
  if (!value) {
    for (Diagnostic& d : value.error().items()) d.notes.push_back(fmt::format("in attribute '{}'", raw.name));
    return std::move(value).error();
  }
  attributes.set(raw.name, *std::move(value));
  return {};
}

Expected<AttributeValue> GraphReader::AttributeReader::value_of(Raw& raw) {
  ModelState& model = graph_.model_;
  if (raw.kind < 0 || raw.kind >= static_cast<std::int64_t>(std::size(kFieldOfKind)))
    return error("MO-ONNX-0021", "attribute '{}' has type {}, which does not exist", raw.name, raw.kind)
        .hint("the model is newer than this program, or corrupt: update mo, or compare the checksum of the file");
  std::uint32_t field = kFieldOfKind[raw.kind];
  if (raw.kind == 0) {
    // IR versions 1 and 2 need not say the type: the value that is there tells.
    if (std::popcount(raw.present) != 1)
      return error("MO-ONNX-0021", "attribute '{}' has no type and {} values", raw.name, std::popcount(raw.present))
          .hint("export the model again; onnx.checker finds such errors");
    field = static_cast<std::uint32_t>(std::countr_zero(raw.present));
  }
  if ((raw.present & ~(1U << field)) != 0)
    return error("MO-ONNX-0021", "attribute '{}' of type {} has a value of another type", raw.name,
                 kKindNames[raw.kind])
        .hint("export the model again; onnx.checker finds such errors");
  const bool is_message = field != attribute_field::kFloat && field != attribute_field::kInt &&
                          field != attribute_field::kString && field != attribute_field::kFloats &&
                          field != attribute_field::kInts && field != attribute_field::kStrings;
  const bool is_single = field == attribute_field::kTensor || field == attribute_field::kGraph ||
                         field == attribute_field::kType || field == attribute_field::kSparse;
  if (is_message && is_single && raw.messages.size() != 1)
    return error("MO-ONNX-0021", "attribute '{}' of type {} has {} values", raw.name, kKindNames[raw.kind],
                 raw.messages.size())
        .hint("export the model again; onnx.checker finds such errors");

  AttributeList list;
  std::vector<std::string> strings;
  switch (field) {
    case attribute_field::kFloat: return AttributeValue(raw.real);
    case attribute_field::kInt: return AttributeValue(raw.integer);
    case attribute_field::kFloats: return AttributeValue(std::move(raw.reals));
    case attribute_field::kInts: return AttributeValue(std::move(raw.integers));
    default: break;
  }
  for (const WireField& message : raw.messages) {
    switch (field) {
      case attribute_field::kString:
      case attribute_field::kStrings: {
        MO_ASSIGN(std::string text, text_of(model.source, message));
        strings.push_back(std::move(text));
        break;
      }
      case attribute_field::kTensor:
      case attribute_field::kTensors: {
        MO_ASSIGN(NamedTensor tensor, model.tensors.read(message));
        list.emplace_back(std::move(tensor.tensor));
        break;
      }
      case attribute_field::kSparse:
      case attribute_field::kSparses: {
        MO_ASSIGN(NamedTensor tensor, model.tensors.read_sparse(message));
        list.emplace_back(std::move(tensor.tensor));
        break;
      }
      case attribute_field::kType:
      case attribute_field::kTypes: {
        MO_ASSIGN(AttributeMap record, read_type_record(model, message));
        list.emplace_back(std::move(record));
        break;
      }
      default: {
        MO_ASSIGN(AttributeValue body, read_body(message));
        list.push_back(std::move(body));
        break;
      }
    }
  }
  if (field == attribute_field::kStrings) return AttributeValue(std::move(strings));
  if (field == attribute_field::kString)
    return AttributeValue(strings.empty() ? std::string() : std::move(strings.back()));
  if (is_single) return std::move(list.front());
  return AttributeValue(std::move(list));
}

Expected<AttributeValue> GraphReader::AttributeReader::read_body(const WireField& message) {
  const Scope& outer = graph_.scope_;
  if (outer.depth >= limits::kDepth)
    return error("MO-ONNX-0017", "graphs are nested more than {} deep", limits::kDepth)
        .hint("the file is corrupt or crafted to exhaust parsers: compare its checksum");
  GraphReader reader(graph_.model_, Scope{outer.imports, outer.in_function, outer.depth + 1});
  MO_TRY(reader.read_body(message));
  for (const std::string& name : reader.captures()) {
    const NameId tensor = graph_.graph_->names().intern(name);
    if (graph_.captured_.insert(tensor.index).second) graph_.captured_inputs_.push_back(tensor);
  }
  return AttributeValue(Body(reader.take_graph()));
}

}  // namespace mo::onnx
