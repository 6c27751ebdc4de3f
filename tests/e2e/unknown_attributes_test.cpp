#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/text/parser.hpp"
#include "driver/builtins.hpp"
#include "driver/pipeline.hpp"
#include "frontends/caffe/reader.hpp"
#include "frontends/tensorflow/reader.hpp"
#include "phases/front/framework_op.hpp"
#include "tests/support/builtins.hpp"
#include "tools/test/case.hpp"

/// Nothing of a source node is ignored: an unknown attribute ends the conversion, whatever operator has it.
namespace mo::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInvented = "invented_by_a_test";

/// A framework's conversion up to known ops with types.
class Front {
 public:
  explicit Front(std::string framework) : framework_(std::move(framework)) {
    register_builtins(registry_, framework_);
    auto made = make_pipeline(registry_, framework_, Options{});
    if (made) manager_ = *std::move(made);
  }
  const std::string& framework() const { return framework_; }
  const OperatorTable& operators() const { return *registry_.find_operators(framework_); }
  bool is_sound() const { return manager_ != nullptr; }

  Expected<std::unique_ptr<Graph>> read(const Case& test) const {
    DiagnosticList sink;
    const Section* const file = test.sections.empty() ? nullptr : &test.sections.front();
    if (file && file->kind == "pbtxt") return tensorflow::read_graph_text(file->body, sink);
    if (file && file->kind == "prototxt") return caffe::read_net_text(file->body, sink);
    return parse_graph(test.graph, registry_.ops());
  }
  Expected<void> run(Graph& graph) {
    DiagnosticList sink;
    PassContext context{sink, settings_, &manager_->config};
    for (const Phase phase : {Phase::extraction, Phase::front, Phase::inference})
      MO_TRY(manager_->run(phase, graph, context));
    return {};
  }

 private:
  std::string framework_;
  mutable Registry registry_;
  std::unique_ptr<PassManager> manager_;
  Settings settings_ = settings_of(Options{});
};

/// The operators that an error says to have the attribute; each with the way around it.
std::set<std::string> stopped_by(const Error& error) {
  std::set<std::string> ops;
  for (const Diagnostic& d : error.items()) {
    constexpr std::string_view kOp = " of op ";
    const std::size_t at = d.message.find(kOp);
    if (d.code != "MO-FRONT-0005" || d.message.find(kInvented) == std::string::npos || at == std::string::npos)
      continue;
    if (d.hint_text.find("--ignore_attribute") == std::string::npos) continue;
    ops.insert(d.message.substr(at + kOp.size(), d.message.find(' ', at + kOp.size()) - at - kOp.size()));
  }
  return ops;
}

/// What became of conversions that succeed, when nodes of an operator get one more attribute.
struct Findings {
  std::set<std::string> stopped;
  std::set<std::pair<std::string, std::string>> converted;  ///< operator, case

  /// Converts `graph` again with the attribute at one node of each operator.
  void add(Front& front, const Graph& graph, const std::string& where) {
    if (!front.run(*graph.clone())) return;
    std::size_t count = 0;
    for ([[maybe_unused]] const Node node : graph.nodes()) ++count;
    std::set<std::string> tried;
    for (std::size_t i = 0; i < count; ++i) {
      const std::unique_ptr<Graph> changed = graph.clone();
      Node node;
      std::size_t at = 0;
      for (const Node each : changed->nodes())
        if (at++ == i) node = each;
      const auto op = node ? phases::framework_op(node.op_type(), front.framework()) : std::nullopt;
      if (!op || !front.operators().find(*op, node.attr<std::int64_t>("@opset").value_or(1))) continue;
      const std::string name(*op);
      if (!tried.insert(name).second || !node.set_attr(kInvented, 7)) continue;
      if (const auto done = front.run(*changed))
        converted.emplace(name, where);
      else
        stopped.merge(stopped_by(done.error()));
    }
  }
};

void add_cases(Findings& found, Front& front, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".test") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& path : files)
    for (const Case& test : read_test_file(path.string()).cases)
      if (const auto graph = front.read(test)) found.add(front, **graph, path.filename().string() + ": " + test.title);
}

