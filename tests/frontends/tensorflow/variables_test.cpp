#include <google/protobuf/text_format.h>

#include <ctime>

#include "core/tensor/tensor.hpp"
#include "tests/frontends/tensorflow/checkpoint_writer.hpp"
#include "tests/frontends/tensorflow/model_text.hpp"

namespace mo::tensorflow::testing {
namespace {

const std::string kSuffix = "/.ATTRIBUTES/VARIABLE_VALUE";

std::string variable(std::string_view name, std::string_view op, std::string_view shape = "dim { size: 2 }",
                     std::string_view shared_name = "", std::string_view type = "DT_FLOAT") {
  return node(name, op, "",
              attribute("dtype", "type: " + std::string(type)) +
                  attribute("shape", "shape { " + std::string(shape) + " }") +
                  attribute("shared_name", "s: '" + std::string(shared_name) + "'"));
}
std::string read_of(std::string_view name, std::string_view inputs) {
  return node(name, "ReadVariableOp", inputs, attribute("dtype", "type: DT_FLOAT"));
}
std::string strings(std::string_view name, const std::vector<std::string>& values) {
  std::string tensor = "tensor { dtype: DT_STRING tensor_shape { dim { size: " + std::to_string(values.size()) + " } }";
  for (const std::string& value : values) tensor += " string_val: '" + value + "'";
  return node(name, "Const", "", attribute("dtype", "type: DT_STRING") + attribute("value", tensor + " }"));
}
/// The nodes by which a model of TensorFlow 1 restores `variables` from tensors of other names.
std::string restore(const std::vector<std::string>& variables, const std::vector<std::string>& keys,
                    const std::vector<std::string>& slices) {
  std::string types;
  for (std::size_t i = 0; i < keys.size(); ++i) types += " type: DT_FLOAT";
  std::string text = strings("save/Const", {"model"}) + strings("save/names", keys) + strings("save/slices", slices) +
                     node("save/RestoreV2", "RestoreV2", "save/Const save/names save/slices",
                          attribute("dtypes", "list {" + types + " }"));
  for (std::size_t i = 0; i < variables.size(); ++i)
    text += node("save/Assign_" + std::to_string(i), "Assign", variables[i] + " save/RestoreV2:" + std::to_string(i));
  return text;
}

BundleWriter bundle_of(const std::vector<std::pair<std::string, std::vector<float>>>& tensors) {
  BundleWriter writer;
  for (const auto& [key, values] : tensors)
    writer.add(key, DT_FLOAT, {static_cast<std::int64_t>(values.size())}, bytes_of(values));
  return writer;
}

using Floats = std::vector<float>;

/// What became of the variable: the elements of its constant; empty when it is none.
Floats value_of(const Read& model, std::string_view name) {
  if (!model.graph) return {};
  const Node found = model.node(name);
  const auto* constant = found ? found.as<Const>() : nullptr;
  if (!constant) return {};
  const auto loaded = constant->value.load();
  if (!loaded || loaded->element_type() != ElementType::f32) return {};
  const auto values = loaded->values<float>();
  return {values.begin(), values.end()};
}
std::string problem_of(const Read& model, std::string_view name) {
  const Node found = model.graph ? model.node(name) : Node();
  return found ? found.attr<std::string>("@problem").value_or("") : "there is no such node";
}

class TensorFlowVariables : public ::testing::Test {
 protected:
  /// A graph with a checkpoint beside it.
  Read read(const std::string& nodes, const BundleWriter* checkpoint) {
    ModelSource source;
    source.input_model = folder_.write("graph.pbtxt", nodes);
    if (checkpoint) {
      source.checkpoint = folder_ / "model.ckpt";
      checkpoint->write(source.checkpoint);
    }
    return read_source(source);
  }
  ModelFolder folder_;
};

// -- TensorFlow 2: through the objects --------------------------------------------------------------------------------

/// Two variables of one shared name, x * first + second in a function, and objects that say which tensor each is.
class TensorFlowObjects : public TensorFlowVariables {
 protected:
  TensorFlowObjects() {
    object(saved_, 0, {{1, "layers"}, {0, "self"}});
    object(saved_, 1, {{2, "first"}, {3, "second"}});
    object(saved_, 2, {});
    object(saved_, 3, {});
    // The checkpoint numbers its objects in another way.
    object(stored_, 0, {{3, "optimizer"}, {1, "layers"}, {0, "self"}});
    object(stored_, 1, {{4, "second"}, {2, "first"}, {0, "parent"}});
    stored_variable(2, "layers/first" + kSuffix);
    object(stored_, 3, {});
    stored_variable(4, "layers/second" + kSuffix);
  }

