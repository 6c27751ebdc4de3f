#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <random>

#include "tensorflow.pb.h"
#include "tests/e2e/tensorflow_pipeline.hpp"

/// The models of the extractors' tests with a few random changes: an error, or a model that is sound after every pass,
/// never a crash.
namespace mo::test {
namespace {

using tensorflow::AttrValue;
using tensorflow::GraphDef;
using tensorflow::NodeDef;
using tensorflow::TensorProto;

class Mutations {
 public:
  explicit Mutations(std::vector<GraphDef> models) : models_(std::move(models)) {}

  std::size_t size() const { return models_.size(); }

  /// The i-th mutant, in text form: always the same.
  std::string operator()(std::size_t i) {
    random_.seed(static_cast<unsigned>(i * 2'654'435'761U + 17));
    GraphDef graph = models_[i % models_.size()];
    const std::size_t changes = 1 + below(3);
    for (std::size_t k = 0; k < changes && graph.node_size() > 0; ++k) change(graph);
    std::string text;
    google::protobuf::TextFormat::PrintToString(graph, &text);
    return text;
  }

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_()) % count; }
  template <class Repeated>
  int index_of(const Repeated& list) {
    return static_cast<int>(below(static_cast<std::size_t>(list.size())));
  }
  std::int64_t number() {
    constexpr std::array<std::int64_t, 14> kNumbers = {0, 1,   -1,   2,         3,         -2,        5,
                                                       7, 100, -100, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    return kNumbers[below(kNumbers.size())];
  }

  void change(GraphDef& graph) {
    NodeDef& node = *graph.mutable_node(index_of(graph.node()));
    switch (below(10)) {
      case 0: graph.mutable_node()->DeleteSubrange(index_of(graph.node()), 1); break;
      case 1:
        if (node.input_size() > 1) node.mutable_input()->SwapElements(index_of(node.input()), index_of(node.input()));
        break;
      case 2:
        if (node.input_size() > 0) node.set_input(index_of(node.input()), graph.node(index_of(graph.node())).name());
        break;
      case 3:
        if (node.input_size() > 0) node.mutable_input()->DeleteSubrange(index_of(node.input()), 1);
        break;
      case 4: node.add_input(graph.node(index_of(graph.node())).name()); break;
      case 5:
        if (!node.attr().empty()) node.mutable_attr()->erase(some_key(node));
        break;
      case 6: {
        // An attribute of another node under this name.
        const NodeDef& other = graph.node(index_of(graph.node()));
        if (!node.attr().empty() && !other.attr().empty())
          (*node.mutable_attr())[some_key(node)] = AttrValue(other.attr().at(some_key(other)));
        break;
      }
      default:
        if (!node.attr().empty()) change(node.mutable_attr()->at(some_key(node)));
        break;
    }
  }

  /// Keys in an order that is the same everywhere: that of maps is not.
  std::string some_key(const NodeDef& node) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : node.attr()) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    return keys[below(keys.size())];
  }

  void change(AttrValue& value) {
    switch (value.value_case()) {
      case AttrValue::kI: value.set_i(number()); break;
      case AttrValue::kF: value.set_f(static_cast<float>(number())); break;
      case AttrValue::kB: value.set_b(!value.b()); break;
      case AttrValue::kS: value.set_s(below(2) == 0 ? "" : value.s() + "x"); break;
      case AttrValue::kType: value.set_type(static_cast<tensorflow::DataType>(below(24))); break;
      case AttrValue::kShape:
        if (value.shape().dim_size() > 0)
          value.mutable_shape()->mutable_dim(index_of(value.shape().dim()))->set_size(number());
        break;
      case AttrValue::kTensor: change(*value.mutable_tensor()); break;
      case AttrValue::kList: {
        AttrValue::ListValue& list = *value.mutable_list();
        if (list.i_size() > 0) {
          if (below(4) == 0)
            list.mutable_i()->RemoveLast();
          else
            list.set_i(index_of(list.i()), number());
        } else if (list.type_size() > 0) {
          list.mutable_type()->RemoveLast();
        } else {
          list.add_i(number());
        }
        break;
      }
      default: value.set_i(number()); break;
    }
  }

  void change(TensorProto& tensor) {
    if (tensor.tensor_shape().dim_size() > 0 && below(2) == 0) {
      tensor.mutable_tensor_shape()->mutable_dim(index_of(tensor.tensor_shape().dim()))->set_size(number());
    } else if (tensor.int_val_size() > 0) {
      tensor.set_int_val(index_of(tensor.int_val()), static_cast<std::int32_t>(number()));
    } else if (tensor.int64_val_size() > 0) {
      tensor.set_int64_val(index_of(tensor.int64_val()), number());
    } else if (tensor.float_val_size() > 0) {
      tensor.set_float_val(index_of(tensor.float_val()), static_cast<float>(number()));
    } else {
      tensor.add_int_val(static_cast<std::int32_t>(number()));
    }
  }

  std::vector<GraphDef> models_;
  std::mt19937 random_;
};

TEST(TensorFlowMutation, NeverCrashes) {
  constexpr std::size_t kPerModel = 6;
  TensorFlowPipeline pipeline;
  std::size_t models = 0;
  for (const auto& [file, texts] : models_of_tests()) {
    SCOPED_TRACE(file);
    std::vector<GraphDef> graphs;
    for (const std::string& text : texts) {
      google::protobuf::TextFormat::Parser parser;
      parser.AllowUnknownField(true);
      // Some tests are about text that cannot be read.
      if (GraphDef graph; parser.ParseFromString(text, &graph)) graphs.push_back(std::move(graph));
    }
    if (graphs.empty()) continue;
    models += graphs.size();
    const std::size_t count = kPerModel * graphs.size();
    EXPECT_EQ(
        run_many(count, Mutations(std::move(graphs)), [&](const std::string& text) { return pipeline.run_text(text); },
                 {.seconds = 30, .peak_bytes = 512ULL << 20}),
        "");
  }
  EXPECT_GT(models, 500U);
}

}  // namespace
}  // namespace mo::test
