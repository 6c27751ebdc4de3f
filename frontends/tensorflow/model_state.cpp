#include "frontends/tensorflow/model_state.hpp"

#include <algorithm>
#include <array>

#include "core/support/budget.hpp"
#include "frontends/common/fields.hpp"
#include "frontends/tensorflow/data_types.hpp"
#include "frontends/tensorflow/fields.hpp"

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireReader;

namespace {

/// Ops with several outputs whose functions' nodes are addressed by the names of their outputs (TensorFlow's op
/// definitions). "name" is one tensor, "name#N" as many as attribute N says, "name*T" as many as attribute T lists.
struct KnownOp {
  std::string_view op;
  std::string_view outputs;
};
constexpr KnownOp kKnownOps[] = {
    KnownOp{"BlockLSTM", "i cs f o ci co h"},
    KnownOp{"BlockLSTMV2", "i cs f o ci co h"},
    KnownOp{"Case", "output*Tout"},
    KnownOp{"CombinedNonMaxSuppression", "nmsed_boxes nmsed_scores nmsed_classes valid_detections"},
    KnownOp{"CTCGreedyDecoder", "decoded_indices decoded_values decoded_shape log_probability"},
    KnownOp{"CTCLoss", "loss gradient"},
    KnownOp{"CTCLossV2", "loss gradient"},
    KnownOp{"CudnnRNN", "output output_h output_c reserve_space"},
    KnownOp{"CudnnRNNV2", "output output_h output_c reserve_space host_reserved"},
    KnownOp{"CudnnRNNV3", "output output_h output_c reserve_space host_reserved"},
    KnownOp{"DynamicPartition", "outputs#num_partitions"},
    KnownOp{"FusedBatchNorm", "y batch_mean batch_variance reserve_space_1 reserve_space_2"},
    KnownOp{"FusedBatchNormV2", "y batch_mean batch_variance reserve_space_1 reserve_space_2"},
    KnownOp{"FusedBatchNormV3", "y batch_mean batch_variance reserve_space_1 reserve_space_2 reserve_space_3"},
    KnownOp{"GRUBlockCell", "r u c h"},
    KnownOp{"IdentityN", "output*T"},
    KnownOp{"If", "output*Tout"},
    KnownOp{"IteratorGetNext", "components*output_types"},
    KnownOp{"ListDiff", "out idx"},
    KnownOp{"LSTMBlockCell", "i cs f o ci co h"},
    KnownOp{"MaxPoolWithArgmax", "output argmax"},
    KnownOp{"Merge", "output value_index"},
    KnownOp{"NonMaxSuppressionV4", "selected_indices valid_outputs"},
    KnownOp{"NonMaxSuppressionV5", "selected_indices selected_scores valid_outputs"},
    KnownOp{"ParseExampleV2",
            "sparse_indices#num_sparse sparse_values*sparse_types sparse_shapes#num_sparse dense_values*Tdense"},
    KnownOp{"PartitionedCall", "output*Tout"},
    KnownOp{"QueueDequeue", "components*component_types"},
    KnownOp{"QueueDequeueV2", "components*component_types"},
    KnownOp{"QuantizeV2", "output output_min output_max"},
    KnownOp{"RestoreV2", "tensors*dtypes"},
    KnownOp{"ShapeN", "output#N"},
    KnownOp{"SoftmaxCrossEntropyWithLogits", "loss backprop"},
    KnownOp{"SparseConcat", "output_indices output_values output_shape"},
    KnownOp{"SparseFillEmptyRows", "output_indices output_values empty_row_indicator reverse_index_map"},
    KnownOp{"SparseReorder", "output_indices output_values"},
    KnownOp{"SparseReshape", "output_indices output_shape"},
    KnownOp{"SparseSlice", "output_indices output_values output_shape"},
    KnownOp{"SparseSoftmaxCrossEntropyWithLogits", "loss backprop"},
    KnownOp{"Split", "output#num_split"},
    KnownOp{"SplitV", "output#num_split"},
    KnownOp{"StatefulPartitionedCall", "output*Tout"},
    KnownOp{"StatelessRandomGetKeyCounter", "key counter"},
    KnownOp{"StatelessCase", "output*Tout"},
    KnownOp{"StatelessIf", "output*Tout"},
    KnownOp{"StatelessWhile", "output*T"},
    KnownOp{"Switch", "output_false output_true"},
    KnownOp{"TensorArrayConcatV3", "value lengths"},
    KnownOp{"TensorArrayV3", "handle flow"},
    KnownOp{"TensorListConcatV2", "tensor lengths"},
    KnownOp{"TensorListPopBack", "output_handle tensor"},
    KnownOp{"TopK", "values indices"},
    KnownOp{"TopKV2", "values indices"},
    KnownOp{"Unique", "y idx"},
    KnownOp{"UniqueV2", "y idx"},
    KnownOp{"UniqueWithCounts", "y idx count"},
    KnownOp{"Unpack", "output#num"},
    KnownOp{"While", "output*T"},
};

std::vector<OutputArgument> parse_outputs(std::string_view text) {
  std::vector<OutputArgument> outputs;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t mark = word.find_first_of("#*");
    OutputArgument argument{std::string(word.substr(0, mark)), {}, {}};
    if (mark != std::string_view::npos)
      (word[mark] == '#' ? argument.count_attribute : argument.types_attribute) = word.substr(mark + 1);
    outputs.push_back(std::move(argument));
  }
  return outputs;
}

}  // namespace

Expected<void> ModelState::take_node() {
  if (++nodes_ <= limits::kNodes) return spend(work::kReadNode);
  return error("MO-TF-0010", "the model has more than {} nodes", limits::kNodes)
      .hint("the file is corrupt (compare its checksum), or too large to convert");
}

