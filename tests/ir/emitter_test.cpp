#include <cmath>
#include <pugixml.hpp>

#include "core/graph/runtime_info.hpp"
#include "core/graph/tensor_layout.hpp"
#include "core/tensor/convert.hpp"
#include "tests/ir/support.hpp"

namespace mo::ir_test {
namespace {

using ir_emitter::emit;
using ir_emitter::EmitOptions;

TEST(Emitter, WritesLayersPortsNamesAndSources) {
  const Directory dir;
  Graph graph;
  build_small(graph);
  const auto report = emit(graph, options(dir / "m.xml"));
  ASSERT_TRUE(report) << error_text(report);
  EXPECT_EQ(report->layers, 3U);
  const std::string xml = read_text(dir / "m.xml");
  EXPECT_EQ(report->xml_bytes, xml.size());
  EXPECT_EQ(std::filesystem::file_size(dir / "m.bin"), 0U);
  EXPECT_EQ(dir.file_count(), 2U);  // no temporaries
  for (const char* part :
       {"<net name=\"small\" version=\"11\">", "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">",
        "<data shape=\"2, 3\" element_type=\"f32\" />",
        "name=\"a&lt;b>&amp;&quot;c&quot;\" type=\"SoftMax\" version=\"opset1\"", "names=\"ends_,with\\,comma,z\"",
        "<attribute name=\"fused_names\" version=\"0\" value=\"one\\, two, three\" />",
        "<port id=\"0\" precision=\"FP32\">", "<edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\" />"})
    EXPECT_NE(xml.find(part), std::string::npos) << part << "\n" << xml;
}

TEST(Emitter, Version10HasNoPrecisionOnInputsAndNoRuntimeInfoInLayers) {
  const Directory dir;
  Graph graph;
  build_small(graph);
  EmitOptions o = options(dir / "m.xml", 10);
  o.rt_info.set("MO_version", "2021.4");
  o.rt_info.set("conversion_parameters",
                AttributeMap{{"framework", "onnx"},
                             {"batch", std::int64_t{1}},
                             {"unset_cli_parameters", std::vector<std::string>{"input", "output"}}});
  ASSERT_TRUE(emit(graph, o));
  const std::string xml = read_text(dir / "m.xml");
  EXPECT_GT(xml.find("<rt_info>"), xml.find("</edges>"));
  EXPECT_NE(xml.find("<port id=\"0\">"), std::string::npos);
  EXPECT_NE(xml.find("<MO_version value=\"2021.4\" />"), std::string::npos);
  EXPECT_LT(xml.find("<batch value=\"1\" />"), xml.find("<framework value=\"onnx\" />"));  // sorted
  EXPECT_NE(xml.find("<unset unset_cli_parameters=\"input, output\" />"), std::string::npos);
}

// Readers since 2022.3 refuse a net of version 10 whose <meta_data> has an element that they do not know.
TEST(Emitter, Version10HasOnlyKnownElementsInMetaData) {
  const Directory dir;
  Graph graph;
  build_small(graph);
  EmitOptions o = options(dir / "m.xml", 10);
  o.rt_info.set("MO_version", "2021.4");
  o.rt_info.set("quantization_parameters", AttributeMap{{"preset", "mixed"}});
  ASSERT_TRUE(emit(graph, o));
  pugi::xml_document document;
  ASSERT_TRUE(document.load_file((dir / "m.xml").c_str()));
  const pugi::xml_node net = document.child("net");
  std::vector<std::string> names;
  for (const pugi::xml_node& child : net.child("meta_data")) names.emplace_back(child.name());
  EXPECT_EQ(names, std::vector<std::string>{"MO_version"});
  EXPECT_TRUE(net.child("rt_info").child("checksums"));
  EXPECT_STREQ(net.child("rt_info").child("quantization_parameters").child("preset").attribute("value").value(),
               "mixed");
}

TEST(Emitter, Version11KeepsNestedRuntimeInfoOfTheNet) {
  const Directory dir;
  Graph graph;
  build_small(graph);
  EmitOptions o = options(dir / "m.xml");
  o.rt_info.set("conversion_parameters",
                AttributeMap{{"framework", "onnx"}, {"not a name", true}, {"unset_cli_parameters", "x"}});
  for (const Node node : graph.nodes())
    if (node.is("SoftMax")) node.set_rt_info("decompression");
  ASSERT_TRUE(emit(graph, o));
  const std::string xml = read_text(dir / "m.xml");
  EXPECT_NE(xml.find("<conversion_parameters>"), std::string::npos);
  EXPECT_NE(xml.find("<info name=\"not a name\" value=\"true\" />"), std::string::npos);
  EXPECT_NE(xml.find("<attribute name=\"decompression\" version=\"0\" />"), std::string::npos);
  EXPECT_EQ(xml.find("unset"), std::string::npos);
}

/// A mark is written exactly when its rule says so.
TEST(Emitter, NotesAndMarksOfPassesStayInMemory) {
  const Directory dir;
  Graph graph;
  build_small(graph);
  const char* const names[] = {"decompression",       "acme_mark",    "@acme_note",
                               "precision_sensitive", "hidden_shape", "clipped"};
  for (const Node node : graph.nodes())
    for (const char* name : names) node.set_rt_info(name);
  ASSERT_TRUE(emit(graph, options(dir / "m.xml")));
  const std::string xml = read_text(dir / "m.xml");
  for (const char* name : names)
    EXPECT_EQ(xml.find(fmt::format("name=\"{}\"", name)) != std::string::npos, runtime_attribute_rule(name).serialized)
        << name;
  EXPECT_FALSE(runtime_attribute_rule("@acme_note").serialized);
}

TEST(Emitter, LayoutsAreAtThePortThatTheRuntimeReads) {
  const Directory dir;
  Graph graph;
  const Node x = graph.create_parameter(f32({2, 2}), "x");
  const Node r = graph.create_result(soft_max(x.out_port(0), "s"), "r");
  set_tensor_layout(x, "[N,C]", true);
  set_tensor_layout(r, "[N,?]");
  EmitOptions o = options(dir / "m.xml");
  ASSERT_TRUE(emit(graph, o));
  const std::string xml = read_text(dir / "m.xml");
  const auto port = [&](std::string_view layout) {
    return fmt::format(
        "<dim>2</dim>\n\t\t\t\t\t<rt_info>\n\t\t\t\t\t\t<attribute name=\"layout\" version=\"0\" layout=\"{}\" />\n",
        layout);
  };
  const auto input = xml.find(port("[N,C]"));
  const auto output = xml.find(port("[N,?]"));
  ASSERT_NE(input, std::string::npos) << xml;
  ASSERT_NE(output, std::string::npos) << xml;
  EXPECT_LT(xml.find("name=\"x\""), input);
  EXPECT_LT(input, xml.find("name=\"s\""));
  EXPECT_LT(xml.find("name=\"s\""), output);
  EXPECT_LT(output, xml.find("name=\"r\""));
  o.ir_version = 10;
  ASSERT_TRUE(emit(graph, o));
  EXPECT_EQ(read_text(dir / "m.xml").find("layout"), std::string::npos) << "IR v10 has no place for it";
}

TEST(Emitter, SameGraphGivesSameBytes) {
  const Directory dir;
  for (const char* name : {"a.xml", "b.xml"}) {
    Graph graph;
    build_small(graph);
    add_constant(graph, floats({1, 2, 3}), "c");
    add_constant(graph, Tensor::scalar<std::int64_t>(5), "d");
    ASSERT_TRUE(emit(graph, options(dir / name)));
  }
  EXPECT_EQ(read_text(dir / "a.xml"), read_text(dir / "b.xml"));
  EXPECT_EQ(read_text(dir / "a.bin"), read_text(dir / "b.bin"));
}

TEST(Emitter, ParametersComeFirstAndResultsLastInTheModelsOrder) {
  const Directory dir;
  Graph graph;
  const Node a = graph.create_parameter(f32({2, 2}), "a");
  const Value s = soft_max(a.out_port(0), "s");
  const Node b = graph.create_parameter(f32({2, 2}), "b");
  const Node ra = graph.create_result(s, "ra");
  const Node rb = graph.create_result(b.out_port(0), "rb");
  graph.reorder_parameters({b, a});
  graph.reorder_results({rb, ra});
  ASSERT_TRUE(emit(graph, options(dir / "m.xml")));
  const std::string xml = read_text(dir / "m.xml");
  std::size_t last = 0;
  for (const char* part : {"id=\"0\" name=\"b\"", "id=\"1\" name=\"a\"", "id=\"2\" name=\"s\"", "id=\"3\" name=\"rb\"",
                           "id=\"4\" name=\"ra\""}) {
    const std::size_t at = xml.find(part);
    ASSERT_NE(at, std::string::npos) << part << "\n" << xml;
    EXPECT_LT(last, at);
    last = at;
  }
}

TEST(Emitter, AttributesFollowTheDeclaration) {
  const Directory dir;
  Graph graph;
  const Node x = graph.create_parameter(f32({1}), "x");
  const Node node = graph.create_node(Everything{.flag = true,
                                                 .real = 0.25,
                                                 .text = "a\"b\nc",
                                                 .mode = Mode::Fancy,
                                                 .type = ElementType::f16,
                                                 .integers = {1, 2},
                                                 .reals = {0.1}},
                                      {x.out_port(0)}, 1, "e");
  node.out_port(0).data().set_type(f32({1}));
  graph.create_result(node.out_port(0), "y");
  ASSERT_TRUE(emit(graph, options(dir / "m.xml")));
  EXPECT_NE(read_text(dir / "m.xml")
                .find("version=\"test_opset\">\n\t\t\t<data flag=\"true\" real=\"0.25\" text=\"a&quot;b&#10;c\" "
                      "mode=\"Fancy\" type=\"f16\" "
                      "integers=\"1, 2\" reals=\"0.1\" />"),
            std::string::npos)
      << read_text(dir / "m.xml");
  DiagnosticList sink;
  const auto read = ir::read_ir(dir / "m.xml", "", registry(), sink);
  ASSERT_TRUE(read) << error_text(read);
  EXPECT_EQ((*read)->find_node("e").attributes(), node.attributes());
  EXPECT_TRUE(sink.items.empty());
}

TEST(Emitter, ADefaultIsOmittedOnlyIfTheOpDeclaresIt) {
  const Directory dir;
  Graph graph;
  const Node node = graph.create_node(ops::SoftMax{}, {graph.create_parameter(f32({1, 1}), "x").out_port(0)}, 1, "s");
  node.out_port(0).data().set_type(f32({1, 1}));
  graph.create_result(node.out_port(0), "y");
  ASSERT_TRUE(emit(graph, options(dir / "m.xml")));
  EXPECT_NE(read_text(dir / "m.xml").find("<data axis=\"1\" />"), std::string::npos) << read_text(dir / "m.xml");
}

TEST(Emitter, CustomOpsDeclareTheirOpSet) {
  const Directory dir;
  Graph graph;
  const Node x = graph.create_parameter(f32({1}), "x");
  // What begins with @ is for passes, and an input at the end that is not connected has no port.
  const Node node = graph.create_node(Op("Fancy", {{"version", "my_opset"}, {"alpha", 0.5}, {"@opset", 1}}),
                                      {x.out_port(0), Value()}, 1, "f");
  node.out_port(0).data().set_type(f32({1}));
  graph.create_result(node.out_port(0), "y");
  ASSERT_TRUE(emit(graph, options(dir / "m.xml")));
  EXPECT_NE(read_text(dir / "m.xml").find("type=\"Fancy\" version=\"my_opset\">\n\t\t\t<data alpha=\"0.5\" />"),
            std::string::npos);
  EXPECT_NE(read_text(dir / "m.xml").find("from-layer=\"1\" from-port=\"1\""), std::string::npos)
      << "the output comes behind one input";
  DiagnosticList sink;
  const auto read = ir::read_ir(dir / "m.xml", "", registry(), sink);
  EXPECT_EQ(error_code(read), "MO-IR-0010");
  EXPECT_NE(error_text(read).find("Fancy (my_opset): 'f'"), std::string::npos) << error_text(read);
}

TEST(Emitter, NamesThatXmlCannotHoldAreReplacedAndStayDifferent) {
  const Directory dir;
  Graph graph;
  graph.name = std::string(3000, '"');
  graph.create_result(soft_max(graph.create_parameter(f32({1, 1}), "x").out_port(0), "a\x01"), "a_");
  add_constant(graph, floats({1}), "bad\xff utf-8 \xed\xa0\x80");
  add_constant(graph, floats({1}), "overlong \xe0\x80\x80");
  ASSERT_TRUE(emit(graph, options(dir / "m.xml")));
  DiagnosticList sink;
  const auto read = ir::read_ir(dir / "m.xml", "", registry(), sink);
  ASSERT_TRUE(read) << error_text(read);
  EXPECT_TRUE((*read)->find_node("a__1"));
  EXPECT_TRUE((*read)->find_node("a_"));
  EXPECT_TRUE((*read)->find_node("bad\xEF\xBF\xBD utf-8 \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
  EXPECT_TRUE((*read)->find_node("overlong \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
  const std::string xml = read_text(dir / "m.xml");
  EXPECT_LT(xml.find('>', xml.find("<net")), 512U);
}

TEST(Emitter, ReportsAllNodesThatCannotBeWritten) {
  const Directory dir;
  Graph graph;
  const Node x = graph.create_parameter({ElementType::dynamic, {1}}, "x");
  const Node unknown = graph.create_node(Op("onnx::Softmax", {}), {x.out_port(0)}, 1, "u");
  unknown.out_port(0).data().set_type(f32({1}));
  const Node gap = graph.create_node(ops::v1::SoftMax{}, {Value(), unknown.out_port(0)}, 1, "g");
  gap.out_port(0).data().set_type(f32({1}));
  const Node name = graph.create_node(Op("N", {{"version", "v"}, {"no name", 1}}), {}, 1, "n");
  name.out_port(0).data().set_type(f32({1}));
  const auto report = emit(graph, options(dir / "m.xml"));
  ASSERT_FALSE(report);
  std::vector<std::string> codes;
  for (const Diagnostic& d : report.error().items()) codes.push_back(d.code);
  EXPECT_EQ(codes, (std::vector<std::string>{"MO-EMIT-0006", "MO-EMIT-0004", "MO-EMIT-0005", "MO-EMIT-0010"}))
      << error_text(report);
  EXPECT_EQ(dir.file_count(), 0U);
}

TEST(Emitter, Version10RefusesDynamicShapes) {
  const Directory dir;
  Graph graph;
  graph.create_result(graph.create_parameter(f32({Dimension(), 3}), "x").out_port(0), "y");
  EXPECT_EQ(error_code(emit(graph, options(dir / "m.xml", 10))), "MO-EMIT-0007");
  ASSERT_TRUE(emit(graph, options(dir / "m.xml", 11)));
  EXPECT_NE(read_text(dir / "m.xml").find("<dim>-1</dim>"), std::string::npos);
}

TEST(Emitter, ValuesWithoutATextAreErrorsThatNameTheNode) {
  const Directory dir;
  Graph graph;
  Everything endless;
  endless.real = INFINITY;
  const Node node = graph.create_node(endless, {}, 1, "e");
  node.out_port(0).data().set_type(f32({1}));
  const auto report = emit(graph, options(dir / "m.xml"));
  EXPECT_EQ(error_code(report), "MO-CORE-0012");
  EXPECT_NE(error_text(report).find("'e'"), std::string::npos) << error_text(report);
  EXPECT_EQ(dir.file_count(), 0U);  // the temporaries of .bin and .xml are gone
}

}  // namespace
}  // namespace mo::ir_test
