#include "tests/ir/support.hpp"

namespace mo::ir_test {
namespace {

using ir_emitter::emit;

/// Counts 4 rounds: state' = softmax(state); the last state and all states leave the loop.
std::unique_ptr<Graph> loop_model() {
  auto graph = std::make_unique<Graph>();
  graph->name = "loop";
  const Node trips = graph->create_constant(Tensor::scalar<std::int64_t>(4), "trips");
  const Node go = graph->create_constant(Tensor::scalar(true), "go");
  const Node state = graph->create_parameter(f32({1, 2}), "s0");
  Loop loop;
  Graph& body = loop.body.graph();
  body.create_parameter({ElementType::i64, PartialShape(Shape{})}, "i");
  const Node inner = body.create_parameter(f32({1, 2}), "s_in");
  const Value next = soft_max(inner.out_port(0), "s_out");
  body.create_result(body.create_constant(Tensor::scalar(true), "go_on").out_port(0), "go_on/sink");
  body.create_result(next, "s_out/sink");
  loop.input_map = {{.input = -1, .parameter = 0}, {.input = 2, .parameter = 1}};
  loop.output_map = {{.output = -1, .result = 0},
                     {.output = 0, .result = 1},
                     {.output = 1, .result = 1, .axis = 0, .start = 0, .end = -1, .stride = 1, .part_size = 1}};
  loop.back_edges = {{.result = 1, .parameter = 1}};
  const Node node =
      graph->create_node(std::move(loop), {trips.out_port(0), go.out_port(0), state.out_port(0)}, 2, "loop");
  node.out_port(0).data().set_type(f32({1, 2}));
  node.out_port(1).data().set_type(f32({4, 2}));
  graph->create_result(node.out_port(0), "last");
  graph->create_result(node.out_port(1), "all");
  return graph;
}

std::unique_ptr<Graph> if_model() {
  auto graph = std::make_unique<Graph>();
  graph->name = "if";
  const Node condition = graph->create_parameter({ElementType::boolean, PartialShape(Shape{})}, "cond");
  const Node x = graph->create_parameter(f32({1, 2}), "x");
  If op;
  Graph& then_body = op.then_body.graph();
  then_body.create_result(soft_max(then_body.create_parameter(f32({1, 2}), "tx").out_port(0), "t"), "t/sink");
  Graph& else_body = op.else_body.graph();
  else_body.create_result(else_body.create_constant(*Tensor::allocate(ElementType::f32, {1, 2}), "zeros").out_port(0),
                          "e/sink");
  op.then_input_map = {{.input = 1, .parameter = 0}};
  op.then_output_map = {{.output = 0, .result = 0}};
  op.else_output_map = {{.output = 0, .result = 0}};
  const Node node = graph->create_node(std::move(op), {condition.out_port(0), x.out_port(0)}, 1, "pick");
  node.out_port(0).data().set_type(f32({1, 2}));
  graph->create_result(node.out_port(0), "y");
  return graph;
}

TEST(Bodies, ALoopComesBackAsItWas) {
  const Directory dir;
  const auto graph = loop_model();
  const auto report = emit(*graph, options(dir / "m.xml"));
  ASSERT_TRUE(report) << error_text(report);
  EXPECT_EQ(report->constants, 3U);
  EXPECT_EQ(report->shared_constants, 1U);  // "true" inside and outside
  const std::string xml = read_text(dir / "m.xml");
  for (const char* part : {"<input external_port_id=\"-1\" internal_layer_id=\"0\" purpose=\"current_iteration\" />",
                           "<output external_port_id=\"-1\" internal_layer_id=\"4\" purpose=\"execution_condition\" />",
                           "<output external_port_id=\"4\" internal_layer_id=\"5\" axis=\"0\" start=\"0\" end=\"-1\" "
                           "stride=\"1\" part_size=\"1\" />",
                           "<edge from-layer=\"5\" to-layer=\"1\" />"})
    EXPECT_NE(xml.find(part), std::string::npos) << part << "\n" << xml;
  DiagnosticList sink;
  const auto read = ir::read_ir(dir / "m.xml", "", registry(), sink);
  ASSERT_TRUE(read) << error_text(read);
  EXPECT_EQ((*read)->find_node("loop").attributes(), graph->find_node("loop").attributes());
  ASSERT_TRUE(emit(**read, options(dir / "again.xml")));
  EXPECT_EQ(read_text(dir / "again.xml"), xml);
  EXPECT_EQ(read_text(dir / "again.bin"), read_text(dir / "m.bin"));
}

TEST(Bodies, AnIfComesBackAsItWas) {
  const Directory dir;
  const auto graph = if_model();
  ASSERT_TRUE(emit(*graph, options(dir / "m.xml")));
  const std::string xml = read_text(dir / "m.xml");
  EXPECT_NE(xml.find("<else_port_map>\n\t\t\t\t<output external_port_id=\"0\" internal_layer_id=\"1\" />"),
            std::string::npos)
      << xml;
  DiagnosticList sink;
  const auto read = ir::read_ir(dir / "m.xml", "", registry(), sink);
  ASSERT_TRUE(read) << error_text(read);
  EXPECT_EQ(to_text(**read), to_text(*graph));
}

TEST(Bodies, PortMapsThatDoNotFitAreErrors) {
  const Directory dir;
  const auto broken = [&](auto&& change) {
    const auto graph = loop_model();
    change(*graph->find_node("loop").template as<Loop>());
    return error_code(emit(*graph, options(dir / "m.xml")));
  };
  EXPECT_EQ(broken([](Loop& l) { l.input_map[1].input = 9; }), "MO-EMIT-0008");
  EXPECT_EQ(broken([](Loop& l) { l.input_map[1].parameter = 2; }), "MO-EMIT-0008");
  EXPECT_EQ(broken([](Loop& l) { l.output_map[1].result = -1; }), "MO-EMIT-0008");
  EXPECT_EQ(broken([](Loop& l) { l.output_map[2].output = 0; }), "MO-EMIT-0008");
  EXPECT_EQ(broken([](Loop& l) { l.input_map.push_back({.input = 2, .parameter = 0}); }), "MO-EMIT-0008");
  EXPECT_EQ(broken([](Loop& l) { l.back_edges[0].result = 7; }), "MO-EMIT-0008");
  EXPECT_EQ(dir.file_count(), 0U);
}

TEST(Bodies, NestingIsBounded) {
  const Directory dir;
  Body innermost;
  innermost.graph().create_result(innermost.graph().create_parameter(f32({1}), "x").out_port(0), "y");
  for (int i = 0; i < 40; ++i) {
    Body next;
    Loop loop;
    loop.body = std::move(innermost);
    next.graph().create_node(std::move(loop), {}, 0, "loop");
    innermost = std::move(next);
  }
  EXPECT_EQ(error_code(emit(innermost.graph(), options(dir / "m.xml"))), "MO-EMIT-0009");
}

}  // namespace
}  // namespace mo::ir_test