/// A node without attributes for an operator that no case has: elementwise operators have theirs among the conformance
/// tests.
void add_plain_node(Findings& found, Front& front, const std::string& op, const OperatorTable::Row& row) {
  const std::string full = op.find("::") == std::string::npos ? front.framework() + "::" + op : op;
  for (const ElementType type : {ElementType::f32, ElementType::i32, ElementType::boolean})
    for (std::size_t inputs = 1; inputs <= 3; ++inputs) {
      Graph graph;
      AttributeMap attributes;
      attributes.set("@opset", std::max<std::int64_t>(row.versions.first, 1));
      std::vector<Value> values;
      while (values.size() < inputs)
        values.push_back(graph.create_parameter({type, PartialShape(Shape{2, 3})}).output());
      graph.create_result(graph.create_node(Op(full, std::move(attributes)), values, 1, "y").output());
      found.add(front, graph, "a plain node");
    }
}

/// Runs the rows of all operators on nodes with many kinds of inputs: whatever they say of the node, none of them marks
/// the attribute as known.
void expect_never_marked(const Front& front) {
  const std::string prefix = front.framework() + "::";
  for (const auto& [op, rows] : front.operators().rows())
    for (const OperatorTable::Row& row : rows)
      for (const PartialShape& shape :
           {PartialShape(Shape{}), PartialShape(Shape{4}), PartialShape(Shape{2, 3}), PartialShape(Shape{1, 2, 4, 4})})
        for (const ElementType type : {ElementType::f32, ElementType::i64})
          for (std::size_t inputs = 0; inputs <= 6; ++inputs) {
            Graph graph;
            AttributeMap attributes;
            attributes.set("@opset", std::max<std::int64_t>(row.versions.first, 1));
            attributes.set(kInvented, 7);
            std::vector<Value> values;
            while (values.size() < inputs) values.push_back(graph.create_parameter({type, shape}).output());
            const std::string full = op.find("::") == std::string::npos ? prefix + op : op;
            const FrameworkNode node(graph.create_node(Op(full, std::move(attributes)), values, 1, "y"));
            graph.set_has_types(true);
            Rewriter rewriter(graph);
            if (row.translate) [[maybe_unused]]
              const Replacement made = row.translate(node, rewriter);
            else [[maybe_unused]]
              const auto made = row.extract(node);
            if (row.know_attributes) row.know_attributes(node);
            const std::vector<std::string> unread = node.unread_attributes();
            ASSERT_NE(std::find(unread.begin(), unread.end(), kInvented), unread.end())
                << op << " with " << inputs << " inputs";
          }
}

using Reasons = std::map<std::string, std::string>;

/// Where an attribute may be lost with its node: `operators` that nothing is computed for, and `cases` ("Exp in
/// conditionals.test") that leave nodes out of an operator that other cases stop at. `unseen`: operators that no case
/// here converts (expect_never_marked runs them).
struct Exceptions {
  Reasons operators;
  Reasons cases;
  Reasons unseen;
};

void expect_all_stopped(const std::string& framework, const std::string& folder, const Exceptions& except) {
  Front front(framework);
  ASSERT_TRUE(front.is_sound());
  expect_never_marked(front);
  Findings found;
  add_cases(found, front, fs::path(MO_TESTS_DIR) / "frontends" / folder);
  for (const auto& [op, rows] : front.operators().rows())
    if (!found.stopped.contains(op)) add_plain_node(found, front, op, rows.front());
  std::set<std::string> excused;
  for (const auto& [op, where] : found.converted) {
    if (except.operators.contains(op))
      excused.insert(op);
    else if (const std::string entry = op + " in " + where.substr(0, where.find(':'));
             except.cases.contains(entry) && found.stopped.contains(op))
      excused.insert(entry);
    else
      ADD_FAILURE() << "an attribute of " << op << " that nobody knows is ignored: " << where;
  }
  for (const auto& [op, rows] : front.operators().rows()) {
    const bool refused =
        std::all_of(rows.begin(), rows.end(), [](const OperatorTable::Row& row) { return row.refuses; });
    if (!refused && !found.stopped.contains(op) && !except.operators.contains(op) && !except.unseen.contains(op))
      ADD_FAILURE() << op << ": no case of tests/frontends/" << folder << " converts with it";
  }
  for (const Reasons* reasons : {&except.operators, &except.cases})
    for (const auto& [name, why] : *reasons)
      EXPECT_TRUE(excused.contains(name)) << name << " need not be left out: " << why;
  for (const auto& [op, why] : except.unseen) EXPECT_FALSE(found.stopped.contains(op)) << op << " is seen: " << why;
}

