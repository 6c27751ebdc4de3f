/// Conversions of small models in which one allocation after the other fails. Each must end with an error of the known
/// codes, or with the files that it always writes: never with a signal, an exception, other files or a file that is
/// left.
///
/// usage: test_allocation [all]     without `all`: a sample of the allocations

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "driver/convert.hpp"
#include "frontends/ir/reader.hpp"
#include "tests/allocation/failing_malloc.hpp"
#include "tests/support/builtins.hpp"

namespace mo::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSampled = 60;  ///< of each model and each length of a failure
constexpr std::array<std::uint64_t, 2> kLengths = {1, 1000};

struct SmallModel {
  std::string_view name;
  std::string_view file;
  std::string_view text;
};

constexpr std::array kModels = {
    SmallModel{"ONNX", "model.onnxtxt", R"(ir_version: 8 opset_import { version: 13 } graph { name: "g"
  node { op_type: "Conv" input: "x" input: "w" output: "c" name: "conv" attribute { name: "pads" ints: [1, 1, 1, 1] type: INTS } }
  node { op_type: "Relu" input: "c" output: "r" } node { op_type: "Mul" input: "r" input: "s" output: "m" }
  node { op_type: "If" input: "b" output: "y" attribute { name: "then_branch" type: GRAPH g { node { op_type: "Neg" input: "m" output: "t" } output { name: "t" } } }
    attribute { name: "else_branch" type: GRAPH g { node { op_type: "Abs" input: "m" output: "e" } output { name: "e" } } } }
  initializer { name: "w" data_type: 1 dims: [2, 1, 1, 1] float_data: [1, 2] } initializer { name: "s" data_type: 1 dims: [1] float_data: [3] }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_value: 1 } dim { dim_value: 4 } dim { dim_value: 4 } } } } }
  input { name: "b" type { tensor_type { elem_type: 9 shape { } } } } output { name: "y" } })"},
    SmallModel{"TensorFlow", "model.pbtxt", R"(
  node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 1 } dim { size: 4 } dim { size: 4 } dim { size: 1 } } } } }
  node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } dim { size: 1 } dim { size: 1 } dim { size: 2 } } float_val: [1, 2] } } } }
  node { name: "c" op: "Conv2D" input: "x" input: "w" attr { key: "T" value { type: DT_FLOAT } } attr { key: "strides" value { list { i: [1, 1, 1, 1] } } } attr { key: "padding" value { s: "SAME" } } }
  node { name: "f" op: "f" input: "c" }
  library { function { signature { name: "f" input_arg { name: "a" type: DT_FLOAT } output_arg { name: "o" type: DT_FLOAT } }
    node_def { name: "r" op: "Relu" input: "a" attr { key: "T" value { type: DT_FLOAT } } } ret { key: "o" value: "r:activations:0" } } })"},
    SmallModel{"Caffe", "model.prototxt",
               R"(name: "n" layer { name: "x" type: "Input" top: "x" input_param { shape { dim: [1, 2, 4, 4] } } }
  layer { name: "p" type: "Pooling" bottom: "x" top: "p" pooling_param { kernel_size: 2 stride: 2 } }
  layer { name: "s" type: "Softmax" bottom: "p" top: "s" } layer { name: "e" type: "Eltwise" bottom: "s" bottom: "p" top: "e" })"},
};

/// What came of a run in a process of its own: "ok", the code of an error, or what is wrong.
std::string outcome_of(const std::function<Expected<void>()>& task, std::uint64_t first, std::uint64_t length) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ::alarm(60);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    std::string answer = "an exception";
    try {
      fail_allocations(first, length);
      const auto done = task();
      stop_failing();
      answer = done ? "ok" : done.error().first().code;
    } catch (...) { stop_failing(); }  // NOLINT: that there is one is the answer
    ::_exit(::write(ends[1], answer.data(), answer.size()) < 0 ? 2 : 0);
  }
  ::close(ends[1]);
  std::string answer(64, '\0');
  const ssize_t size = ::read(ends[0], answer.data(), answer.size());
  answer.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? answer : fmt::format("status {}", status);
}

