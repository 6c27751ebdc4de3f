#include <atomic>

#include "core/inference/infer.hpp"
#include "core/support/budget.hpp"
#include "tests/ir/support.hpp"

namespace mo::ir_test {
namespace {

struct Change {
  std::string what;  ///< part of the sound file
  std::string with;
};

const char* const kSound = R"(<?xml version="1.0"?>
<net name="sound" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="2,?" element_type="f32"/>
      <output><port id="0" precision="FP32" names="x,a\,b"><dim>2</dim><dim>-1</dim></port></output>
    </layer>
    <layer id="5" name="c" type="Constant" version="opset1">
      <data element_type="i32" shape="2" offset="4" size="8"/>
      <output><port id="1" precision="I32"><dim>2</dim></port></output>
    </layer>
    <layer id="2" name="s" type="Softmax" version="opset4">
      <data axis="1" PrimitivesPriority="x"/>
      <input><port id="0" precision="FP32"><dim>2</dim><dim>-1</dim></port></input>
      <output><port id="1" precision="FP32"><dim>2</dim><dim>-1</dim></port></output>
    </layer>
    <layer id="3" name="y" type="Result" version="opset1">
      <input><port id="0"/></input>
    </layer>
    <layer id="4" name="y" type="Result" version="opset1">
      <input><port id="0"/></input>
    </layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="2" from-port="1" to-layer="3" to-port="0"/>
    <edge from-layer="5" from-port="1" to-layer="4" to-port="0"/>
  </edges>
  <rt_info><MO_version value="1"/><conversion_parameters><framework value="onnx"/></conversion_parameters></rt_info>
</net>
)";

class Reader : public testing::Test {
 protected:
  Expected<std::unique_ptr<Graph>> read(const std::string& xml, const ir::ReadOptions& options = {}) {
    write_text(dir_ / "m.xml", xml);
    write_text(dir_ / "m.bin", std::string("xxxx\1\0\0\0\2\0\0\0", 12));
    sink_.items.clear();
    return ir::read_ir(dir_ / "m.xml", "", registry(), sink_, options);
  }
  Expected<std::unique_ptr<Graph>> read_changed(const Change& change) {
    std::string xml = kSound;
    const std::size_t at = xml.find(change.what);
    EXPECT_NE(at, std::string::npos) << change.what;
    if (at != std::string::npos) xml.replace(at, change.what.size(), change.with);
    return read(xml);
  }

