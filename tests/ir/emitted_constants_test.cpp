#include "core/tensor/convert.hpp"
#include "tests/ir/support.hpp"

namespace mo::ir_test {
namespace {

using ir_emitter::emit;
using ir_emitter::EmitOptions;

TEST(Emitter, EqualConstantsAreStoredOnce) {
  const Directory dir;
  std::vector<float> large(5000, 1.5F);
  std::vector<float> other = large;
  other[2501] = 2;  // beyond what is sampled
  std::string file;
  file.append(reinterpret_cast<const char*>(large.data()), large.size() * sizeof(float));
  write_text(dir / "weights", file);
  const FilePtr weights = *File::open(dir / "weights");
  const auto from_file = [&] {
    return *Tensor::from_buffer(ElementType::f32, {5000}, *FileBuffer::create(weights, 0, file.size()));
  };
  Graph graph;
  add_constant(graph, floats({1, 2}), "a");
  add_constant(graph, floats({1, 2}), "b");
  add_constant(graph, floats({2, 1}), "c");
  add_constant(graph, Tensor::scalar<std::int64_t>(0x4000'0000'3F80'0000), "same bytes, another type");
  add_constant(graph, Tensor::vector(large), "d");
  add_constant(graph, Tensor::vector(other), "e");
  add_constant(graph, from_file(), "f");
  add_constant(graph, from_file(), "g");
  add_constant(graph, Tensor::vector(other), "h");
  const auto report = emit(graph, options(dir / "m.xml"));
  ASSERT_TRUE(report) << error_text(report);
  EXPECT_EQ(report->constants, 9U);
  EXPECT_EQ(report->shared_constants, 4U);  // b; f and g like d; h like e
  const std::string bin = read_text(dir / "m.bin");
  EXPECT_EQ(bin.size(), 64U + 20032U + 20000U);  // 4 of 8 bytes, then at multiples of 64
  EXPECT_EQ(bin.substr(64, 20000), file);
  DiagnosticList sink;
  const auto read = ir::read_ir(dir / "m.xml", "", registry(), sink);
  ASSERT_TRUE(read) << error_text(read);
  EXPECT_EQ((*read)->find_node("h").as<Const>()->value.load()->values<float>()[2501], 2);
  EXPECT_EQ((*read)->find_node("f").as<Const>()->value.load()->values<float>()[2501], 1.5F);
}

TEST(Emitter, PartsOfOneFileRangeAreDifferentConstants) {
  const Directory dir;
  write_text(dir / "weights", "aaaabbbb");
  const BufferPtr range = *FileBuffer::create(*File::open(dir / "weights"), 0, 8);
  Graph graph;
  add_constant(graph, *Tensor::from_buffer(ElementType::f32, {1}, range, 0), "a");
  add_constant(graph, *Tensor::from_buffer(ElementType::f32, {1}, range, 4), "b");
  const auto report = emit(graph, options(dir / "m.xml"));
  ASSERT_TRUE(report) << error_text(report);
  EXPECT_EQ(report->shared_constants, 0U);
  EXPECT_EQ(read_text(dir / "m.bin"), "aaaabbbb");
}

TEST(Emitter, FourBitConstantsArePackedForTheRuntime) {
  const Directory dir;
  const Tensor nibbles = *from_integers(ElementType::u4, {4}, {1, 2, 3, 4});
  for (const bool low_first : {true, false}) {
    Graph graph;
    add_constant(graph, nibbles, "c");
    EmitOptions o = options(dir / "m.xml");
    o.low_nibble_first = low_first;
    ASSERT_TRUE(emit(graph, o));
    EXPECT_EQ(read_text(dir / "m.bin"), low_first ? "\x21\x43" : "\x12\x34");
  }
}

}  // namespace
}  // namespace mo::ir_test