  using Children = std::vector<std::pair<int, std::string>>;
  template <class Objects>
  static void object(Objects& objects, int id, const Children& children) {
    while (objects.nodes_size() <= id) objects.add_nodes();
    for (const auto& [child, name] : children) {
      auto& reference = *objects.mutable_nodes(id)->add_children();
      reference.set_node_id(child);
      reference.set_local_name(name);
    }
  }
  void stored_variable(int id, const std::string& key) {
    object(stored_, id, {});
    auto& attribute = *stored_.mutable_nodes(id)->add_attributes();
    attribute.set_name("VARIABLE_VALUE");
    attribute.set_full_name("dense/kernel");
    attribute.set_checkpoint_key(key);
  }

  Read read_objects(const std::vector<int>& bound, BundleWriter writer) {
    for (const int id : bound) (*saved_.mutable_concrete_functions())["fn"].add_bound_inputs(id);
    writer.add_strings("_CHECKPOINTABLE_OBJECT_GRAPH", {}, {stored_.SerializeAsString()});
    std::filesystem::create_directories(folder_ / "variables");
    writer.write(folder_ / "variables/variables");
    const auto argument = [](std::string_view name, std::string_view type) {
      return "input_arg { name: '" + std::string(name) + "' type: " + std::string(type) + " } ";
    };
    const std::string function =
        "library { function { signature { name: 'fn' " + argument("a", "DT_FLOAT") + argument("v", "DT_RESOURCE") +
        argument("w", "DT_RESOURCE") + " output_arg { name: 'r' type: DT_FLOAT } } " +
        "node_def { name: 'rv' op: 'ReadVariableOp' input: 'v' } node_def { name: 'rw' op: 'ReadVariableOp' input: 'w' "
        "} " +
        "node_def { name: 'm' op: 'Mul' input: 'a' input: 'rv:value:0' } " +
        "node_def { name: 's' op: 'AddV2' input: 'm:z:0' input: 'rw:value:0' } ret { key: 'r' value: 's:z:0' } } }";
    const std::string text =
        "meta_graphs { meta_info_def { tags: 'serve' } graph_def { " + placeholder("x") +
        variable("Variable", "VarHandleOp", "dim { size: 2 }", "dense/kernel") +
        variable("Variable_1", "VarHandleOp", "dim { size: 2 }", "dense/kernel") +
        node("call", "StatefulPartitionedCall", "x Variable Variable_1",
             attribute("f", "func { name: 'fn' }") + attribute("Tout", "list { type: DT_FLOAT }")) +
        function +
        " } signature_def { key: 'serving_default' value { inputs { key: 'x' value { name: 'x:0' } } outputs { key: "
        "'y' value "
        "{ name: 'call:0' } } } } }";
    SavedModel model;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &model));
    *model.mutable_meta_graphs(0)->mutable_object_graph_def() = saved_;
    folder_.write("saved_model.pb", model.SerializeAsString());
    ModelSource source;
    source.saved_model_dir = folder_.path();
    return read_source(source);
  }

  SavedObjectGraph saved_;
  TrackableObjectGraph stored_;
  const BundleWriter both_ = bundle_of({{"layers/first" + kSuffix, {1, 2}}, {"layers/second" + kSuffix, {3, 4}}});
};