  Directory dir_;
  DiagnosticList sink_;
};

TEST_F(Reader, LayersCountAgainstTheBudget) {
  const std::atomic<bool> stop = true;
  Budget budget({.cancel = &stop});
  const BudgetScope scope(budget);
  EXPECT_EQ(error_code(read(kSound)), "MO-LIMIT-0004");
  EXPECT_GE(budget.work(), work::kReadNode);
}

TEST_F(Reader, ReadsWhatRuntimesRead) {
  const auto graph = read(kSound);
  ASSERT_TRUE(graph) << error_text(graph);
  EXPECT_TRUE(sink_.items.empty());
  const Graph& g = **graph;
  EXPECT_EQ(g.name, "sound");
  EXPECT_TRUE(g.find_node("s").is<ops::v1::SoftMax>());
  EXPECT_EQ(g.find_node("s").output_type().to_string(), "f32[2,?]");
  EXPECT_EQ(g.find_node("x").out_port(0).data().tensor_names(), (std::vector<std::string_view>{"x", "a,b"}));
  EXPECT_EQ(g.results().size(), 2U);
  const Tensor& constant = g.find_node("c").as<Const>()->value;
  EXPECT_NE(constant.buffer()->file_range(), nullptr);
  EXPECT_EQ(constant.load()->values<std::int32_t>()[1], 2);
  EXPECT_EQ(*g.properties.find("ir_version"), AttributeValue(11));
  EXPECT_EQ(*g.properties.find("rt_info")->map()->find("conversion_parameters")->map()->find("framework"),
            AttributeValue("onnx"));
}

TEST_F(Reader, CorruptFilesAreErrors) {
  struct Case {
    const char* code;
    Change change;
  };
  const Case cases[] = {
      {"MO-IR-0001", {"</net>", ""}},
      {"MO-IR-0001", {"<net name", "<tensor name"}},
      {"MO-IR-0001", {"version=\"11\"", "version=\"7\""}},
      {"MO-IR-0002", {"<net", "<!DOCTYPE net [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><net"}},
      {"MO-IR-0003", {"version=\"11\"", ""}},
      {"MO-IR-0003", {"id=\"2\" name", "id=\"2x\" name"}},
      {"MO-IR-0003", {"id=\"2\" name=\"s\"", "id=\"2\""}},
      {"MO-IR-0003", {"id=\"2\" name=\"s\"", "id=\"2\" name=\"s\" name=\"t\""}},
      {"MO-IR-0003", {"<data axis=\"1\" ", "<data axis=\"1\" axis=\"0\" "}},
      {"MO-IR-0003", {"<layers>", "<layers/><layers>"}},
      {"MO-IR-0003", {"precision=\"I32\"", ""}},
      {"MO-IR-0003", {"to-layer=\"2\"", ""}},
      {"MO-IR-0004", {"id=\"2\" name=\"s\"", "id=\"0\" name=\"s\""}},
      {"MO-IR-0004", {"id=\"2\" name=\"s\"", "id=\"2\" name=\"x\""}},
      {"MO-IR-0004", {"id=\"2\" name=\"s\"", "id=\"-2\" name=\"s\""}},
      {"MO-IR-0004", {"<output><port id=\"1\" precision=\"FP32\">", "<output><port id=\"0\" precision=\"FP32\">"}},
      {"MO-IR-0004", {"<output><port id=\"1\" precision=\"FP32\">", "<output><port id=\"-1\" precision=\"FP32\">"}},
      {"MO-IR-0005", {"precision=\"I32\"", "precision=\"I33\""}},
      {"MO-IR-0005", {"<dim>2</dim>", "<dim>two</dim>"}},
      {"MO-IR-0005", {"<dim>-1</dim>", "<dim>-2</dim>"}},
      {"MO-IR-0005", {"element_type=\"i32\"", "element_type=\"I32\""}},
      {"MO-IR-0006", {"to-layer=\"2\"", "to-layer=\"77\""}},
      {"MO-IR-0006", {"from-layer=\"0\" from-port=\"0\"", "from-layer=\"0\" from-port=\"9\""}},
      {"MO-IR-0006", {"from-layer=\"0\" from-port=\"0\"", "from-layer=\"0\" from-port=\"-1\""}},
      {"MO-IR-0007", {"<edges>", "<edges><edge from-layer=\"5\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/>"}},
      {"MO-IR-0008", {"<edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" to-port=\"0\"/>", ""}},
      {"MO-IR-0009", {"<data element_type=\"i32\" shape=\"2\" offset=\"4\" size=\"8\"/>", ""}},
      {"MO-IR-0009",
       {"<output><port id=\"0\" precision=\"FP32\" names",
        "<output><port id=\"8\" precision=\"FP32\"/><port id=\"0\" precision=\"FP32\" names"}},
      {"MO-IR-0012", {"shape=\"2\" offset", "shape=\"3\" offset"}},
      {"MO-IR-0012", {"size=\"8\"", "size=\"7\""}},
      {"MO-IR-0012", {"shape=\"2\" offset", "shape=\"?\" offset"}},
      {"MO-IR-0012", {"shape=\"2\" offset", "shape=\"9223372036854775807, 9223372036854775807\" offset"}},
      {"MO-IR-0012", {"offset=\"4\"", "offset=\"-4\""}},
      {"MO-IO-0004", {"offset=\"4\"", "offset=\"8\""}},
      {"MO-IO-0004", {"offset=\"4\"", "offset=\"9223372036854775807\""}},
      {"MO-IR-0003", {"offset=\"4\"", "offset=\"18446744073709551615\""}},
      {"MO-IR-0010", {"type=\"Softmax\"", "type=\"Sofa\""}},
      {"MO-IR-0010", {"version=\"opset4\"", "version=\"opset0\""}},
      {"MO-IR-0010", {"version=\"opset4\"", "version=\"mine\""}},
      {"MO-CORE-0013", {"axis=\"1\"", "axis=\"one\""}},
      {"MO-GRAPH-0010", {"from-layer=\"0\" from-port=\"0\"", "from-layer=\"2\" from-port=\"1\""}},
  };
  for (const Case& c : cases) {
    const auto graph = read_changed(c.change);
    EXPECT_EQ(error_code(graph), c.code) << c.change.what << " -> " << c.change.with << "\n" << error_text(graph);
  }
}

TEST_F(Reader, ListsEveryUnknownOperation) {
  std::string xml = kSound;
  xml.replace(xml.find("type=\"Softmax\""), 14, "type=\"Sofa\"");
  xml.replace(xml.find("type=\"Constant\""), 15, "type=\"Bed\"");
  const auto graph = read(xml);
  EXPECT_EQ(error_code(graph), "MO-IR-0010");
  const std::string text = error_text(graph);
  EXPECT_NE(text.find("Bed (opset1): 'c'"), std::string::npos) << text;
  EXPECT_NE(text.find("Sofa (opset4): 's'"), std::string::npos) << text;
}

TEST_F(Reader, CarriesUnknownOperationsThrough) {
  std::string xml = kSound;
  xml.replace(xml.find("type=\"Softmax\" version=\"opset4\""), 31, "type=\"Sofa\" version=\"opset17\"");
  xml.replace(xml.find("axis=\"1\""), 8, "axis=\"1\" type=\"f32\" version=\"old\"");
  const auto graph = read(xml, {.carries_unknown_ops = true});
  ASSERT_TRUE(graph) << error_text(graph);
  const Node node = (*graph)->find_node("s");
  EXPECT_EQ(node.type(), "Sofa");
  EXPECT_EQ(*node.attr<std::string>("axis"), "1");
  EXPECT_FALSE(node.output_type().shape.to_string().empty());
  const std::string before = node.output_type().to_string();
  ASSERT_TRUE(infer_graph(**graph));
  EXPECT_EQ(node.output_type().to_string(), before) << "what the file says stays";
  ASSERT_TRUE(ir_emitter::emit(**graph, {.xml_path = dir_ / "again.xml", .ir_version = 11}));
  const std::string again = read_text(dir_ / "again.xml");
  EXPECT_NE(again.find("type=\"Sofa\" version=\"opset17\">\n\t\t\t<data axis=\"1\" type=\"f32\" version=\"old\" "
                       "PrimitivesPriority=\"x\" />"),
            std::string::npos)
      << again;

  EXPECT_EQ(error_code(read(xml)), "MO-IR-0010");
}

TEST_F(Reader, CarriedOperationsHaveAFewAttributes) {
  const auto with_attributes = [&](int count) {
    std::string xml = kSound;
    xml.replace(xml.find("type=\"Softmax\""), 14, "type=\"Sofa\"");
    std::string many = "axis=\"1\"";
    for (int i = 0; i < count; ++i) many += " a" + std::to_string(i) + "=\"1\"";
    return read(xml.replace(xml.find("axis=\"1\""), 8, many), {.carries_unknown_ops = true});
  };
  EXPECT_TRUE(with_attributes(500));
  EXPECT_EQ(error_code(with_attributes(1000)), "MO-IR-0017");
}

TEST_F(Reader, BodiesOfCarriedOperationsAreSound) {
  const auto with = [&](const std::string& inside) {
    std::string xml = kSound;
    xml.replace(xml.find("type=\"Softmax\""), 14, "type=\"Sofa\"");
    const std::size_t layer = xml.find("name=\"s\"");
    return read(xml.insert(xml.find("<data", layer), inside), {.carries_unknown_ops = true});
  };
  const std::string body =
      R"(<body><layers><layer id="4" name="p" type="Parameter" version="opset1"><data shape="2" element_type="f32"/>
        <output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>
        <layer id="6" name="a" type="Ottoman" version="x"><input><port id="0"/></input>
        <output><port id="1" precision="FP32"><dim>2</dim></port></output></layer></layers>
        <edges><edge from-layer="4" from-port="0" to-layer="6" to-port="0"/></edges></body>)";
  const auto sound = with(body + R"(<port_map><input internal_layer_id="4" knob="3"/></port_map>)");
  ASSERT_TRUE(sound) << error_text(sound);
  EXPECT_EQ((*sound)->find_node("s").bodies().front()->find_node("a").type(), "Ottoman");
  EXPECT_EQ(error_code(with(body + R"(<port_map><input internal_layer_id="6"/></port_map>)")), "MO-IR-0011");
  EXPECT_EQ(error_code(with(body + R"(<back_edges><edge from-layer="5" to-layer="4"/></back_edges>)")), "MO-IR-0011");
  EXPECT_EQ(error_code(with(body + R"(<port_map><input internal_layer_id="p"/></port_map>)")), "MO-IR-0003");
  EXPECT_EQ(error_code(with(body + body)), "MO-IR-0003");
  sink_.items.clear();
  ASSERT_TRUE(with("<legs/><port_map/>" + body));
  ASSERT_EQ(sink_.items.size(), 1U);
  EXPECT_EQ(sink_.items[0].code, "MO-IR-0020");
  std::string deep = body;
  for (int i = 0; i < 40; ++i) {
    std::string around = body;
    deep = around.insert(around.find("<input>"), deep);
  }
  EXPECT_EQ(error_code(with(deep)), "MO-IR-0013");
}