std::uint64_t allocations_of(const std::function<Expected<void>()>& task) {
  fail_allocations(~std::uint64_t{0}, 0);
  const auto done = task();
  const std::uint64_t count = stop_failing();
  if (!done) fmt::print(stderr, "{}\n", done.error().first().format());
  return done ? count : 0;
}

Error no_memory() {
  return error("MO-LIMIT-0005", "there is not enough memory for this model")
      .hint("raise the memory limit of the process (ulimit -v, container)");
}

/// `convert` begins with the error which says that there is no memory: without it nothing can be returned.
std::uint64_t allocations_of_the_error() {
  static const std::uint64_t count =
      allocations_of([]() -> Expected<void> { return static_cast<void>(no_memory()), Expected<void>(); });
  return count;
}

bool is_expected(std::string_view outcome, std::uint64_t first) {
  return outcome == "ok" || outcome == "MO-LIMIT-0005" || outcome == "MO-CORE-0001" ||
         (first < allocations_of_the_error() && outcome == "an exception");
}

/// What a run left: the names and contents of the files in `folder`.
std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  if (!fs::exists(folder)) return files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    files[entry.path().filename()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return files;
}

/// Number of runs that ended as they must not.
std::size_t sweep(std::string_view name, const std::function<Expected<void>()>& task, const fs::path& output,
                  bool all) {
  // The first run fills caches that last as long as the process: children begin with them, as a server would.
  std::uint64_t count = allocations_of(task);
  count = std::max(count, allocations_of(task));
  const auto expected = files_of(output);
  if (count == 0) return fmt::print("{}: the model does not convert\n", name), 1;
  std::map<std::string, std::size_t> outcomes;
  std::size_t bad = 0;
  std::size_t runs = 0;
  for (const std::uint64_t length : kLengths) {
    const std::uint64_t step = all ? 1 : std::max<std::uint64_t>(count / kSampled, 1);
    for (std::uint64_t first = 0; first < count; first += step, ++runs) {
      fs::remove_all(output);
      const std::string outcome = outcome_of(task, first, length);
      ++outcomes[outcome];
      const auto left = files_of(output);
      const bool files_are_right = outcome == "ok" ? left == expected : left.empty();
      if (is_expected(outcome, first) && files_are_right) continue;
      ++bad;
      fmt::print("{}: {} allocations from number {} on fail: {}{}\n", name, length, first, outcome,
                 files_are_right ? "" : ", with wrong files");
    }
  }
  fmt::print("{}: {} allocations, {} runs:", name, count, runs);
  for (const auto& [outcome, times] : outcomes) fmt::print(" {} {}", outcome, times);
  fmt::print("\n");
  return bad;
}

int run(bool all) {
  std::string pattern = (fs::temp_directory_path() / "mo-allocation-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) return 1;
  const fs::path folder = pattern;
  std::size_t bad = 0;
  std::string ir;
  for (const SmallModel& model : kModels) {
    const fs::path path = folder / model.file;
    std::ofstream(path) << model.text;
    Options options;
    options.output_dir = (folder / "out").string();
    (model.name == "Caffe" ? options.caffe.input_proto : options.input_model) = path.string();
    options.caffe.disable_weights = model.name == "Caffe";
    options.framework = model.name == "Caffe" ? "caffe" : "";
    const auto task = [&]() -> Expected<void> {
      DiagnosticList sink;
      MO_ASSIGN(const Report report, convert(options, sink));
      return {};
    };
    bad += sweep(model.name, task, options.output_dir, all);
    if (!ir.empty()) continue;
    options.output_dir = (folder / "ir").string();
    DiagnosticList sink;
    if (const auto report = convert(options, sink)) ir = report->xml_path;
  }
  // A failing run is the only one of its process.
  Error prepared = no_memory();
  const auto read = [&]() -> Expected<void> {
    DiagnosticList sink;
    try {
      MO_ASSIGN(const auto graph, ir::read_ir(ir, "", builtins().ops(), sink));
    } catch (const std::bad_alloc&) { return std::move(prepared); }
    return {};
  };
  bad += sweep("IR", read, folder / "out", all);
  fs::remove_all(folder);
  return bad == 0 ? 0 : 1;
}

}  // namespace
}  // namespace mo::test

int main(int argc, char** argv) { return mo::test::run(argc > 1 && std::string_view(argv[1]) == "all"); }
