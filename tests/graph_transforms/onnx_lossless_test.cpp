#include <map>

#include "frontends/common/encoding.hpp"
#include "frontends/common/field_record.hpp"
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "frontends/onnx/model_reader.hpp"
#include "tests/graph_transforms/transformed.hpp"

// What an ONNX model says is what is written, whether we know it or not.
namespace mo::graph_transforms::testing {
namespace {

using frontends::Encoding;
using frontends::WireField;
using frontends::WireSource;

/// The messages in each message of the format, by the numbers of their fields.
const std::map<std::string_view, std::map<std::uint32_t, std::string_view>> kMessagesIn = {
    {"Model", {{7, "Graph"}, {8, "Opset"}, {14, "Entry"}, {20, "Training"}, {25, "Function"}}},
    {"Training", {{1, "Graph"}, {2, "Graph"}, {3, "Entry"}, {4, "Entry"}}},
    {"Graph",
     {{1, "Node"},
      {5, "Tensor"},
      {11, "Value"},
      {12, "Value"},
      {13, "Value"},
      {14, "Annotation"},
      {15, "Sparse"},
      {16, "Entry"}}},
    {"Node", {{5, "Attribute"}, {9, "Entry"}}},
    {"Function", {{7, "Node"}, {9, "Opset"}, {11, "Attribute"}, {12, "Value"}, {14, "Entry"}}},
    {"Attribute",
     {{5, "Tensor"},
      {6, "Graph"},
      {10, "Tensor"},
      {11, "Graph"},
      {14, "Type"},
      {15, "Type"},
      {22, "Sparse"},
      {23, "Sparse"}}},
    {"Tensor", {{3, "Segment"}, {13, "Entry"}, {16, "Entry"}}},
    {"Sparse", {{1, "Tensor"}, {2, "Tensor"}}},
    {"Value", {{2, "Type"}, {4, "Entry"}}},
    {"Type", {{1, "TensorType"}, {4, "Element"}, {5, "Map"}, {8, "TensorType"}, {9, "Element"}}},
    {"Element", {{1, "Type"}}},
    {"Map", {{2, "Type"}}},
    {"TensorType", {{2, "Shape"}}},
    {"Shape", {{1, "Dimension"}}},
    {"Annotation", {{2, "Entry"}}}};

/// The message with fields of every kind that no version of the format has, in it and in all messages inside.
Encoding with_unknown_fields(WireSource& source, const WireField& message, std::string_view kind) {
  Encoding made;
  frontends::WireReader reader = *message_of(source, message);
  const auto inner = kMessagesIn.find(kind);
  const auto done = reader.each([&](const WireField& field) -> Expected<void> {
    if (inner != kMessagesIn.end() && inner->second.contains(field.number)) {
      made.message(field.number, with_unknown_fields(source, field, inner->second.at(field.number)));
    } else {
      MO_ASSIGN(const AttributeValue record, record_of(source, field));
      encode_record(record, made);
    }
    return {};
  });
  EXPECT_TRUE(done);
  made.integer(900, -3);
  made.bytes(901, kind);
  made.real(902, 1.5F);
  const double number = 2.5;
  made.tag(903, frontends::WireType::fixed64);
  made.fixed(&number, sizeof number);
  made.tag(904, frontends::WireType::group);
  made.integer(1, 5);
  made.tag(904, static_cast<frontends::WireType>(4));
  return made;
}

const std::string kEverything = R"(
ir_version: 10 producer_name: 'p' producer_version: '1' domain: 'd' model_version: 3 doc_string: 'model'
opset_import { domain: '' version: 21 } opset_import { domain: 'own' version: 1 }
metadata_props { key: 'k' value: 'v' }
training_info { initialization { name: 'i' } update_binding { key: 'a' value: 'b' } }
functions { name: 'F' domain: 'own' overload: 'o' input: 'a' output: 'b' attribute: 'alpha'
  attribute_proto { name: 'beta' type: FLOAT f: 0.1 }
  opset_import { version: 21 }
  node { op_type: 'LeakyRelu' input: 'a' output: 'b' attribute { name: 'alpha' type: FLOAT ref_attr_name: 'alpha' } }
  doc_string: 'function' }
graph {
  name: 'g' doc_string: 'graph'
  metadata_props { key: 'k' value: 'v' }
  quantization_annotation { tensor_name: 'x' quant_parameter_tensor_names { key: 'SCALE_TENSOR' value: 'w' } }
  input { name: 'x' doc_string: 'input' type { tensor_type { elem_type: 1 shape { dim { dim_param: 'N' denotation: 'B' }
                                                                              dim { dim_value: 2 } } }
                                            denotation: 'IMAGE' } metadata_props { key: 'k' value: 'v' } }
  input { name: 'w' type { tensor_type { elem_type: 1 } } }
  input { name: 'list' type { sequence_type { elem_type { tensor_type { elem_type: 7 shape {} } } } } }
  input { name: 'maybe' type { optional_type { elem_type { map_type { key_type: 7 value_type {
    sparse_tensor_type { elem_type: 1 } } } } } } }
  output { name: 'y' }
  value_info { name: 'a' type { tensor_type { elem_type: 1 } } doc_string: 'inner' }
  value_info { name: 'gone' type { tensor_type { elem_type: 1 } } }
  value_info { name: 'y' }
  initializer { name: 'w' data_type: 1 dims: 2 float_data: 1 float_data: 2 doc_string: 'weights'
                metadata_props { key: 'k' value: 'v' } }
  initializer { name: 'f8' data_type: 17 dims: 2 raw_data: '\001\002' }
  initializer { name: 'text' data_type: 8 dims: 1 string_data: '\377' }
  sparse_initializer { values { name: 's' data_type: 1 dims: 1 float_data: 1 }
                       indices { data_type: 7 dims: 1 int64_data: 1 } dims: 3 }
  node { op_type: 'Add' domain: 'ai.onnx' input: 'x' input: 'w' output: 'a' doc_string: 'node'
         metadata_props { key: 'k' value: 'v' } }
  node { op_type: 'Constant' name: '' output: 'c' attribute { name: 'value_ints' type: INTS doc_string: 'one' } }
  node { op_type: 'F' domain: 'own' overload: 'o' input: 'a' input: '' output: '' output: 'b' output: ''
         attribute { name: 'old' i: 1 } attribute { name: 'nothing' } attribute { name: 'zero' type: FLOAT }
         attribute { name: 'both' type: INT i: 1 f: 2 }
         attribute { name: 'ints' type: INTS ints: 1 ints: -1 } attribute { name: 'strings' type: STRINGS strings: '' }
         attribute { name: 't' type: TENSOR t { data_type: 14 dims: 1 float_data: [1, 2] } }
         attribute { name: 'ts' type: TENSORS tensors { data_type: 7 int64_data: 1 } }
         attribute { name: 'sp' type: SPARSE_TENSOR sparse_tensor { values { data_type: 1 dims: 0 } dims: 3 } }
         attribute { name: 'sps' type: SPARSE_TENSORS }
         attribute { name: 'tp' type: TYPE_PROTO tp { opaque_type { domain: 'd' name: 'n' } } }
         attribute { name: 'tps' type: TYPE_PROTOS type_protos {} } }
  node { op_type: 'Own' domain: 'own' input: 'b' output: 'e'
         attribute { name: 'bodies' type: GRAPHS graphs { name: 'one' input { name: 'i' } output { name: 'i' } }
                     graphs { name: 'two' initializer { name: 'u' data_type: 7 int64_data: 1 }
                              node { op_type: 'Add' input: 'u' input: 'c' output: 'v' } output { name: 'v' } } } }
  node { op_type: 'If' input: 'e' output: 'y' name: 'branches'
         attribute { name: 'then_branch' type: GRAPH g { name: 't' doc_string: 'branch'
                     node { op_type: 'Neg' input: 'a' output: 'n' name: 'negative' } output { name: 'n' }
                     value_info { name: 'a' type { tensor_type { elem_type: 1 } } } } }
         attribute { name: 'else_branch' type: GRAPH g { name: 'e'
                     node { op_type: 'Constant' output: 'k' attribute { name: 'value_float' f: 0.1 type: FLOAT } }
                     output { name: 'k' } } } }
})";

void expect_same_text(const Expected<std::string>& written, const std::string& bytes) {
  ASSERT_TRUE(written) << written.error().first().format();
  EXPECT_EQ(*onnx::model_to_text(*written), *onnx::model_to_text(bytes));
}

TEST(OnnxModels, AreWrittenWithAllThatTheySay) {
  auto bytes = onnx::model_from_text(kEverything);
  ASSERT_TRUE(bytes) << bytes.error().first().format();
  for (const bool is_unknown : {false, true}) {
    if (is_unknown) {
      const auto source = *onnx::source_in_memory(*bytes);
      const Encoding more = with_unknown_fields(*source, whole_of(*source), "Model");
      bytes->clear();
      ASSERT_TRUE(more.append_to(*bytes));
      EXPECT_NE(onnx::model_to_text(*bytes)->find("901: \"Dimension\""), std::string::npos);
    }
    DiagnosticList sink;
    const auto graph = onnx::read_model_proto_bytes(*bytes, sink);
    ASSERT_TRUE(graph) << graph.error().first().format();
    expect_same_text(onnx::model_proto_bytes(**graph), *bytes);
    // The graphs inside are written by themselves when somebody looks at them.
    const auto done = onnx::edit_inner_graphs(**graph, [](onnx::InnerGraph&) { return Expected<void>(); });
    ASSERT_TRUE(done) << done.error().first().format();
    expect_same_text(onnx::model_proto_bytes(**graph), *bytes);
  }
}

}  // namespace
}  // namespace mo::graph_transforms::testing