TEST_F(TensorFlowObjects, TwoVariablesOfOneNameAreDistinguished) {
  const Read model = read_objects({2, 3}, both_);
  ASSERT_TRUE(model.graph) << model.text();
  EXPECT_EQ(value_of(model, "Variable"), (Floats{1, 2}));
  EXPECT_EQ(value_of(model, "Variable_1"), (Floats{3, 4}));
}

TEST_F(TensorFlowObjects, TheOrderOfTheBoundInputsCounts) {
  const Read model = read_objects({3, 2}, both_);
  ASSERT_TRUE(model.graph) << model.text();
  EXPECT_EQ(value_of(model, "Variable"), (Floats{3, 4}));
  EXPECT_EQ(value_of(model, "Variable_1"), (Floats{1, 2}));
}

TEST_F(TensorFlowObjects, ObjectsWinOverNames) {
  BundleWriter writer = both_;
  writer.add("dense/kernel", DT_FLOAT, {2}, bytes_of(Floats{7, 8}));
  const Read model = read_objects({2, 3}, std::move(writer));
  EXPECT_EQ(value_of(model, "Variable"), (Floats{1, 2})) << model.text();
}

TEST_F(TensorFlowObjects, ObjectsThatTheCheckpointDoesNotHaveFallBackToNames) {
  // Numbers of objects that do not exist are ignored, not followed.
  for (const std::vector<int>& bound : {std::vector<int>{100, -1}, {0, 1}, {2, 2, 2, 2}}) {
    saved_.clear_concrete_functions();
    const Read model = read_objects(bound, both_);
    ASSERT_TRUE(model.graph) << model.text();
    EXPECT_NE(problem_of(model, "Variable").find("no tensor 'dense/kernel'"), std::string::npos)
        << problem_of(model, "Variable");
  }
}

TEST_F(TensorFlowObjects, AKeyThatTheCheckpointDoesNotHave) {
  const Read model = read_objects({2, 3}, bundle_of({{"layers/first" + kSuffix, {1, 2}}}));
  EXPECT_EQ(model.code(), "MO-TF-0418");
  EXPECT_NE(model.text().find("'Variable_1'"), std::string::npos) << model.text();
}

TEST_F(TensorFlowObjects, DamagedObjects) {
  stored_.mutable_nodes(0)->mutable_children(1)->set_node_id(99);
  EXPECT_EQ(read_objects({2, 3}, both_).code(), "MO-TF-0422");
}

// -- TensorFlow 1: through what restores ------------------------------------------------------------------------------

TEST_F(TensorFlowVariables, RestoreNodesGiveKeys) {
  const BundleWriter writer = bundle_of({{"old/w", {1, 2}}, {"old/b", {3, 4}}, {"w", {5, 6}}});
  const std::string nodes = placeholder("x") + variable("w", "VariableV2") + variable("b", "VariableV2") +
                            node("r", "Identity", "w") + node("s", "Identity", "b") + node("y", "AddV2", "r s") +
                            restore({"w", "b"}, {"old/w", "old/b"}, {"", ""});
  const Read model = read(nodes, &writer);
  ASSERT_TRUE(model.graph) << model.text();
  EXPECT_EQ(value_of(model, "w"), (Floats{1, 2}));
  EXPECT_EQ(value_of(model, "b"), (Floats{3, 4}));
  EXPECT_FALSE(model.node("save/RestoreV2"));
}

