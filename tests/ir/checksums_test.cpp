#include "tests/ir/support.hpp"

namespace mo::ir_test {
namespace {

class Checksums : public testing::TestWithParam<int> {
 protected:
  /// Writes an IR with a constant that begins with `first`.
  void write(float first) {
    Graph graph;
    graph.create_result(graph.create_constant(Tensor::vector(std::vector<float>{first, 2, 3}), "c").out_port(0), "y");
    ASSERT_TRUE(ir_emitter::emit(graph, options(dir_ / "m.xml", GetParam())));
  }
  std::string read(bool check = true) {
    return error_code(ir::read_ir(dir_ / "m.xml", "", registry(), sink_, {.check_weights = check}));
  }

  Directory dir_;
  DiagnosticList sink_;
};

TEST_P(Checksums, AnotherBinIsRefused) {
  write(5);
  const std::string other = read_text(dir_ / "m.bin");
  write(1);
  EXPECT_EQ(read(), "");
  write_text(dir_ / "m.bin", other);
  EXPECT_EQ(read(), "MO-IR-0014");
  EXPECT_EQ(read(false), "") << "only who asks pays for it";
  write_text(dir_ / "m.bin", read_text(dir_ / "m.bin") + "more");
  EXPECT_EQ(read(), "MO-IR-0014");
}

TEST_P(Checksums, AChangedXmlDoesNotInvalidateItsBin) {
  write(1);
  std::string xml = read_text(dir_ / "m.xml");
  xml.replace(xml.find("name=\"c\""), 8, "name=\"d\"");
  write_text(dir_ / "m.xml", xml);
  write_text(dir_ / "m.bin", std::string(12, '\0'));
  EXPECT_EQ(read(), "");
}

TEST_P(Checksums, AnXmlWithoutThemIsFine) {
  write(1);
  std::string xml = read_text(dir_ / "m.xml");
  const std::size_t at = xml.find("\t\t<checksums>");
  ASSERT_NE(at, std::string::npos);
  const std::string_view end = "</checksums>\n";
  xml.erase(at, xml.find(end) + end.size() - at);
  write_text(dir_ / "m.xml", xml);
  write_text(dir_ / "m.bin", std::string(12, '\0'));
  EXPECT_EQ(read(), "");
}

TEST_P(Checksums, AModelWithoutConstantsNeedsNoBin) {
  Graph graph;
  graph.create_result(soft_max(graph.create_parameter(f32({2, 3}), "x").out_port(0), "s"), "y");
  ASSERT_TRUE(ir_emitter::emit(graph, options(dir_ / "m.xml", GetParam())));
  EXPECT_EQ(read(), "");
  std::filesystem::remove(dir_ / "m.bin");
  EXPECT_EQ(read(), "");
}

INSTANTIATE_TEST_SUITE_P(InBothVersions, Checksums, testing::Values(10, 11));

}  // namespace
}  // namespace mo::ir_test
