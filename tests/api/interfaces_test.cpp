// The C++ interfaces of api/, as programs use them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "api/inspect.hpp"
#include "api/options.hpp"
#include "api/run.hpp"
#include "api/verify.hpp"
#include "driver/convert.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;

/// y = Relu(x + [1, -2, 3]), or another op in place of Relu.
std::string model_text(const std::string& op) {
  return "ir_version: 8 opset_import { version: 13 } graph { name: \"g\"\n"
         "node { op_type: \"Add\" name: \"sum\" input: \"x\" input: \"w\" output: \"s\" }\n"
         "node { op_type: \"" +
         op +
         "\" name: \"act\" input: \"s\" output: \"y\" }\n"
         "initializer { name: \"w\" data_type: 1 dims: 3 float_data: 1 float_data: -2 float_data: 3 }\n"
         "input { name: \"x\" type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } dim { dim_value: 3 } } } "
         "} }\n"
         "output { name: \"y\" type { tensor_type { elem_type: 1 } } } }\n";
}

class Interfaces : public testing::Test {
 protected:
  Interfaces() {
    std::string pattern = (fs::temp_directory_path() / "mo_api_XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  ~Interfaces() override { fs::remove_all(folder_); }

  std::string model(const std::string& name, const std::string& op = "Relu") {
    const fs::path path = folder_ / name;
    std::ofstream(path) << model_text(op);
    return path.string();
  }
  Expected<Report> convert_words(std::vector<std::string> words) {
    MO_ASSIGN(Options options, parse_options(words, remarks_));
    options.output_dir = folder_.string();
    return convert(options, remarks_);
  }
  template <class T>
  static std::string code(const Expected<T>& result) {
    return result ? "" : result.error().first().code;
  }

  fs::path folder_;
  DiagnosticList remarks_;
};

TEST_F(Interfaces, OptionsComeFromTheWordsOfACommandLine) {
  const std::string path = model("m.onnxtxt");
  const auto options = parse_options({path, "--input_shape", "[2,3]", "--mean_file=x"}, remarks_);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->input_model, path);
  EXPECT_EQ(options->framework, "onnx");
  ASSERT_EQ(remarks_.items.size(), 1U);
  EXPECT_EQ(remarks_.items.front().code, "MO-CLI-0033") << "an option of another framework";
  EXPECT_EQ(code(parse_options({path, "--nonsense"}, remarks_)), "MO-CLI-0001");
  EXPECT_EQ(code(parse_model_options({"--input_shape", "["})).substr(0, 6), "MO-CLI");
}

TEST_F(Interfaces, AConversionInMemoryHasTheBytesOfTheFiles) {
  const std::string path = model("m.onnxtxt");
  const auto files = convert_words({path});
  ASSERT_TRUE(files);
  EXPECT_EQ(files->xml, nullptr);
  EXPECT_EQ(files->inputs, std::vector<std::string>{path});
  auto options = parse_options({path, "--output_dir", (folder_ / "never").string()}, remarks_);
  ASSERT_TRUE(options);
  options->keeps_in_memory = true;
  const auto memory = convert(*options, remarks_);
  ASSERT_TRUE(memory);
  EXPECT_TRUE(memory->xml_path.empty() && memory->bin_path.empty());
  EXPECT_FALSE(fs::exists(folder_ / "never"));
  for (const auto& [file, bytes] : {std::pair(files->xml_path, memory->xml), std::pair(files->bin_path, memory->bin)}) {
    std::ifstream in(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(bytes->bytes().data()), bytes->bytes().size()), text);
  }
}

TEST_F(Interfaces, AnOnnxModelIsAFile) {
  auto options = parse_options({model("m.onnxtxt"), "-o", (folder_ / "made" / "m.onnx").string()}, remarks_);
  ASSERT_TRUE(options);
  options->keeps_in_memory = true;
  EXPECT_EQ(code(convert(*options, remarks_)), "MO-API-0006");
  EXPECT_FALSE(fs::exists(folder_ / "made"));
  options->keeps_in_memory = false;
  const auto report = convert(*options, remarks_);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->xml_path.empty());
  EXPECT_EQ(report->onnx_path, (folder_ / "made" / "m.onnx").string());
}

