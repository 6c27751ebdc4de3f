#include "frontends/tensorflow/graph_def/functions.hpp"

#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "frontends/tensorflow/text_form.hpp"
#include "tests/graph_transforms/transformed.hpp"

// Transforms of the functions of a GraphDef's library.
namespace mo::graph_transforms::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A GraphDef with one function "f(x, w) -> y".
std::string with_function(const std::string& nodes, const std::string& returned, const std::string& more = "") {
  return "node { name: 'c' op: 'PartitionedCall' }\n"
         "library { function { signature { name: 'f' input_arg { name: 'x' type: DT_FLOAT } input_arg { name: 'w' "
         "type: DT_FLOAT } output_arg { "
         "name: 'y' type: DT_FLOAT } }\n" +
         nodes + "ret { key: 'y' value: '" + returned + "' } " + more +
         " attr { key: 'kept' value { b: true } } } gradient { function_name: 'f' gradient_func: 'g' } }\n";
}
std::string inner(const std::string& name, const std::string& op, const std::vector<std::string>& inputs,
                  const std::string& more = "") {
  std::string text = "node_def { name: '" + name + "' op: '" + op + "'";
  for (const std::string& input : inputs) text += " input: '" + input + "'";
  return text + " " + more + " }\n";
}

/// The GraphDef in text form when the transforms were applied to its functions; or the code of the error.
std::string with_changed_functions(const std::string& text, const std::string& transforms) {
  DiagnosticList sink;
  auto graph = tensorflow::read_graph_def_text(text, sink);
  EXPECT_TRUE(graph) << graph.error().first().format();
  if (!graph) return {};
  const auto calls = parse_transforms(transforms);
  TransformRegistry registry;
  register_all(registry);
  const auto done = tensorflow::edit_functions(**graph, [&](tensorflow::FunctionGraph& function) {
    return TransformRun(registry).run(*function.graph, *calls, {function.inputs, function.outputs, {}, nullptr, &sink});
  });
  if (!done) return done.error().first().code;
  const auto written = tensorflow::graph_def_text(**graph);
  EXPECT_TRUE(written);
  return written ? *written : std::string();
}

std::string as_written(const std::string& text) {
  return *tensorflow::text_from_bytes(*tensorflow::bytes_from_text(text, tensorflow::TextMessage::graph_def),
                                      tensorflow::TextMessage::graph_def);
}

const std::string kFunctionNodes = inner("a", "Relu", {"x"}) + inner("b", "TopKV2", {"a:activations:0", "w", "^a"}) +
                                   inner("s", "IdentityN", {"b:values:0", "b:indices:0"}) +
                                   inner("side", "Print", {"^b", "x"});

TEST(Functions, UnchangedPartsAreWrittenFieldByField) {
  const std::string text = with_function(kFunctionNodes, "s:output:1", "control_ret { key: 'e' value: 'side' }");
  EXPECT_EQ(with_changed_functions(text, "remove_nodes(op=Nobody)"), as_written(text));
}

TEST(Functions, EdgesThatChangeAreSpelledAsFunctionsDo) {
  const std::string nodes = inner("a", "Relu", {"x"}) + inner("i", "Identity", {"a:activations:0"}) +
                            inner("k", "TopKV2", {"i:output:0", "w"}) + inner("j", "Identity", {"k:indices:0"}) +
                            inner("y", "Neg", {"j:output:0"});
  const std::string text = with_changed_functions(with_function(nodes, "y:y:0"), "remove_nodes(op=Identity)");
  EXPECT_THAT(text, HasSubstr("op: \"TopKV2\"\n      input: \"a:activations:0\"\n      input: \"w\""));
  EXPECT_THAT(text, HasSubstr("op: \"Neg\"\n      input: \"k:indices:0\""));
  EXPECT_THAT(text, HasSubstr("gradient_func: \"g\""));
}

TEST(Functions, ReturnedTensorsKeepTheirNameAndFollowTheirOp) {
  const std::string nodes = inner("m", "Mul", {"x", "w"}) + inner("n", "Mul", {"m:z:0", "w"});
  const std::string text = with_changed_functions(with_function(nodes, "n:z:0"),
                                                  "obfuscate_names rename_op(old_op_name=Mul, new_op_name=MatMul)");
  EXPECT_THAT(text, HasSubstr("name: \"n\"\n      op: \"MatMul\"\n      input: \"0:product:0\""));
  EXPECT_THAT(text, HasSubstr("value: \"n:product:0\""));
}

TEST(Functions, NodesThatOutputsDoNotNeedAreRemoved) {
  const std::string nodes =
      inner("m", "Mul", {"x", "w"}) + inner("unused", "Neg", {"m:z:0"}) + inner("e", "NoOp", {"^m"});
  const std::string text = with_changed_functions(with_function(nodes, "m:z:0", "control_ret { key: 'e' value: 'e' }"),
                                                  "strip_unused_nodes");
  EXPECT_THAT(text, Not(HasSubstr("unused")));
  EXPECT_THAT(text, HasSubstr("op: \"NoOp\""));
}

TEST(Functions, OutputsOfUnknownNamesAreRefused) {
  const std::string nodes = inner("m", "Mul", {"x", "w"}) + inner("n", "Neg", {"m:z:0"});
  EXPECT_EQ(with_changed_functions(with_function(nodes, "n:y:0"), "rename_op(old_op_name=Mul, new_op_name=Mine)"),
            "MO-TF-0054");
  EXPECT_EQ(with_changed_functions(with_function(nodes, "n:y:0"), "rename_node(old_node_name=n, new_node_name=o)"),
            "MO-GTT-0007");
}

}  // namespace
}  // namespace mo::graph_transforms::testing