TEST_F(Reader, CarriesUnknownElementTypesThrough) {
  std::string xml = kSound;
  const auto change = [&](const std::string& what, const std::string& to) {
    xml.replace(xml.find(what), what.size(), to);
  };
  change("element_type=\"i32\"", "element_type=\"i3\"");
  change("precision=\"I32\"", "precision=\"I3\"");
  EXPECT_EQ(error_code(read(xml)), "MO-IR-0005");
  EXPECT_NE(error_text(read(xml)).find("\"i3\""), std::string::npos);
  EXPECT_NE(error_text(read(xml)).find("'c'"), std::string::npos) << "the layer is named";
  const auto graph = read(xml, {.carries_unknown_ops = true});
  ASSERT_TRUE(graph) << error_text(graph);
  const Tensor& value = (*graph)->find_node("c").as<Const>()->value;
  EXPECT_EQ(to_string(value.element_type()), "i3");
  EXPECT_EQ(value.byte_size(), 8U) << "as long as the file says";
  ASSERT_TRUE(ir_emitter::emit(**graph, {.xml_path = dir_ / "again.xml", .ir_version = 11}));
  const std::string again = read_text(dir_ / "again.xml");
  EXPECT_NE(again.find("<data element_type=\"i3\" shape=\"2\" offset=\"0\" size=\"8\" />"), std::string::npos) << again;
  EXPECT_NE(again.find("precision=\"I3\""), std::string::npos) << again;
  change("element_type=\"i3\"", "element_type=\"i 3\"");
  EXPECT_EQ(error_code(read(xml, {.carries_unknown_ops = true})), "MO-IR-0005");
}

