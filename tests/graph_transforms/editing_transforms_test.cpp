#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "tests/graph_transforms/transformed.hpp"

// Transforms that need no values: names, ops, attributes, devices, order, pruning.
namespace mo::graph_transforms::testing {
namespace {

const std::string kTree =
    node("const_node1", "Const") + node("const_node2", "Const") + node("const_node3", "Const") +
    node("add_node2", "Add", "const_node1 const_node2") + node("add_node3", "Add", "const_node1 const_node3") +
    node("mul_node1", "Mul", "add_node2 add_node3") + node("add_node4", "Add", "mul_node1 const_node3");

TEST(RenameOp, ChangesNodesOfThatOpOnly) {
  const Transformed result = transformed(kTree, "rename_op(old_op_name=Mul, new_op_name=Multiply)");
  EXPECT_EQ(result.nodes_of("Multiply"), "mul_node1 = Multiply(add_node2, add_node3)\n");
  EXPECT_EQ(result.count("Add"), 3U);
  EXPECT_EQ(result.count("Mul"), 0U);
  EXPECT_EQ(transformed(kTree, "rename_op(old_op_name=Mul)").error_code, "MO-GTT-0013");
  EXPECT_EQ(transformed(kTree, "rename_op(old_op_name=Mul, old_op_name=Add, new_op_name=x)").error_code, "MO-GTT-0010");
  EXPECT_EQ(transformed(kTree, "rename_op(old_op_name=Mul, new_op_name=\"\")").error_code, "MO-GTT-0014");
}

TEST(RenameNode, ChangesInputsToo) {
  const std::string text = node("x", "Placeholder") + node("splitter", "Split", "x") +
                           node("y", "Add", "splitter splitter:1") + node("z", "NoOp", "^splitter");
  EXPECT_EQ(transformed(text, "rename_node(old_node_name=splitter, new_node_name=a/demux)").nodes(),
            "x = Placeholder()\na/demux = Split(x)\ny = Add(a/demux, a/demux:1)\nz = NoOp(^a/demux)\n");
  EXPECT_EQ(transformed(text, "rename_node(old_node_name=splitter, new_node_name=y)").error_code, "MO-GTT-0022");
  EXPECT_EQ(transformed(text, "rename_node(old_node_name=nobody, new_node_name=new)").count("Split"), 1U);
}

TEST(RenameNode, TakesNoNameThatInputsOfAGraphDefCannotSpell) {
  const std::string text = node("x", "Placeholder") + node("y", "Relu", "x");
  for (const char* name : {"a:1", "^a"})
    EXPECT_EQ(transformed(text, fmt::format("rename_node(old_node_name=x, new_node_name=\"{}\")", name)).error_code,
              "MO-GTT-0014")
        << name;
  EXPECT_EQ(transformed(text, "rename_node(old_node_name=x, new_node_name=\"y:1\")", {{}, {"y:1"}}).error_code,
            "MO-GTT-0014");
  const Transformed result = transformed(text, "");
  result.find("x").set_name("a:1");
  const auto bytes = tensorflow::graph_def_bytes(*result.graph);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().first().code, "MO-TF-0055");
}

std::string devices_of(const Transformed& result) {
  std::string text;
  for (const Node node : result.graph->nodes()) text += node.attr<std::string>("@device").value_or("-") + " ";
  return text;
}

TEST(SetDevice, SetsAllOrTheEmptyOnes) {
  const std::string text =
      "node { name: 'a' op: 'Const' device: '//cpu:0' } node { name: 'b' op: 'Const' device: '//device:GPU:1' } node { "
      "name: 'c' op: 'Const' }";
  EXPECT_EQ(devices_of(transformed(text, "set_device(device=\"/device:CPU:0\")")),
            "/device:CPU:0 /device:CPU:0 /device:CPU:0 ");
  EXPECT_EQ(devices_of(transformed(text, "set_device(device=\"/device:GPU:0\", if_default=true)")),
            "//cpu:0 //device:GPU:1 /device:GPU:0 ");
  EXPECT_EQ(devices_of(transformed(text, "remove_device")), "- - - ");
}

TEST(RemoveControlDependencies, LeavesTensors) {
  EXPECT_EQ(transformed(node("a", "Const") + node("b", "Relu", "a ^a"), "remove_control_dependencies").nodes(),
            "a = Const()\nb = Relu(a)\n");
}

std::string keys_of(const Node& node) {
  std::string text;
  for (const auto& item : node.attributes()) text += item.name + " ";
  return text;
}

const std::string kAttributes = attribute("foo", "i: 1") + attribute("bar", "i: 2") + attribute("bob", "i: 3");

TEST(RemoveAttribute, FromAllOpsOrOne) {
  const std::string text = node("m", "Mul", "", kAttributes) + node("a", "Add", "", kAttributes);
  const Transformed all = transformed(text, "remove_attribute(attribute_name=foo)");
  EXPECT_EQ(keys_of(all.find("m")), "bar bob ");
  EXPECT_EQ(keys_of(all.find("a")), "bar bob ");
  const Transformed one = transformed(text, "remove_attribute(attribute_name=foo, op_name=Mul)");
  EXPECT_EQ(keys_of(one.find("m")), "bar bob ");
  EXPECT_EQ(one.find("a").attr<std::int64_t>("foo"), 1);
  EXPECT_EQ(transformed(text, "remove_attribute").error_code, "MO-GTT-0013");
}

TEST(RenameAttribute, KeepsAnExistingOne) {
  const std::string text = node("m", "Mul", "", kAttributes) + node("a", "Add", "", kAttributes);
  const Transformed result =
      transformed(text, "rename_attribute(old_attribute_name=foo, new_attribute_name=baz, op_name=Mul)");
  EXPECT_EQ(result.find("m").attr<std::int64_t>("baz"), 1);
  EXPECT_FALSE(result.find("m").has_attr("foo"));
  EXPECT_TRUE(result.find("a").has_attr("foo"));
  const Transformed taken = transformed(text, "rename_attribute(old_attribute_name=foo, new_attribute_name=bar)");
  EXPECT_EQ(taken.find("m").attr<std::int64_t>("bar"), 2);
  EXPECT_FALSE(taken.find("m").has_attr("foo"));
}

TEST(SortByExecutionOrder, WritesNodesAfterTheirInputs) {
  EXPECT_EQ(transformed(node("y", "Add", "b:1 a ^c") + node("a", "Const") + node("b", "Split", "a") + node("c", "NoOp"),
                        "sort_by_execution_order")
                .nodes(),
            "c = NoOp()\na = Const()\nb = Split(a)\ny = Add(b:1, a, ^c)\n");
  EXPECT_EQ(transformed(node("a", "Relu", "b") + node("b", "Relu", "a"), "sort_by_execution_order").error_code,
            "MO-GTT-0020");
}

TEST(ObfuscateNames, CountsInDigitsAndLetters) {
  std::string text;
  for (int i = 0; i < 3845; ++i) text += node(fmt::format("node{}", i), "Const");
  const Transformed result = transformed(text, "obfuscate_names");
  std::vector<std::string> names;
  for (const Node node : result.graph->nodes()) names.emplace_back(node.name());
  for (const auto& [index, id] : std::vector<std::pair<std::size_t, std::string>>{{0, "0"},
                                                                                  {9, "9"},
                                                                                  {10, "a"},
                                                                                  {35, "z"},
                                                                                  {36, "A"},
                                                                                  {61, "Z"},
                                                                                  {62, "10"},
                                                                                  {123, "1Z"},
                                                                                  {124, "20"},
                                                                                  {3843, "ZZ"},
                                                                                  {3844, "100"}})
    EXPECT_EQ(names[index], id);
}

TEST(ObfuscateNames, KeepsFeedsAndFetchesAndTheirNamesFree) {
  for (const std::string spelling : {"obfuscate_names", "obsfucate_names"})
    EXPECT_EQ(transformed(node("a", "Const") + node("1", "Relu", "a") + node("b", "Relu", "1") + node("c", "Relu", "b"),
                          spelling, {{"1:0"}, {"c"}})
                  .nodes(),
              "0 = Const()\n1 = Relu(0)\n2 = Relu(1)\nc = Relu(2)\n");
}

TEST(RemoveNodes, ReadersTakeTheInput) {
  const std::string text = node("c", "Split") + node("i1", "Identity", "c:1") + node("i2", "Identity", "i1") +
                           node("i3", "Identity", "i2") + node("y", "Relu", "i3 ^i2");
  EXPECT_EQ(transformed(text, "remove_nodes(op=Identity)").nodes(), "c = Split()\ny = Relu(c:1, ^c)\n");
  EXPECT_EQ(transformed(text, "remove_nodes(op=Identity)", {{}, {"i2"}}).nodes(),
            "c = Split()\ni2 = Identity(c:1)\ny = Relu(i2, ^i2)\n");
  EXPECT_EQ(transformed(text, "remove_nodes").error_code, "MO-GTT-0013");
}

TEST(RemoveNodes, BranchesThatShareAnInputAreAllRemoved) {
  EXPECT_EQ(transformed(node("c", "Const") + node("i1", "Identity", "c") + node("i2", "Identity", "c") +
                            node("y", "Add", "i1 i2"),
                        "remove_nodes(op=Identity)")
                .nodes(),
            "c = Const()\ny = Add(c, c)\n");
}

TEST(RemoveNodes, TakesNodesOfMoreInputsOnRequest) {
  const std::string text = node("c", "Const") + node("min", "Const") + node("max", "Const") +
                           node("q", "FakeQuantWithMinMaxVars", "c min max") + node("y", "Relu", "q");
  EXPECT_EQ(transformed(text, "remove_nodes(op=FakeQuantWithMinMaxVars)").count("FakeQuantWithMinMaxVars"), 1U);
  EXPECT_EQ(transformed(text, "remove_nodes(op=FakeQuantWithMinMaxVars, max_inputs=3)").nodes_of("Relu"),
            "y = Relu(c)\n");
}

TEST(RemoveNodes, ANodeWhoseSecondOutputIsReadStays) {
  const std::string text = node("c", "Const") + node("s", "Unique", "c") + node("y", "Add", "s s:1");
  EXPECT_EQ(transformed(text, "remove_nodes(op=Unique)").nodes_of("Add"), "y = Add(s, s:1)\n");
}

TEST(BackportConcatV2, PutsTheAxisFirst) {
  const std::string text =
      node("c1", "Const") + node("c2", "Const") + node("c3", "Const") +
      node("concat", "ConcatV2", "c1 c2 c3 ^c1", attribute("Tidx", "type: DT_INT32") + attribute("N", "i: 2"));
  const Transformed result = transformed(text, "backport_concatv2");
  EXPECT_EQ(result.nodes_of("Concat"), "concat = Concat(c3, c1, c2, ^c1)\n");
  EXPECT_EQ(keys_of(result.find("concat")), "N ");
}

TEST(BackportTensorArrayV3, ConvertsToVersionTwo) {
  const std::string text = node("size", "Const") + node("array", "TensorArrayV3", "size") +
                           node("grad", "TensorArrayGradV3", "array array:1") +
                           node("write", "TensorArrayWriteV3", "array size size array:1");
  EXPECT_EQ(
      transformed(text, "backport_tensor_array_v3").nodes(),
      "size = Const()\narray = TensorArrayV2(size)\ngrad = TensorArrayGradV2(array, array/replacement_flow_node)\n"
      "write = TensorArrayWriteV2(array, size, size, array/replacement_flow_node)\narray/replacement_flow_node = "
      "Const()\n");
  for (const std::string op : {"Write", "Read", "Gather", "Scatter", "Concat", "Split", "Size", "Close"})
    EXPECT_EQ(transformed(node("n", "TensorArray" + op + "V3"), "backport_tensor_array_v3").nodes(),
              "n = TensorArray" + op + "V2()\n");
}

// mul = Mul(add, placeholder), an unused Const, and one in front.
const std::string kStrip = node("a", "Const") + node("b", "Const") + node("add", "Add", "a b") +
                           node("placeholder", "Placeholder", "", attribute("dtype", "type: DT_INT32")) +
                           node("mul", "Mul", "add placeholder") + node("unused", "Const") +
                           node("dangling_input", "Placeholder");

std::string type_of(const Transformed& result, std::string_view name) {
  const Node found = result.find(name);
  const AttributeValue type = found.attribute("dtype");
  const std::string shown =
      type.get_if<std::string>() ? *type.get_if<std::string>() : std::string(to_string(*type.get_if<ElementType>()));
  const auto shape = found.attr<PartialShape>("shape");
  return shown + (shape ? shape->to_string() : "");
}

TEST(StripUnusedNodes, KeepsWhatOutputsNeedAndFeeds) {
  const Transformed result = transformed(kStrip, "strip_unused_nodes", {{"placeholder", "dangling_input:0"}, {"mul"}});
  EXPECT_EQ(result.nodes(),
            "a = Const()\nb = Const()\nadd = Add(a, b)\nplaceholder = Placeholder()\nmul = Mul(add, "
            "placeholder)\ndangling_input = Placeholder()\n");
  EXPECT_EQ(type_of(result, "placeholder"), "i32");
  EXPECT_EQ(transformed(kStrip, "strip_unused_nodes", {{}, {"nobody"}}).error_code, "MO-GTT-0018");
}

TEST(StripUnusedNodes, AFeedInTheMiddleBecomesAPlaceholder) {
  const Ends ends{{"add"}, {"mul"}};
  const Transformed plain = transformed(kStrip, "strip_unused_nodes", ends);
  EXPECT_EQ(plain.nodes(), "placeholder = Placeholder()\nmul = Mul(add, placeholder)\nadd = Placeholder()\n");
  EXPECT_EQ(type_of(plain, "add"), "f32[]");
  EXPECT_EQ(type_of(transformed(kStrip, "strip_unused_nodes(type=int32, shape=\"1,2,3\")", ends), "add"), "i32[1,2,3]");
  EXPECT_EQ(type_of(transformed(kStrip, "strip_unused_nodes(type=float_ref, shape=\"?, -1\")", ends), "add"),
            "DT_FLOAT_REF[?,?]");
  const Transformed named = transformed(
      kStrip,
      "strip_unused_nodes(name=a, type_for_name=int64, shape_for_name=\"1,2\", name=add, type_for_name=quint8, "
      "shape_for_name=\"1, 2, 3\")",
      {{"a", "add"}, {"mul"}});
  EXPECT_EQ(type_of(named, "a"), "i64[1,2]");
  EXPECT_EQ(type_of(named, "add"), "DT_QUINT8[1,2,3]");
}

TEST(StripUnusedNodes, WrongArgumentsAreErrors) {
  const Ends ends{{"add"}, {"mul"}};
  EXPECT_EQ(transformed(kStrip, "strip_unused_nodes(type=floating)", ends).error_code, "MO-GTT-0015");
  EXPECT_EQ(transformed(kStrip, "strip_unused_nodes(shape=\"\")", ends).error_code, "MO-GTT-0016");
  EXPECT_EQ(transformed(kStrip, "strip_unused_nodes(shape=\"1,x\")", ends).error_code, "MO-GTT-0016");
  EXPECT_EQ(transformed(kStrip, "strip_unused_nodes(shape=\"1,-2\")", ends).error_code, "MO-GTT-0016");
  EXPECT_EQ(
      transformed(kStrip, "strip_unused_nodes(name=a, type_for_name=int32, type_for_name=float)", ends).error_code,
      "MO-GTT-0017");
}

std::string calling(std::string_view inputs, std::string_view function, std::string_view reader = "call:1") {
  return node("x", "Placeholder") +
         node("call", "PartitionedCall", inputs, attribute("f", "func { name: '" + std::string(function) + "' }")) +
         node("y", "Add", "call " + std::string(reader) + " ^call") +
         "library { function { signature { name: 'f' input_arg { name: 'a' type: DT_FLOAT } input_arg { name: 'b' "
         "type: DT_FLOAT } output_arg { "
         "name: 'sum' } "
         "output_arg { name: 'same' } } node_def { name: 'add' op: 'Add' input: 'a' input: 'b' } node_def { name: 'id' "
         "op: 'Identity' input: "
         "'add:z:0' } "
         "ret { key: 'sum' value: 'id:output:0' } ret { key: 'same' value: 'b' } } }";
}

TEST(InlinePartitionedCall, NodesOfTheFunctionTakeItsPlace) {
  EXPECT_EQ(transformed(calling("x x", "f"), "inline_partitionedcall").nodes(),
            "x = Placeholder()\ny = Add(call/id, x, ^call/id)\ncall/add = Add(x, x)\ncall/id = Identity(call/add)\n");
}

TEST(InlinePartitionedCall, FetchedCallsKeepTheirNames) {
  EXPECT_EQ(transformed(calling("x x", "f"), "inline_partitionedcall", {{}, {"call:1", "y"}}).nodes(),
            "x = Placeholder()\ny = Add(call, call:1, ^call)\ncall/add = Add(x, x)\ncall/id = Identity(call/add)\ncall "
            "= IdentityN(call/id, x)\n");
}

TEST(InlinePartitionedCall, WrongCallsAreErrors) {
  EXPECT_EQ(transformed(calling("x x", "g"), "inline_partitionedcall").error_code, "MO-TF-0016");
  EXPECT_EQ(transformed(calling("x", "f"), "inline_partitionedcall").error_code, "MO-TF-0012");
  EXPECT_EQ(transformed(calling("x x", "f", "call:2"), "inline_partitionedcall").error_code, "MO-GTT-0034");
  EXPECT_EQ(transformed(node("call", "PartitionedCall"), "inline_partitionedcall").error_code, "MO-GTT-0026");
}

}  // namespace
}  // namespace mo::graph_transforms::testing