TEST_F(TensorFlowVariables, RestoreNodesGiveSlices) {
  BundleWriter writer;
  writer.add("table", DT_FLOAT, {4, 2}, bytes_of(Floats{0, 1, 2, 3, 4, 5, 6, 7}));
  const auto parts = [&](const std::string& first, const std::string& second) {
    return placeholder("x") + variable("part_0", "VariableV2", "dim { size: 1 } dim { size: 2 }") +
           variable("part_1", "VariableV2", "dim { size: 3 } dim { size: 2 }") +
           node("y", "ConcatV2", "part_0 part_1") + restore({"part_0", "part_1"}, {"table", "table"}, {first, second});
  };
  const Read model = read(parts("4 2 0,1:-", "4 2 1,3:0,2"), &writer);
  ASSERT_TRUE(model.graph) << model.text();
  EXPECT_EQ(value_of(model, "part_0"), (Floats{0, 1}));
  EXPECT_EQ(value_of(model, "part_1"), (Floats{2, 3, 4, 5, 6, 7}));
  for (const auto& [slice, code] :
       std::vector<std::pair<std::string, std::string>>{{"4 2 3,3:-", "MO-TF-0420"},
                                                        {"5 2 1,3:-", "MO-TF-0419"},
                                                        {"4 2 1,3", "MO-TF-0420"},
                                                        {"4 2 1,99999999999999999999:-", "MO-TF-0420"},
                                                        {"4 2 0,2:-", "MO-TF-0041"}}) {
    const Read wrong = read(parts("4 2 0,1:-", slice), &writer);
    EXPECT_EQ(wrong.code(), code) << slice;
    EXPECT_NE(wrong.text().find("'part_1'"), std::string::npos) << wrong.text();
  }
}

TEST_F(TensorFlowVariables, TheSaverOfTheCheckpointDecidesAmongSeveral) {
  // The first one has loaded the weights of another model before the training.
  const std::string nodes =
      placeholder("x") + variable("w", "VariableV2") + node("y", "AddV2", "x w") + strings("prefix", {"model"}) +
      strings("slices", {""}) + strings("their_names", {"other/w"}) + strings("our_names", {"mine/w"}) +
      node("load/RestoreV2", "RestoreV2", "prefix their_names slices", attribute("dtypes", "list { type: DT_FLOAT }")) +
      node("load/Assign", "Assign", "w load/RestoreV2") + node("load/restore_all", "NoOp", "^load/Assign") +
      node("save/RestoreV2", "RestoreV2", "prefix our_names slices", attribute("dtypes", "list { type: DT_FLOAT }")) +
      node("save/Assign", "Assign", "w save/RestoreV2") + node("save/restore_shard", "NoOp", "^save/Assign") +
      node("save/restore_all", "NoOp", "^save/restore_shard");
  bundle_of({{"mine/w", {1, 2}}, {"other/w", {5, 6}}}).write(folder_ / "m.ckpt");
  for (const auto& [restore_op, values] : std::vector<std::pair<std::string, Floats>>{
           {"save/restore_all", {1, 2}}, {"load/restore_all", {5, 6}}, {"gone/restore_all", {5, 6}}}) {
    ModelSource source;
    source.meta_graph =
        folder_.write("m.ckpt.meta", "graph_def { " + nodes + " } saver_def { restore_op_name: '" + restore_op + "' }");
    EXPECT_EQ(value_of(read_source(source), "w"), values) << restore_op;
  }
}

TEST_F(TensorFlowVariables, AMetaGraphHasNoOutputsInsideOfLoopsNorWithoutInputs) {
  const std::string loop = node("enter", "Enter", "x", attribute("frame_name", "s: 'f'")) +
                           node("merge", "Merge", "enter next") + node("less", "Less", "merge merge") +
                           node("cond", "LoopCond", "less") + node("switch", "Switch", "merge cond") +
                           node("unread", "Neg", "switch:1") + node("body", "Abs", "switch:1") +
                           node("next", "NextIteration", "body") + node("exit", "Exit", "switch");
  const std::string nodes = placeholder("x") + variable("w", "VariableV2") + node("loss", "L2Loss", "w") + loop +
                            node("size", "QueueSizeV2", "x") + node("y", "Neg", "x");
  const auto outputs = [&](const std::string& graph) {
    ModelSource source;
    source.meta_graph = folder_.write("m.meta", "graph_def { " + graph + " }");
    const Read model = read_source(source);
    std::string names;
    if (model.graph)
      for (const Node& result : (*model.graph)->results()) names += std::string(result.input(0).node().name()) + " ";
    return names + model.code();
  };
  EXPECT_EQ(outputs(nodes), "y ");
  EXPECT_EQ(outputs(placeholder("x") + loop), "exit ");
  EXPECT_EQ(outputs(variable("w", "VariableV2") + node("loss", "L2Loss", "w")), "loss ");
}

