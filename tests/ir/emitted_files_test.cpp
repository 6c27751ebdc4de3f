#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/files/temporaries.hpp"
#include "tests/ir/support.hpp"

namespace mo::ir_test {
namespace {

using ir_emitter::emit;
using ir_emitter::EmitOptions;

TEST(Emitter, RefusesTargetsThatAreNotFiles) {
  const Directory dir;
  Graph graph;
  build_small(graph);
  write_text(dir / "file", "x");
  EXPECT_EQ(error_code(emit(graph, options(dir / "file/m.xml"))), "MO-DRIVER-0002");
  EXPECT_EQ(error_code(emit(graph, options("/proc/m.xml"))), "MO-EMIT-0001");
  std::filesystem::create_directory(dir / "m.xml");
  EXPECT_EQ(error_code(emit(graph, options(dir / "m.xml"))), "MO-EMIT-0002");
  EXPECT_EQ(error_code(emit(graph, options(dir / "m.xml", 9))), "MO-EMIT-0011");
  EXPECT_EQ(error_code(emit(graph, options(dir / "m.bin"))), "MO-EMIT-0012");
  EXPECT_EQ(dir.file_count(), 2U);
}

TEST(Emitter, NeverOverwritesAnInput) {
  const Directory dir;
  write_text(dir / "model.bin", "12345678");
  std::filesystem::create_hard_link(dir / "model.bin", dir / "linked.bin");
  const FilePtr file = *File::open(dir / "model.bin");
  Graph graph;
  add_constant(graph, *Tensor::from_buffer(ElementType::f32, {2}, *FileBuffer::create(file, 0, 8)), "c");
  EXPECT_EQ(error_code(emit(graph, options(dir / "model.xml"))), "MO-EMIT-0003");
  EXPECT_EQ(error_code(emit(graph, options(dir / "linked.xml"))), "MO-EMIT-0003");
  EmitOptions o = options(dir / "other.xml");
  write_text(dir / "other.xml", "the model");
  InputFiles inputs;
  inputs.add_path(dir / "other.xml");
  o.inputs = &inputs;
  EXPECT_EQ(error_code(emit(graph, o)), "MO-EMIT-0003");
  EXPECT_EQ(read_text(dir / "model.bin"), "12345678");
  EXPECT_EQ(dir.file_count(), 3U);
}

TEST(Emitter, AFullDiskLeavesNoFiles) {
  const Directory dir;
  write_text(dir / "m.xml", "old");
  Graph graph;
  add_constant(graph, *Tensor::allocate(ElementType::u8, {1 << 20}), "c");
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = before;
  small.rlim_cur = 100000;
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto report = emit(graph, options(dir / "m.xml"));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(error_code(report), "MO-EMIT-0001") << error_text(report);
  EXPECT_EQ(read_text(dir / "m.xml"), "old");
  EXPECT_EQ(dir.file_count(), 1U);
}

TEST(Emitter, ASourceThatShrinksIsAnError) {
  const Directory dir;
  write_text(dir / "weights", std::string(200000, 'w'));
  const FilePtr file = *File::open(dir / "weights");
  Graph graph;
  add_constant(graph, *Tensor::from_buffer(ElementType::u8, {200000}, *FileBuffer::create(file, 0, 200000)), "c");
  std::filesystem::resize_file(dir / "weights", 150000);
  EXPECT_EQ(error_code(emit(graph, options(dir / "m.xml"))), "MO-IO-0003");
  EXPECT_EQ(dir.file_count(), 1U);
}

/// A constant that is computed in the middle of writing, when a signal comes.
class EndsTheProcess final : public Buffer {
 public:
  explicit EndsTheProcess(const Directory& dir) : dir_(dir) {}
  std::uint64_t size() const override { return 4; }
  Expected<BufferPtr> load() const override {
    if (dir_.file_count() > 0) ::raise(SIGTERM);
    ::_exit(1);
  }

 private:
  const Directory& dir_;
};

TEST(Emitter, ASignalRemovesTheTemporaries) {
  const Directory dir;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGTERM, SIG_DFL);
    remove_unfinished_output_on_signals();
    Graph graph;
    const auto ends = std::make_shared<EndsTheProcess>(dir);
    graph.create_result(graph.create_constant(*Tensor::from_buffer(ElementType::f32, {1}, ends), "x").out_port(0), "y");
    (void)emit(graph, options(dir / "m.xml"));
    ::_exit(2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
  EXPECT_EQ(dir.file_count(), 0U);
}

}  // namespace
}  // namespace mo::ir_test