Diagnostic ModelState::too_many_inlined_nodes() {
  return error("MO-TF-0010", "inlining the functions of the model creates more than {} nodes", limits::kInlinedNodes)
      .hint("functions that call functions grow exponentially; simplify the model");
}

Expected<void> ModelState::take_inlined_nodes(std::uint64_t count) {
  inlined_ += std::min(count, limits::kInlinedNodes + 1);
  if (inlined_ > limits::kInlinedNodes) return too_many_inlined_nodes();
  nodes_ += count - 1;
  return take_node();
}

Expected<void> ModelState::take_inlined_name(std::uint64_t bytes) {
  inlined_names_ += bytes;
  if (inlined_names_ <= limits::kInlinedNames) return {};
  return error("MO-TF-0010", "inlining the functions of the model creates more than {} bytes of names",
               limits::kInlinedNames)
      .hint("the name of each node of a function is prefixed with the name of the call; give the calls shorter names");
}

Expected<void> ModelState::take_ports(std::uint64_t count) {
  ports_ += count;
  if (ports_ <= limits::kSkippedPorts + source.size() / 8) return {};
  return error("MO-TF-0011", "the inputs of the model refer to nodes with {} unused outputs", ports_)
      .hint("the file is corrupt: compare its checksum, and download or export it again");
}

const std::vector<OutputArgument>* ModelState::output_arguments(std::string_view op) const {
  const std::string name(op);
  const auto found = ops_.find(name);
  if (found != ops_.end()) return &found->second;
  static const auto* const known = [] {
    auto* table = new frontends::HashMap<std::string, std::vector<OutputArgument>>();
    for (const KnownOp& row : kKnownOps) table->emplace(std::string(row.op), parse_outputs(row.outputs));
    return table;
  }();
  const auto row = known->find(name);
  return row == known->end() ? nullptr : &row->second;
}

Expected<Function> ModelState::read_function_header(const WireField& message) {
  Function function;
  function.message = message;
  const auto read_argument = [&](const WireField& field, bool is_input) -> Expected<void> {
    Function::Argument argument;
    MO_ASSIGN(WireReader reader, message_of(source, field));
    MO_TRY(reader.each([&](const WireField& part) -> Expected<void> {
      if (part.number == argument_field::kName) {
        MO_ASSIGN(argument.name, text_of(source, part, 64 * 1024));
      } else if (part.number == argument_field::kType) {
        MO_ASSIGN(const std::int64_t type, integer_of(part));
        argument.type = element_type_of(type).value_or(ElementType::dynamic);
      }
      return {};
    }));
    if (is_input)
      function.inputs.push_back(std::move(argument));
    else
      function.outputs.push_back(std::move(argument.name));
    return {};
  };
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == function_field::kSignature) {
      MO_ASSIGN(WireReader signature, message_of(source, field));
      return signature.each([&](const WireField& part) -> Expected<void> {
        if (part.number == op_field::kInput || part.number == op_field::kOutput)
          return read_argument(part, part.number == op_field::kInput);
        if (part.number != op_field::kName) return {};
        MO_ASSIGN(function.name, text_of(source, part, 64 * 1024));
        return {};
      });
    }
    if (field.number != function_field::kReturn) return {};
    std::string key;
    std::string value;
    MO_ASSIGN(WireReader entry, message_of(source, field));
    MO_TRY(entry.each([&](const WireField& part) -> Expected<void> {
      if (part.number != frontends::entry_field::kKey && part.number != frontends::entry_field::kValue) return {};
      MO_ASSIGN((part.number == frontends::entry_field::kKey ? key : value), text_of(source, part, 64 * 1024));
      return {};
    }));
    function.returns[key] = std::move(value);
    return {};
  }));
  return function;
}

Expected<void> ModelState::read_library(const WireField& message) {
  MO_ASSIGN(WireReader reader, message_of(source, message));
  return reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != library_field::kFunction) return {};
    MO_TRY(take_node());
    MO_ASSIGN(Function function, read_function_header(field));
    const std::string name = function.name;
    if (!functions.emplace(name, std::move(function)).second)
      return error("MO-TF-0008", "function '{}' is defined twice", name)
          .hint("the file is corrupt: compare its checksum, and download or export it again");
    return {};
  });
}

Expected<void> ModelState::read_op_list(const WireField& message) {
  MO_ASSIGN(WireReader list, message_of(source, message));
  return list.each([&](const WireField& item) -> Expected<void> {
    if (item.number != op_list_field::kOp || ops_.size() >= 100'000) return {};
    std::string name;
    std::vector<OutputArgument> outputs;
    MO_ASSIGN(WireReader op, message_of(source, item));
    MO_TRY(op.each([&](const WireField& field) -> Expected<void> {
      if (field.number == op_field::kName) {
        MO_ASSIGN(name, text_of(source, field, 64 * 1024));
        return {};
      }
      if (field.number != op_field::kOutput) return {};
      OutputArgument argument;
      MO_ASSIGN(WireReader reader, message_of(source, field));
      MO_TRY(reader.each([&](const WireField& part) -> Expected<void> {
        if (part.number != argument_field::kName && part.number != argument_field::kCountAttribute &&
            part.number != argument_field::kTypesAttribute)
          return {};
        MO_ASSIGN((part.number == argument_field::kName             ? argument.name
                   : part.number == argument_field::kCountAttribute ? argument.count_attribute
                                                                    : argument.types_attribute),
                  text_of(source, part, 64 * 1024));
        return {};
      }));
      outputs.push_back(std::move(argument));
      return {};
    }));
    ops_[name] = std::move(outputs);
    return {};
  });
}

}  // namespace mo::tensorflow