TEST_F(TensorFlowVariables, RestoreNodesThatAreNotConstantAreIgnored) {
  const BundleWriter writer = bundle_of({{"w", {1, 2}}});
  const std::string nodes = placeholder("x") + placeholder("names") + variable("w", "VariableV2") +
                            node("y", "Identity", "w") + node("restore", "RestoreV2", "names names names") +
                            node("assign", "Assign", "w restore") + node("short", "RestoreV2", "names") +
                            node("assign2", "Assign", "w short:7");
  EXPECT_EQ(value_of(read(nodes, &writer), "w"), (Floats{1, 2}));
}

// -- names ------------------------------------------------------------------------------------------------------------

TEST_F(TensorFlowVariables, NamesAreTheLastResort) {
  const BundleWriter writer = bundle_of({{"v", {1, 2}}, {"scope/kernel", {3, 4}}, {"u" + kSuffix, {5, 6}}});
  const std::string nodes = placeholder("x") + variable("v", "VariableV2") +
                            variable("h", "VarHandleOp", "dim { size: 2 }", "scope/kernel") +
                            variable("u", "VarHandleOp", "unknown_rank: true") + read_of("rh", "h") +
                            read_of("ru", "u") + node("y", "AddN", "v rh ru");
  const Read model = read(nodes, &writer);
  ASSERT_TRUE(model.graph) << model.text();
  EXPECT_EQ(value_of(model, "v"), (Floats{1, 2}));
  EXPECT_EQ(value_of(model, "h"), (Floats{3, 4}));
  EXPECT_EQ(value_of(model, "u"), (Floats{5, 6}));
}

TEST_F(TensorFlowVariables, VariablesWithoutAValueStayWithTheReason) {
  const BundleWriter writer = bundle_of({{"other", {1, 2}}});
  const std::string nodes = placeholder("x") + variable("v", "VariableV2") + node("y", "AddV2", "x v");
  const Read missing = read(nodes, &writer);
  ASSERT_TRUE(missing.graph) << missing.text();
  EXPECT_EQ(problem_of(missing, "v"), "the checkpoint has no tensor 'v'");
  const Read alone = read(nodes, nullptr);
  ASSERT_TRUE(alone.graph) << alone.text();
  EXPECT_TRUE(alone.node("v"));  // extraction refuses it, MO-TF-0040, unless it is cut away
  // A variable that nothing needs needs no value.
  EXPECT_FALSE(
      read(placeholder("x") + variable("v", "VariableV2") + node("unused", "Assign", "v v") + node("y", "Relu", "x"),
           nullptr)
          .node("v"));
}

TEST_F(TensorFlowVariables, OtherTypesAndShapesAreRefused) {
  const BundleWriter writer = bundle_of({{"v", {1, 2}}});
  const auto code = [&](std::string_view shape, std::string_view type) {
    const Read model =
        read(placeholder("x") + variable("v", "VariableV2", shape, "", type) + node("y", "Identity", "v"), &writer);
    EXPECT_TRUE(model.graph || model.text().find("'v'") != std::string::npos) << model.text();
    return model.code();
  };
  EXPECT_EQ(code("dim { size: 2 }", "DT_FLOAT"), "");
  EXPECT_EQ(code("dim { size: -1 }", "DT_FLOAT"), "");
  EXPECT_EQ(code("unknown_rank: true", "DT_FLOAT"), "");
  EXPECT_EQ(code("dim { size: 3 }", "DT_FLOAT"), "MO-TF-0041");
  EXPECT_EQ(code("", "DT_FLOAT"), "MO-TF-0041");
  EXPECT_EQ(code("dim { size: 2 }", "DT_INT32"), "MO-TF-0041");
}

// -- variables that change --------------------------------------------------------------------------------------------