TEST_F(Reader, UnknownElementTypesAreFew) {
  // In a process of its own: names are kept for its life.
  const auto read_many = [&] {
    std::string layers;
    for (std::size_t i = 0; i <= kMostNamedTypes; ++i)
      layers += fmt::format(
          R"(<layer id="{0}" name="x{0}" type="Parameter" version="opset1"><data shape="" element_type="n{0}"/>
        <output><port id="0" precision="N{0}"/></output></layer>)",
          i);
    const auto graph =
        read("<net version=\"11\"><layers>" + layers + "</layers><edges/></net>", {.carries_unknown_ops = true});
    std::fprintf(stderr, "%s %s\n", error_code(graph).c_str(), error_text(graph).c_str());
    std::_Exit(graph ? 0 : 1);
  };
  EXPECT_EXIT(read_many(), testing::ExitedWithCode(1), "MO-IR-0016 (.|\n)*'x1[0-9]+'");
}

TEST_F(Reader, UnknownAttributesAreWarnings) {
  ASSERT_TRUE(read_changed({"axis=\"1\"", "axis=\"1\" angle=\"3\""}));
  ASSERT_EQ(sink_.items.size(), 1U);
  EXPECT_EQ(sink_.items[0].code, "MO-IR-0020");
  EXPECT_EQ(sink_.items[0].node, "s");
}

