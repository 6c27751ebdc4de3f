#include "tools/conformance/test_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <system_error>

#include "core/comparison/closeness.hpp"
#include "core/tensor/convert.hpp"
#include "driver/convert.hpp"
#include "frontends/ir/reader.hpp"
#include "frontends/onnx/tensor_file.hpp"

namespace mo::conformance {
namespace {

namespace fs = std::filesystem;

/// Test data lies at most this deep below the folder that was named.
constexpr int kMaxDepth = 3;

Outcome outcome(Category category, std::string detail = {}) {
  Outcome result;
  result.category = category;
  result.detail = std::move(detail);
  return result;
}

Outcome outcome(Category category, const Error& error) {
  Outcome result = outcome(category, error.first().format());
  result.code = error.first().code;
  return result;
}

/// test_data_set_0, test_data_set_1 …, in order.
std::vector<std::string> data_sets(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code problem;
  for (int i = 0; fs::is_directory(fmt::format("{}/test_data_set_{}", folder, i), problem); ++i)
    found.push_back(fmt::format("{}/test_data_set_{}", folder, i));
  return found;
}

Expected<std::vector<onnx::NamedTensor>> read_tensors(const std::string& folder, std::string_view kind) {
  std::vector<onnx::NamedTensor> tensors;
  std::error_code problem;
  for (int i = 0;; ++i) {
    const std::string path = fmt::format("{}/{}_{}.pb", folder, kind, i);
    if (!fs::exists(path, problem)) return tensors;
    MO_ASSIGN(onnx::NamedTensor tensor, onnx::read_tensor_file(path));
    tensors.push_back(std::move(tensor));
  }
}

/// The types of inputs that IR version 10 does not have, and those that it has for them (pass InputTypesToV10).
bool is_type_of_v10(ElementType declared, ElementType of_model) {
  return (of_model == ElementType::f64 && declared == ElementType::f32) ||
         (of_model == ElementType::u32 && declared == ElementType::i64);
}

/// numpy has no bfloat16, so ONNX's test data stores it as the u16 with the same bits.
Tensor as_stored(const Tensor& tensor, ElementType wanted) {
  return wanted == ElementType::bf16 && tensor.element_type() == ElementType::u16
             ? tensor.reinterpreted(ElementType::bf16)
             : tensor;
}

Expected<std::vector<Tensor>> run(const Graph& graph, const std::vector<onnx::NamedTensor>& given,
                                  const TestOptions& options) {
  std::vector<std::string> names;
  for (const onnx::NamedTensor& tensor : given) names.push_back(tensor.name);
  MO_ASSIGN(const std::vector<std::size_t> order, input_order(graph, names));
  std::vector<Tensor> inputs;
  const std::vector<Node> parameters = graph.parameters();
  for (const std::size_t i : order) {
    auto& declared = *parameters[inputs.size()].as<Parameter>();
    const Tensor& tensor = given[i].tensor;
    if (options.ir_version == 10 && is_type_of_v10(declared.element_type, tensor.element_type())) {
      MO_ASSIGN(Tensor converted, convert(tensor, declared.element_type));
      inputs.push_back(std::move(converted));
    } else {
      inputs.push_back(as_stored(tensor, declared.element_type));
    }
    // Some tests give another shape than their model declares (CastLike: [1] for [3,4]); what the test gives is what is
    // meant.
    if (const PartialShape shape(inputs.back().shape()); !declared.shape.compatible(shape)) declared.shape = shape;
  }
  return execute(graph, inputs, ExecutorOptions{options.kernels});
}

Outcome run_data_set(const Graph& graph, const std::string& folder, const TestOptions& options) {
  const auto inputs = read_tensors(folder, "input");
  if (!inputs) return outcome(Category::failed, inputs.error());
  const auto wanted = read_tensors(folder, "output");
  if (!wanted) return outcome(Category::failed, wanted.error());
  const auto results = run(graph, *inputs, options);
  if (!results) return outcome(Category::failed, results.error());
  if (results->size() != wanted->size())
    return outcome(Category::wrong, fmt::format("{} outputs, wanted {}", results->size(), wanted->size()));
  for (std::size_t i = 0; i < results->size(); ++i) {
    const Tensor stored = as_stored((*wanted)[i].tensor, (*results)[i].element_type());
    const Closeness& closeness =
        stored.element_type() == ElementType::bf16 ? closeness::kOnnxTestsOfBf16 : closeness::kOnnxTests;
    const auto difference = difference_of((*results)[i], stored, closeness);
    if (!difference) return outcome(Category::failed, difference.error());
    if (!difference->close()) return outcome(Category::wrong, fmt::format("output {}: {}", i, difference->to_string()));
  }
  return outcome(Category::passed);
}

/// Reads the IR back, runs it on all data sets and compares.
Outcome check_ir(const Report& report, const std::vector<std::string>& sets, const TestOptions& options) {
  DiagnosticList messages;
  const auto graph = ir::read_ir(report.xml_path, report.bin_path, *options.registry, messages);
  if (!graph) return outcome(Category::failed, graph.error());
  for (const std::string& set : sets)
    if (Outcome result = run_data_set(**graph, set, options); result.category != Category::passed) return result;
  return outcome(Category::passed);
}

void collect(const fs::path& folder, int depth, std::vector<TestCase>& found) {
  std::error_code problem;
  if (fs::is_regular_file(folder / "model.onnx", problem)) {
    found.push_back({(folder.parent_path().filename() / folder.filename()).string(), folder.string()});
    return;
  }
  if (depth == kMaxDepth) return;
  fs::directory_iterator entry(folder, problem);
  for (; !problem && entry != fs::directory_iterator(); entry.increment(problem))
    if (entry->is_directory(problem)) collect(entry->path(), depth + 1, found);
}

}  // namespace

Expected<std::vector<TestCase>> find_tests(const std::string& root) {
  std::vector<TestCase> found;
  std::error_code problem;
  // Absolute and without a trailing slash: the names contain the folder's own name.
  const fs::path folder = fs::canonical(root, problem);
  if (!problem) collect(folder, 0, found);
  if (found.empty())
    return error("MO-RUN-0020", "there are no test folders (with model.onnx and test_data_set_0) in \"{}\"", root)
        .hint("install Debian's libonnx-testdata and give --tests /usr/share/libonnx-testdata/data/node");
  std::sort(found.begin(), found.end(), [](const TestCase& a, const TestCase& b) { return a.name < b.name; });
  return found;
}

Expected<std::vector<std::size_t>> input_order(const Graph& graph, const std::vector<std::string>& names) {
  const std::vector<Node> parameters = graph.parameters();
  std::vector<std::size_t> order;
  for (const Node& parameter : parameters) {
    std::vector<std::string_view> own = parameter.output().data().tensor_names();
    own.push_back(parameter.name());
    const auto hit = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
      return !name.empty() && std::find(own.begin(), own.end(), std::string_view(name)) != own.end();
    });
    if (hit != names.end()) order.push_back(static_cast<std::size_t>(hit - names.begin()));
  }
  if (order.size() == parameters.size()) return order;
  if (names.size() != parameters.size())
    return error("MO-RUN-0022", "the test has {} inputs, the model has {} and their names don't tell which",
                 names.size(), parameters.size())
        .hint("look at the Parameters of the IR: one may be missing");
  order.resize(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

Outcome run_test(const TestCase& test, const std::string& scratch, const TestOptions& options) {
  const std::vector<std::string> sets = data_sets(test.folder);
  if (sets.empty()) return outcome(Category::failed, "it has no test_data_set_0");
  Options how;
  how.input_model = test.folder + "/model.onnx";
  how.framework = "onnx";
  how.model_name = "model";
  how.output_dir = options.keep.empty() ? scratch : options.keep + "/" + test.name;
  if (!options.keep.empty()) {
    std::error_code problem;
    fs::create_directories(how.output_dir, problem);
    if (problem)
      return outcome(Category::failed,
                     fmt::format("cannot make the folder \"{}\": {}", how.output_dir, problem.message()));
    // What an earlier run left must not be taken for what this one made.
    for (const char* file : {"/model.xml", "/model.bin"}) fs::remove(how.output_dir + file, problem);
  }
  how.ir_version = options.ir_version;
  how.silent = true;
  DiagnosticList messages;
  const auto start = std::chrono::steady_clock::now();
  const auto report = convert(how, messages);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Outcome result = report ? check_ir(*report, sets, options) : outcome(Category::refused, report.error());
  result.convert_seconds = seconds;
  std::error_code ignored;
  if (!report && !options.keep.empty()) fs::remove(how.output_dir, ignored);  // it is empty, else it stays
  return result;
}

}  // namespace mo::conformance