/// Which assignment the read called "r" follows.
std::string changed_by(const Read& model, std::string_view name = "r") {
  if (!model.graph) return model.text();
  const Node found = model.node(name);
  return found ? found.attr<std::string>("@changed_by").value_or("") : "there is no such node";
}

const std::string kCounter = placeholder("x") + variable("v", "VarHandleOp") + variable("w", "VarHandleOp") +
                             node("change", "AssignAddVariableOp", "v x", attribute("dtype", "type: DT_FLOAT"));

TEST_F(TensorFlowVariables, ReadsAfterAnAssignmentAreMarked) {
  const std::string end = node("y", "Relu", "r");
  EXPECT_EQ(changed_by(read_text(kCounter + read_of("r", "v ^change") + end)), "change");
  EXPECT_EQ(changed_by(read_text(kCounter + read_of("r", "v") + end)), "");
  EXPECT_EQ(changed_by(read_text(kCounter + read_of("r", "w ^change") + end)), "");
  EXPECT_EQ(changed_by(read_text(kCounter + node("group", "NoOp", "^change") + node("more", "NoOp", "^group") +
                                 read_of("r", "v ^more") + end)),
            "change");
  EXPECT_EQ(changed_by(read_text(kCounter + read_of("first", "v ^change") + node("copy", "Identity", "first") +
                                 read_of("r", "v ^copy") + end)),
            "change");
  EXPECT_EQ(changed_by(read_text(kCounter + node("alias", "Identity", "v") + read_of("r", "alias ^change") + end)),
            "change");
}

TEST_F(TensorFlowVariables, CopiesOfVariablesOfTensorFlow1AreReads) {
  const std::string nodes = placeholder("x") + variable("v", "VariableV2") + node("change", "AssignAdd", "v x");
  EXPECT_EQ(changed_by(read_text(nodes + node("r", "Identity", "v ^change") + node("y", "Relu", "r"))), "change");
  EXPECT_EQ(changed_by(read_text(nodes + node("r", "Identity", "v") + node("y", "Relu", "r"))), "");
  EXPECT_EQ(changed_by(read_text(nodes + node("r", "Identity", "x ^change") + node("y", "Relu", "r"))), "");
}

std::string function_of_variable(std::string_view name, std::string_view nodes, std::string_view returned) {
  return "function { signature { name: '" + std::string(name) +
         "' input_arg { name: 'a' type: DT_FLOAT } input_arg { name: 'h' type: DT_RESOURCE } output_arg { name: 'o' "
         "type: DT_FLOAT } } " +
         std::string(nodes) + " ret { key: 'o' value: '" + std::string(returned) + "' } }\n";
}

TEST_F(TensorFlowVariables, AssignmentsInsideOfFunctionsCount) {
  const std::string library =
      "library { " +
      function_of_variable("assigns", "node_def { name: 'c' op: 'AssignVariableOp' input: 'h' input: 'a' }", "a") +
      function_of_variable("reads", "node_def { name: 'r' op: 'ReadVariableOp' input: 'h' }", "r:value:0") + " }";
  const auto call = [](std::string_view name, std::string_view function, std::string_view inputs) {
    return node(name, "StatefulPartitionedCall", inputs,
                attribute("f", "func { name: '" + std::string(function) + "' }") +
                    attribute("Tout", "list { type: DT_FLOAT }"));
  };
  const std::string end = node("y", "Relu", "r");
  EXPECT_EQ(changed_by(read_text(kCounter + call("f", "assigns", "x v") + read_of("r", "v ^f") + end + library)),
            "f/c");
  EXPECT_EQ(changed_by(read_text(kCounter + call("f", "assigns", "x w") + read_of("r", "v ^f") + end + library)), "");
  EXPECT_EQ(
      changed_by(read_text(kCounter + call("g", "reads", "x v ^change") + node("y", "Relu", "g") + library), "g/r"),
      "change");
  EXPECT_EQ(changed_by(read_text(kCounter + call("f", "assigns", "x v") + call("g", "reads", "x v ^f") +
                                 node("y", "Relu", "g") + library),
                       "g/r"),
            "f/c");
}