TEST_F(Reader, WarningsAreCapped) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += " a" + std::to_string(i) + "=\"1\"";
  ASSERT_TRUE(read_changed({"axis=\"1\"", "axis=\"1\"" + many}));
  ASSERT_EQ(sink_.items.size(), 21U);
  EXPECT_EQ(sink_.items.back().code, "MO-IR-0022");
}

TEST_F(Reader, WithoutConstantsTheBinMayBeMissing) {
  const char* const xml = R"(<net version="10"><layers>
    <layer id="0" name="x" type="Parameter" version="opset1"><data shape="" element_type="f32"/><output><port id="0" precision="FP32"/></output></layer>
    <layer id="1" name="e" type="Const" version="opset1"><data shape="0,4" element_type="f32" offset="0" size="0"/>
      <output><port id="0" precision="FP32"><dim>0</dim><dim>4</dim></port></output></layer>
    <layer id="2" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
  </layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/></edges></net>)";
  write_text(dir_ / "alone.xml", xml);
  const auto graph = ir::read_ir(dir_ / "alone.xml", "", registry(), sink_);
  ASSERT_TRUE(graph) << error_text(graph);
  EXPECT_EQ((*graph)->find_node("e").as<Const>()->value.element_count(), 0);
  EXPECT_EQ(error_code(ir::read_ir(dir_ / "missing.xml", "", registry(), sink_)), "MO-IO-0001");
  write_text(dir_ / "needs.xml", kSound);
  EXPECT_EQ(error_code(ir::read_ir(dir_ / "needs.xml", "", registry(), sink_)), "MO-IO-0001");
}

TEST_F(Reader, FourBitConstantsOfVersion10AreTurned) {
  const auto file = [](int version) {
    return R"(<net version=")" + std::to_string(version) + R"("><layers>
    <layer id="0" name="c" type="Const" version="opset1"><data shape="2" element_type="u4" offset="4" size="1"/>
      <output><port id="0" precision="U4"><dim>2</dim></port></output></layer></layers><edges/></net>)";
  };
  const auto old_file = read(file(10));
  ASSERT_TRUE(old_file) << error_text(old_file);
  EXPECT_EQ((*old_file)->find_node("c").as<Const>()->value.load()->bytes()[0], std::byte{0x10});
  const auto new_file = read(file(11));
  ASSERT_TRUE(new_file);
  EXPECT_EQ((*new_file)->find_node("c").as<Const>()->value.load()->bytes()[0], std::byte{0x01});
  ASSERT_EQ(sink_.items.size(), 1U);
  EXPECT_EQ(sink_.items[0].code, "MO-IR-0021");
}

TEST_F(Reader, ManyErrorsAreCollectedAndCounted) {
  std::string layers;
  for (int i = 0; i < 50; ++i) layers += "<layer id=\"" + std::to_string(i) + "\" name=\"n\" type=\"A\"/>";
  EXPECT_EQ(error_code(read("<net version=\"11\"/>")), "MO-IR-0003");
  const auto graph = read("<net version=\"11\"><layers>" + layers + "</layers><edges/></net>");
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().items().size(), 20U);
  EXPECT_NE(error_text(graph).find("and 30 more errors"), std::string::npos);
}

TEST_F(Reader, DeepOrWideFilesAreHandled) {
  std::string deep = "<net version=\"11\"><layers>";
  for (int i = 0; i < 200000; ++i) deep += "<body>";
  EXPECT_FALSE(read(deep));
  std::string bodies;
  for (int i = 0; i < 40; ++i) bodies += R"(<body><layers><layer id="0" name="l" type="Loop" version="opset5">)";
  for (int i = 0; i < 40; ++i) bodies += "</layer></layers><edges/></body>";
  const auto graph = read(R"(<net version="11"><layers><layer id="0" name="l" type="Loop" version="opset5">)" + bodies +
                          "</layer></layers><edges/></net>");
  EXPECT_EQ(error_code(graph), "MO-IR-0013") << error_text(graph);
  std::string wide =
      "<net version=\"11\"><layers><layer id=\"0\" name=\"x\" type=\"Concat\" version=\"opset1\"><input>";
  for (int i = 100000; i > 0; --i) wide += "<port id=\"" + std::to_string(i) + "\"/>";
  EXPECT_EQ(error_code(read(wide + "</input></layer></layers><edges/></net>")), "MO-IR-0008");
}