TEST_F(Interfaces, ACancelledConversionLeavesNoFiles) {
  auto options = parse_options({model("m.onnxtxt"), "--output_dir", (folder_ / "never").string()}, remarks_);
  ASSERT_TRUE(options);
  const std::atomic<bool> cancel = true;
  options->budget.cancel = &cancel;
  EXPECT_EQ(code(convert(*options, remarks_)), "MO-LIMIT-0004");
  EXPECT_FALSE(fs::exists(folder_ / "never"));
}

TEST_F(Interfaces, AnInspectionReportsWhatIsInAModel) {
  const auto found = inspect({model("m.onnxtxt")});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->converts && found->refusals.empty() && !found->is_ir);
  ASSERT_TRUE(found->model);
  EXPECT_EQ(found->model->nodes, 2U);
  ASSERT_TRUE(found->proposal);
  EXPECT_TRUE(found->proposal->is_whole);
  EXPECT_NE(found->json.find("\"converts\": true"), std::string::npos);
}

TEST_F(Interfaces, AnInspectionProposesThePartThatConverts) {
  const auto found = inspect({model("m.onnxtxt", "NoSuchOp")});
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->converts);
  ASSERT_EQ(found->refusals.size(), 1U);
  EXPECT_EQ(found->refusals.front().nodes, std::vector<std::string>{"act"});
  ASSERT_TRUE(found->proposal);
  EXPECT_FALSE(found->proposal->is_whole);
  EXPECT_TRUE(convert_words(found->proposal->words));
}

TEST_F(Interfaces, AnInspectionFailsWhereThereIsNoModelAndWhenItIsCancelled) {
  EXPECT_EQ(code(inspect({(folder_ / "none.onnx").string()})), "MO-IO-0001");
  const std::atomic<bool> cancel = true;
  EXPECT_EQ(code(inspect({model("m.onnxtxt")}, &cancel)), "MO-LIMIT-0004");
}

TEST_F(Interfaces, AVerificationComparesAModelWithItsIr) {
  const std::string path = model("m.onnxtxt");
  const auto report = convert_words({path});
  ASSERT_TRUE(report);
  auto request = parse_verify_request({path, report->xml_path, "--seeds", "2"});
  ASSERT_TRUE(request);
  auto equal = verify(*request, remarks_);
  ASSERT_TRUE(equal);
  EXPECT_EQ(equal->verdict, Verdict::equal);
  EXPECT_EQ(equal->seeds.size(), 2U);
  EXPECT_NE(text_of(*equal).find("compute the same"), std::string::npos);

  request->source.input_model = model("other.onnxtxt", "Neg");
  const auto different = verify(*request, remarks_);
  ASSERT_TRUE(different) << "that both differ is no error";
  EXPECT_EQ(different->verdict, Verdict::different);
  EXPECT_NE(json_of(*different).find("\"different\""), std::string::npos);
  EXPECT_EQ(code(parse_verify_request({path, "--seeds", "none"})), "MO-VERIFY-0007");
}

TEST_F(Interfaces, ARunTakesTensorsByNameOrInOrder) {
  RunRequest request;
  request.model.input_model = model("m.onnxtxt");
  request.portable = true;
  for (const char* name : {"x", ""}) {
    const std::vector<float> values = {-3, 5, 1, 2, 2, -9};
    request.inputs = {{name, Tensor::of<float>({2, 3}, values)}};
    const auto outputs = run(request, remarks_);
    ASSERT_TRUE(outputs);
    ASSERT_EQ(outputs->size(), 1U);
    EXPECT_EQ(outputs->front().name, "act");
    EXPECT_EQ(outputs->front().tensor_names, std::vector<std::string>{"y"});
    const std::span<const float> made = outputs->front().value.values<float>();
    EXPECT_EQ(std::vector<float>(made.begin(), made.end()), (std::vector<float>{0, 3, 4, 3, 0, 0}));
  }
  request.inputs.front().name = "z";
  EXPECT_EQ(code(run(request, remarks_)), "MO-RUN-0001");
}

}  // namespace
}  // namespace mo