/// The first node of that op in the graphs that `owner` has.
std::string changed_inside(const Read& model, std::string_view owner) {
  if (!model.graph) return model.text();
  const Node found = model.node(owner);
  if (!found) return "there is no such node";
  for (const Graph* body : found.bodies())
    for (const Node inner : body->nodes())
      if (inner.type() == "tf::ReadVariableOp") return inner.attr<std::string>("@changed_by").value_or("");
  return "there is no read";
}

TEST_F(TensorFlowVariables, LoopsAndBranchesThatAssignCount) {
  const std::string assigns =
      "node_def { name: 'rv' op: 'ReadVariableOp' input: 'h' } node_def { name: 's' op: 'AddV2' input: 'a' input: "
      "'rv:value:0' } "
      "node_def { name: 'c' op: 'AssignVariableOp' input: 'h' input: 's:z:0' }";
  const std::string library =
      "library { " + function_of_variable("assigns", assigns, "s:z:0") +
      function_of_variable("reads", "node_def { name: 'rv' op: 'ReadVariableOp' input: 'h' }", "rv:value:0") +
      function_of_variable("neither", "", "a") + " }";
  const auto branch = [&](std::string_view inputs, std::string_view function) {
    return placeholder("p") + node("owner", "If", inputs,
                                   attribute("then_branch", "func { name: '" + std::string(function) + "' }") +
                                       attribute("else_branch", "func { name: 'neither' }"));
  };
  const std::string end = node("y", "AddV2", "r owner") + library;
  // Behind a branch that may assign, a read is one of a changed variable; before it, and in it, not.
  EXPECT_EQ(changed_by(read_text(kCounter + branch("p x v", "assigns") + read_of("r", "v ^owner") + end)), "owner");
  EXPECT_EQ(changed_by(read_text(kCounter + branch("p x w", "assigns") + read_of("r", "v ^owner") + end)), "");
  EXPECT_EQ(changed_by(read_text(kCounter + branch("p x v", "reads") + read_of("r", "v ^owner") + end)), "");
  EXPECT_EQ(changed_inside(read_text(kCounter + branch("p x v", "assigns") + read_of("r", "v") + end), "owner"), "");
  // A branch that runs after an assignment.
  EXPECT_EQ(changed_inside(read_text(kCounter + branch("p x v ^change", "reads") + read_of("r", "v") + end), "owner"),
            "change");
  // A loop that assigns reads in its second round what it assigned in the first.
  const std::string functions =
      attribute("cond", "func { name: 'neither' }") + attribute("body", "func { name: 'assigns' }");
  const std::string loop = node("owner", "While", "x v", functions);
  EXPECT_EQ(changed_inside(read_text(kCounter + loop + read_of("r", "v") + end), "owner"), "owner");
  EXPECT_EQ(changed_by(read_text(kCounter + loop + read_of("r", "v ^owner") + end)), "owner");
}

/// 300 variables, all assigned to before a chain of 100,000 reads: the answer comes at once.
TEST_F(TensorFlowVariables, EntangledAssignmentsAreBounded) {
  std::string nodes = placeholder("x");
  std::string before;
  for (int i = 0; i < 300; ++i) {
    const std::string number = std::to_string(i);
    nodes += variable("v" + number, "VarHandleOp") + node("c" + number, "AssignVariableOp", "v" + number + " x");
    before += " ^c" + number;
  }
  nodes += node("all", "NoOp", before.substr(1));
  std::string last = "all";
  for (int i = 0; i < 30'000; ++i) {
    nodes += read_of("r" + std::to_string(i), "v" + std::to_string(i % 300) + " ^" + last);
    last = "r" + std::to_string(i);
  }
  const std::clock_t start = std::clock();  // processor time: other programs may be busy
  EXPECT_EQ(changed_by(read_text(nodes + node("y", "Relu", last)), last), "c" + std::to_string(29'999 % 300));
  EXPECT_LT(std::clock() - start, 60 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace mo::tensorflow::testing
