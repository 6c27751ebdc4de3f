#include "tests/e2e/tensorflow_model.hpp"

/// Graphs whose parts do not fit together: names, edges, functions, control flow, attributes, tensors; and very large
/// ones.
namespace mo::test {
namespace {

class TensorFlowBadGraph : public BadInput {
 protected:
  void refused_bytes(std::string_view title, std::string_view bytes, std::string_view code,
                     std::string_view part = "'y'") const {
    SCOPED_TRACE(title);
    refused(run_bytes(bytes), code, part);
  }
};

const std::string kInput = input("x", "2,3");

std::string function(std::string_view name, std::string nodes, std::string_view returned) {
  for (std::size_t at = nodes.find("node {"); at != std::string::npos; at = nodes.find("node {", at + 10))
    nodes.replace(at, 6, "node_def {");
  return "function { signature { name: '" + std::string(name) +
         "' input_arg { name: 'a' type: DT_FLOAT } output_arg { name: 'r' type: DT_FLOAT } } " + nodes +
         " ret { key: 'r' value: '" + std::string(returned) + "' } }\n";
}
std::string call(std::string_view name, std::string_view called, std::string_view argument) {
  return node(
      name, "PartitionedCall", argument,
      attribute("f", "func { name: '" + std::string(called) + "' }") + attribute("Tout", "list { type: DT_FLOAT }"));
}
std::string library(const std::string& functions) { return "library { " + functions + " }"; }

/// Rows 17 to 21, 28 and 29.
TEST_F(TensorFlowBadGraph, NamesAndEdges) {
  refused_text("two nodes of one name", kInput + node("y", "Relu", "x") + node("y", "Tanh", "x"), "MO-TF-0004");
  refused_text("no name", kInput + node("", "Relu", "x"), "MO-TF-0003", "Relu");
  refused_text("no op", kInput + node("y", "", "x"), "MO-TF-0003");
  refused_text("an unknown node", kInput + node("encoder", "Relu", "x") + node("y", "Relu", "encodre"), "MO-TF-0006",
               "did you mean 'encoder'");
  refused_text("its own output", kInput + node("y", "AddV2", "x y"), "MO-TF-0009");
  refused_text(
      "a cycle",
      kInput + node("y", "AddV2", "x b") + node("a", "Relu", "y") + node("b", "Tanh", "a") + node("out", "Relu", "b"),
      "MO-GRAPH-0010");
  refused_text("a cycle without input",
               kInput + node("y", "Relu", "b") + node("b", "Relu", "y") + node("out", "Relu", "y"), "MO-GRAPH-0010");
  const std::string circle = node("a", "Identity", "b") + node("b", "Identity", "a");
  refused_text("a cycle of copies", circle + node("y", "Relu", "a"), "MO-GRAPH-0010", "");
  refused_text("a cycle of copies as a variable",
               circle + kInput + node("c", "AssignAddVariableOp", "a x") + node("y", "ReadVariableOp", "b ^c"),
               "MO-GRAPH-0010", "");
  refused_text("a cycle of copies as a predicate",
               circle + kInput + node("s", "Switch", "x a") + node("n", "Neg", "s") +
                   node("y", "Merge", "n s:1", number_attr("N", 2)),
               "MO-GRAPH-0010", "");
  refused_text("a cycle of copies in a loop",
               circle + kInput + node("e", "Enter", "a", text_attr("frame_name", "f")) + node("m", "Merge", "e n") +
                   node("l", "LoopCond", "a") + node("s", "Switch", "m l") + node("n", "NextIteration", "s:1") +
                   node("y", "Exit", "s"),
               "MO-TF-0751", "");
  refused_text("a cycle of copies as an axis", circle + kInput + node("y", "Sum", "x a"), "MO-GRAPH-0010", "");
  refused_text("a cycle of copies as a shape", circle + kInput + node("y", "Reshape", "x a"), "MO-GRAPH-0010", "");
  refused_text("a cycle of copies as an array",
               circle + kInput + node("y", "TensorArrayReadV3", "a b a", type_attr("dtype", "DT_FLOAT")),
               "MO-GRAPH-0010", "");
  refused_text("a cycle of copies as a table", circle + kInput + node("y", "LookupTableFindV2", "a x x"), "MO-TF-0730",
               "");
  refused_text("a cycle through an unknown op",
               kInput + node("y", "Strange", "x b") + node("b", "Relu", "y") + node("out", "Relu", "b"),
               "MO-FRONT-0001");
  for (const char* reference : {"x:999999999999", ":0", "^", "", "x:-1", "x:0:0", "x:1.5", "x: 1", "^x:0",
                                "x:18446744073709551616", "x:1048577"})
    refused_text(reference, kInput + "node { name: 'y' op: 'Relu' input: '" + reference + "' }", "MO-TF-0005");
  refused_text("a second output of an input", kInput + node("y", "Relu", "x:1"), "MO-TF-0005");
  refused_text("an unknown node by a control edge", kInput + node("y", "Relu", "x ^gone"), "MO-TF-0006");
  refused_text("control edges only", node("a", "NoOp", "") + node("b", "NoOp", "^a"), "MO-TF-0013", "");
  refused_text("nothing but effects", kInput + node("y", "Assert", "x"), "MO-TF-0013", "");
  refused_text("an unknown op", kInput + node("y", "MyOp", "x"), "MO-FRONT-0001", "MyOp");
  refused_text("a cycle of control edges",
               kInput + node("a", "Relu", "x ^b") + node("b", "Relu", "x ^a") + node("y", "AddV2", "a b"),
               "MO-GRAPH-0010", "'a' -> 'b' -> 'a'");
}

/// Row 22, and row 48 of control flow.
TEST_F(TensorFlowBadGraph, ControlFlow) {
  const std::string frame = text_attr("frame_name", "f");
  const std::string predicate = input("p", "", "DT_BOOL");
  refused_text("Exit without Enter", kInput + node("y", "Exit", "x"), "MO-TF-0750");
  refused_text("NextIteration without Merge", kInput + node("y", "NextIteration", "x"), "MO-TF-0750");
  refused_text("Enter alone", kInput + node("y", "Enter", "x", frame), "MO-TF-0750");
  refused_text("LoopCond alone", predicate + node("y", "LoopCond", "p"), "MO-TF-0750");
  refused_text("Merge of one", kInput + node("y", "Merge", "x"), "MO-TF-0753");
  refused_text("Merge of nothing", kInput + node("y", "Merge", ""), "MO-TF-0753");
  converted_text("a value that is there when a predicate holds",
                 kInput + predicate + node("s", "Switch", "x p") + node("y", "Relu", "s:1"));
  refused_text("Switch without inputs", node("s", "Switch", "") + node("y", "Relu", "s:1"), "MO-FRONT-0006", "'s'");
  refused_text("a loop that never ends",
               kInput + node("e", "Enter", "x", frame) + node("m", "Merge", "e n") + node("n", "NextIteration", "m") +
                   node("y", "Exit", "m"),
               "MO-TF-0750", "");
  refused_text("a cycle inside a frame without NextIteration",
               kInput + node("e", "Enter", "x", frame) + node("m", "Merge", "e y") + node("y", "Relu", "m") +
                   node("o", "Exit", "y"),
               "MO-TF-0750", "");
  const std::string branches =
      attribute("then_branch", "func { name: 'f' }") + attribute("else_branch", "func { name: 'f' }");
  refused_text("If of a function with another number of inputs",
               kInput + predicate + node("y", "If", "p x x", branches) +
                   library(function("f", node("n", "Relu", "a"), "n:activations:0")),
               "MO-TF-0755");
  refused_text("If without functions", kInput + predicate + node("y", "If", "p x"), "MO-FRONT-0004");
  refused_text("If with unknown functions", kInput + predicate + node("y", "StatelessIf", "p x", branches),
               "MO-TF-0016");
  refused_text("Case without branches", kInput + input("i", "", "DT_INT32") + node("y", "Case", "i x"),
               "MO-FRONT-0004");
  refused_text("While without functions", kInput + node("y", "While", "x"), "MO-FRONT-0004");
  refused_text("While whose condition is no boolean",
               kInput +
                   node("y", "StatelessWhile", "x",
                        attribute("cond", "func { name: 'f' }") + attribute("body", "func { name: 'f' }")) +
                   library(function("f", node("n", "Relu", "a"), "n:activations:0")),
               "MO-OPS-0006", "");
  refused_text("an array without a handle",
               kInput + node("y", "TensorArrayReadV3", "x x x", type_attr("dtype", "DT_FLOAT")), "MO-OPS-0201");
}

/// Rows 23 and 24.
TEST_F(TensorFlowBadGraph, Functions) {
  refused_text("a function that calls itself",
               kInput + call("y", "f", "x") + library(function("f", call("n", "f", "a"), "n:output:0")), "MO-TF-0014",
               "f -> f");
  refused_text(
      "two that call each other",
      kInput + call("y", "f", "x") +
          library(function("f", call("n", "g", "a"), "n:output:0") + function("g", call("n", "f", "a"), "n:output:0")),
      "MO-TF-0014", "f -> g -> f");
  std::string functions = function("f0", node("n", "Neg", "a"), "n:y:0");
  for (int i = 1; i <= 40; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    functions +=
        function("f" + std::to_string(i), call("n", before, "a") + call("m", before, "n:output:0"), "m:output:0");
  }
  // The size follows from the library, so no node is made: a million of them need 700 MB.
  SCOPED_TRACE("2^40 nodes");
  refused(run(model(kInput + call("y", "f40", "x") + library(functions), "m.pbtxt"), {.peak_bytes = 100ULL << 20}),
          "MO-TF-0010", "");
}

/// Rows 30 and 31.
TEST_F(TensorFlowBadGraph, AttributesOfTheWrongKind) {
  refused_text("text for a number", kInput + node("y", "LeakyRelu", "x", text_attr("alpha", "0.2")), "MO-FRONT-0003");
  refused_text("a tensor for a flag",
               input("x", "2,2") + input("z", "2,2") +
                   node("y", "MatMul", "x z", attribute("transpose_a", "tensor { dtype: DT_FLOAT float_val: 1 }")),
               "MO-FRONT-0003");
  refused_text("a number for a list",
               input("x", "2,1") + node("y", "Squeeze", "x", attribute("squeeze_dims", "s: 'all'")), "MO-FRONT-0003");
  refused_text("a list for text",
               input("x", "1,4,4,4") + floats("w", "1,1,4,4") +
                   node("y", "Conv2D", "x w", list_attr("strides", "1,1,1,1") + list_attr("padding", "1,1")),
               "MO-TF-0623");
  refused_text("a placeholder that nobody fills",
               kInput + node("y", "Cast", "x", attribute("DstT", "placeholder: 'T'")), "MO-FRONT-0004");
  refused_text("a constant without value", kInput + node("c", "Const", "") + node("y", "AddV2", "x c"), "MO-TF-0043",
               "'c'");
  refused_text("a constant that is text",
               kInput + node("c", "Const", "", text_attr("value", "1")) + node("y", "AddV2", "x c"), "MO-TF-0043",
               "'c'");
  refused_text("an input of no type", node("x", "Placeholder", "", number_attr("dtype", 1)) + node("y", "Relu", "x"),
               "MO-BACK-0003", "");
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += number_attr("a" + std::to_string(i), i);
  refused_text("10,000 attributes", kInput + node("y", "Relu", "x", many), "MO-TF-0011");
  const std::string numbers(10'000'000, '\1');
  refused_bytes(
      "a list of ten million numbers",
      wire_input("x") + wire_node("y", "Relu", {"x"}, wire_attribute("a", bytes_field(1, bytes_field(3, numbers)))),
      "MO-TF-0011");
}

/// Rows 32 to 36.
TEST_F(TensorFlowBadGraph, Tensors) {
  const auto with = [](std::uint64_t type, const std::vector<std::uint64_t>& dims, std::string_view rest) {
    return wire_input("x") + wire_constant("y", type, dims, rest) + wire_node("o", "AddV2", {"x", "y"});
  };
  refused_bytes("dimension -1", with(1, {~0ULL}, bytes_field(4, std::string(8, '\0'))), "MO-TF-0021");
  refused_bytes("dimension -2", with(1, {~1ULL}, bytes_field(4, std::string(8, '\0'))), "MO-TF-0021");
  refused_bytes("dimension 2^63-1", with(1, {INT64_MAX}, bytes_field(4, std::string(8, '\0'))), "MO-TF-0021");
  refused_bytes("a product that overflows", with(1, {1ULL << 32, 1ULL << 32, 4}, bytes_field(4, std::string(8, '\0'))),
                "MO-TF-0021");
  refused_bytes("a product that overflows to 0", with(1, {1ULL << 32, 1ULL << 32}, ""), "MO-TF-0021");
  refused_bytes("1,000 dimensions", with(1, std::vector<std::uint64_t>(1000, 1), bytes_field(4, std::string(4, '\0'))),
                "MO-TF-0021");
  refused_bytes("too few bytes", with(1, {2}, bytes_field(4, std::string(7, '\0'))), "MO-TF-0022");
  refused_bytes("too many bytes", with(1, {2}, bytes_field(4, std::string(12, '\0'))), "MO-TF-0022");
  refused_bytes("too many values", with(1, {2}, bytes_field(5, std::string(12, '\0'))), "MO-TF-0022");
  refused_bytes("a packed list of half a number", with(1, {2}, bytes_field(5, std::string(7, '\0'))), "MO-PB-0007");
  refused_bytes("one value for 10^12 elements", with(1, {1'000'000'000'000}, bytes_field(5, std::string(4, '\0'))),
                "MO-TF-0023");
  refused_bytes("no value for 10^12 elements", with(1, {1'000'000'000'000}, ""), "MO-TF-0023");
  refused_bytes("type 0", with(0, {2}, bytes_field(4, std::string(8, '\0'))), "MO-TF-0020");
  refused_bytes("type 99", with(99, {2}, bytes_field(4, std::string(8, '\0'))), "MO-TF-0020");
  refused_bytes("a resource", with(20, {2}, ""), "MO-TF-0020");
  refused_bytes("text that is used as numbers", with(7, {2}, bytes_field(8, "a") + bytes_field(8, "b")), "MO-OPS-0006",
                "'o'");
  refused_bytes("one string for 10^12 elements", with(7, {1'000'000'000'000}, bytes_field(8, "a")), "MO-TF-0023");
  const std::string relu = wire_node("y", "Relu", {"x"});
  converted(run_bytes(wire_input("x", {~0ULL, 0}) + relu));
  refused_bytes("an input with dimension -2", wire_input("x", {~1ULL}) + relu, "MO-TF-0021", "'x'");
  refused_bytes("an input with dimension 2^63-1", wire_input("x", {INT64_MAX}) + relu, "MO-TF-0021", "'x'");
  refused_bytes("an input whose size overflows", wire_input("x", {1ULL << 32, 1ULL << 32}) + relu, "MO-CORE-0002",
                "'x'");
}

constexpr Bounds kLarge{.seconds = 60, .peak_bytes = 1ULL << 30};

/// Rows 53 to 55: time and memory grow with the number of nodes, not faster.
TEST_F(TensorFlowBadGraph, LongChain) {
  std::string bytes = wire_input("x");
  std::string before = "x";
  for (int i = 0; i < 100'000; ++i) {
    const std::string name = "n" + std::to_string(i);
    bytes += wire_node(name, i % 2 == 0 ? "Sin" : "Cos", {before});
    before = name;
  }
  converted(run(model(bytes, "m.pb"), kLarge));
}

TEST_F(TensorFlowBadGraph, OneNodeWithVeryManyReaders) {
  std::string bytes = wire_input("x") + wire_node("c", "Sin", {"x"});
  std::vector<std::string> names;
  for (int i = 0; i < 50'000; ++i) {
    names.push_back("n" + std::to_string(i));
    bytes += wire_node(names.back(), "Maximum", {"c", i == 0 ? "x" : names[static_cast<std::size_t>(i) - 1]});
  }
  converted(run(model(bytes, "m.pb"), kLarge));
  // The same node again and again: all of them are one.
  bytes = wire_input("x");
  for (int i = 0; i < 50'000; ++i) bytes += wire_node("n" + std::to_string(i), "Sin", {"x"});
  converted(
      run(model(bytes + wire_node("y", "AddN", names, wire_attribute("N", varint_field(3, names.size()))), "m.pb"),
          kLarge));
}

TEST_F(TensorFlowBadGraph, LatticeOfAdditions) {
  std::string bytes = wire_input("x") + wire_input("z");
  std::string a = "x";
  std::string b = "z";
  for (int i = 0; i < 25'000; ++i) {
    const std::string number = std::to_string(i);
    bytes += wire_node("a" + number, "AddV2", {a, b}) + wire_node("b" + number, "Mul", {a, b});
    a = "a" + number;
    b = "b" + number;
  }
  converted(run(model(bytes + wire_node("y", "AddV2", {a, b}), "m.pb"), kLarge));
}

}  // namespace
}  // namespace mo::test