TEST_F(Reader, PortMapsThatDoNotFitAreErrors) {
  const std::string loop = R"(<net version="11"><layers>
    <layer id="0" name="n" type="Parameter" version="opset1"><data shape="" element_type="i64"/><output><port id="0" precision="I64"/></output></layer>
    <layer id="1" name="c" type="Parameter" version="opset1"><data shape="" element_type="boolean"/><output><port id="0" precision="BOOL"/></output></layer>
    <layer id="2" name="loop" type="Loop" version="opset5"><input><port id="0"/><port id="1"/></input><output><port id="2" precision="BOOL"/></output>
      <port_map>
        <input external_port_id="1" internal_layer_id="0"/>
        <output external_port_id="-1" internal_layer_id="1" purpose="execution_condition"/>
        <output external_port_id="2" internal_layer_id="1"/>
      </port_map>
      <back_edges><edge from-layer="1" to-layer="0"/></back_edges>
      <body><layers>
        <layer id="0" name="p" type="Parameter" version="opset1"><data shape="" element_type="boolean"/><output><port id="0" precision="BOOL"/></output></layer>
        <layer id="1" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>
      </layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></body>
    </layer>
    <layer id="3" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
  </layers><edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
  </edges></net>)";
  const auto sound = read(loop);
  ASSERT_TRUE(sound) << error_text(sound);
  const Change changes[] = {
      {"external_port_id=\"1\" internal_layer_id=\"0\"", "external_port_id=\"7\" internal_layer_id=\"0\""},
      {"external_port_id=\"1\" internal_layer_id=\"0\"", "external_port_id=\"1\" internal_layer_id=\"1\""},
      {"external_port_id=\"1\" internal_layer_id=\"0\"", "external_port_id=\"-1\" internal_layer_id=\"0\""},
      {"<input external_port_id=\"1\" internal_layer_id=\"0\"/>", ""},
      {"purpose=\"execution_condition\"", ""},
      {"<output external_port_id=\"2\" internal_layer_id=\"1\"/>", ""},
      {"external_port_id=\"2\" internal_layer_id=\"1\"", "external_port_id=\"2\" internal_layer_id=\"0\""},
      {"from-layer=\"1\" to-layer=\"0\"", "from-layer=\"1\" to-layer=\"9\""},
      {"<output external_port_id=\"-1\" internal_layer_id=\"1\" purpose=\"execution_condition\"/>", ""}};
  for (const Change& change : changes) {
    std::string broken = loop;
    broken.replace(broken.find(change.what), change.what.size(), change.with);
    const auto graph = read(broken);
    EXPECT_EQ(error_code(graph), "MO-IR-0011") << change.what << " -> " << change.with << "\n" << error_text(graph);
  }
  std::string twice = loop;
  const std::string entry = "<input external_port_id=\"1\" internal_layer_id=\"0\"/>";
  twice.insert(twice.find(entry), "<input external_port_id=\"1\" internal_layer_id=\"7\"/>");
  const std::string parameter = "<layer id=\"0\" name=\"p\"";
  const std::size_t begin = twice.find(parameter);
  std::string other = twice.substr(begin, twice.find("</layer>", begin) + 8 - begin);
  twice.insert(begin, other.replace(0, parameter.size(), "<layer id=\"7\" name=\"q\""));
  const auto graph = read(twice);
  EXPECT_EQ(error_code(graph), "MO-IR-0011") << error_text(graph);
  EXPECT_NE(error_text(graph).find("input port 1 feeds two Parameters"), std::string::npos) << error_text(graph);
}

}  // namespace
}  // namespace mo::ir_test
