#include <fmt/format.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/graph/bodies.hpp"
#include "core/text/printer.hpp"
#include "tests/onnx_emitter/model_text.hpp"
#include "tools/test/case.hpp"

/// What is written for each op: tests/onnx_emitter/forms/*.txt, a graph of ops in each case, and below `--- onnx N`
/// the operators of op set N that stand for it, or the error. MO_UPDATE_GOLDENS=1 writes what is there now into the
/// files.
namespace mo::onnx_emitter {
namespace {

namespace fs = std::filesystem;

constexpr const char* kForms = MO_TESTS_DIR "/onnx_emitter/forms";

std::vector<std::string> form_files() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(kForms)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// The graph of operators in text form, without op sets, types of results, symbols and names. Constants are written
/// where they are read.
std::string form_of(const std::string& text, std::int64_t opset) {
  const auto graph = graph_of(text);
  if (!graph) return "no graph\n";
  const auto made = onnx_of(*graph, {.opset = opset, .needs_ranks = false});
  if (!made) return fmt::format("error {}: {}\n", made.error().first().code, made.error().first().message);
  for (const Graph* each : with_bodies(*made->graph))
    for (const Node node : each->nodes())
      for (const OutPort& port : node.out_ports()) port.data().clear_tensor_names();
  std::string form = to_text(*made->graph, {.names = false});
  const std::string attribute = R"((@opset=\d+|@captures=\[[^\]]*\]))";
  RE2::GlobalReplace(&form, " \\{" + attribute + "\\}|" + attribute + ", |, " + attribute, "");
  RE2::GlobalReplace(&form, R"(\?#\d+)", "?");
  RE2::GlobalReplace(&form, R"((?m) : \w+\[[^\]]*\](, \w+\[[^\]]*\])*$)", "");
  return form;
}

std::int64_t opset_of(const test::Section& section) { return std::stoll(section.argument); }

/// The file with what is written now.
std::string updated(const std::string& path) {
  const test::TestFile file = test::read_test_file(path);
  std::map<int, std::string> forms;  // by line
  for (const test::Case& one : file.cases)
    for (const test::Section& section : one.sections) forms[section.line] = form_of(one.graph, opset_of(section));
  std::ifstream in(path);
  std::string text;
  bool is_old = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    const auto form = forms.find(++number);
    if (line.starts_with("===") && is_old) text += "\n";
    if (form != forms.end() || line.starts_with("===")) is_old = false;
    if (!is_old) text += line + "\n";
    if (form == forms.end()) continue;
    text += form->second;
    is_old = true;
  }
  return text;
}

TEST(OnnxForms, AreThoseOfTheFiles) {
  const bool update = std::getenv("MO_UPDATE_GOLDENS") != nullptr;
  for (const std::string& path : form_files()) {
    const std::string now = updated(path);
    std::stringstream before;
    before << std::ifstream(path).rdbuf();
    if (update)
      std::ofstream(path) << now;
    else
      EXPECT_EQ(before.str(), now) << path << ": MO_UPDATE_GOLDENS=1 test_onnx_emitter writes what is there now";
  }
}

TEST(OnnxForms, AreThereForEachOp) {
  std::set<std::string> found;
  for (const std::string& path : form_files())
    for (const test::Case& one : test::read_test_file(path).cases)
      if (const auto graph = graph_of(one.graph); graph && !form_of(one.graph, 21).starts_with("error"))
        for (const Graph* each : with_bodies(*graph))
          for (const Node node : each->nodes()) found.insert(fmt::format("{}-{}", node.type(), node.op_type().version));
  for (const OpType* type : test::builtins().ops().all()) {
    if (!type->opset_name.empty() || !has_onnx_form(*type)) continue;
    const std::string name = fmt::format("{}-{}", type->name, type->version);
    EXPECT_TRUE(found.contains(name)) << name << ": add a case to " << kForms;
  }
}

}  // namespace
}  // namespace mo::onnx_emitter