TEST(UnknownAttributes, EndTheConversionOfOnnxModels) {
  const std::string large = "its cases need more inputs than a case of the front end has";
  expect_all_stopped("onnx", "onnx",
                     {.operators = {},
                      .cases = {},
                      .unseen = {{"BlackmanWindow", large},
                                 {"ExperimentalDetectronDetectionOutput", large},
                                 {"ExperimentalDetectronPriorGridGenerator", large},
                                 {"ExperimentalDetectronROIFeatureExtractor", large},
                                 {"ExperimentalDetectronTopKROIs", large},
                                 {"GroupNorm", large},
                                 {"HammingWindow", large},
                                 {"com.microsoft::NhwcFusedConv", large},
                                 {"org.openvinotoolkit::ExperimentalDetectronGenerateProposalsSingleImage", large},
                                 {"org.openvinotoolkit::ExperimentalDetectronGroupNorm", large}}});
}

TEST(UnknownAttributes, EndTheConversionOfTensorFlowModels) {
  const std::string source = "an input of the model takes the place of a source of data";
  const std::string counter = "what only counts the steps of a loop is left out";
  const std::string side = "the side of the conditional that is never taken is left out";
  expect_all_stopped("tf", "tensorflow",
                     {.operators = {{"AnonymousIterator", source},
                                    {"AnonymousIteratorV2", source},
                                    {"FIFOQueue", source},
                                    {"FIFOQueueV2", source},
                                    {"Iterator", source},
                                    {"IteratorGetNext", source},
                                    {"IteratorGetNextSync", source},
                                    {"IteratorV2", source},
                                    {"OneShotIterator", source},
                                    {"PaddingFIFOQueue", source},
                                    {"PaddingFIFOQueueV2", source},
                                    {"QueueDequeue", source},
                                    {"QueueDequeueMany", source},
                                    {"QueueDequeueManyV2", source},
                                    {"QueueDequeueUpTo", source},
                                    {"QueueDequeueUpToV2", source},
                                    {"QueueDequeueV2", source},
                                    {"RandomShuffleQueue", source},
                                    {"RandomShuffleQueueV2", source}},
                      .cases = {{"Cast in conditionals.test", side},
                                {"Exp in conditionals.test", side},
                                {"Identity in conditionals.test", side},
                                {"Identity in frames.test", counter},
                                {"Identity in tensor_arrays.test", counter},
                                {"Const in strings_and_audio.test", source}},
                      .unseen = {{"TensorArrayClose", "it has no output"},
                                 {"TensorArrayCloseV2", "it has no output"},
                                 {"TensorArrayCloseV3", "it has no output"}}});
}

TEST(UnknownAttributes, EndTheConversionOfCaffeModels) {
  const std::string training = "nothing is computed for a layer of the training";
  expect_all_stopped("caffe", "caffe",
                     {.operators = {{"Accuracy", training},
                                    {"CTCLoss", training},
                                    {"ContrastiveLoss", training},
                                    {"DetectionEvaluate", training},
                                    {"EuclideanLoss", training},
                                    {"HDF5Output", training},
                                    {"HingeLoss", training},
                                    {"MultiBoxLoss", training},
                                    {"MultinomialLogisticLoss", training},
                                    {"Silence", training},
                                    {"SmoothL1Loss", training}},
                      .cases = {{"Sigmoid in softmax_loss.test", "what only a Silence reads is left out"}},
                      .unseen = {{"Python", "which layer it is, a module of the user's says"}}});
}

}  // namespace
}  // namespace mo::test
