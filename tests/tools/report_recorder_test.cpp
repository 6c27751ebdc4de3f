// Reports as a program that embeds mo makes them: without a command line, and without files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tools/report/recorder.hpp"
#include "tools/report/report.hpp"

namespace {

using namespace mo;
using namespace mo::tools;

class Recorder : public testing::Test {
 protected:
  Recorder() { std::filesystem::create_directories(folder_); }
  ~Recorder() override { std::filesystem::remove_all(folder_); }

  Options options_for(const std::string& op) {
    Options options;
    options.input_model = (folder_ / "m.onnxtxt").string();
    options.output_dir = folder_.string();
    std::ofstream(options.input_model)
        << "ir_version: 8 opset_import { version: 13 } graph { name: 'g' node { op_type: '" + op +
               "' input: 'x' output: 'y' name: 'n' } input { name: 'x' type { tensor_type { elem_type: 1 shape { dim { "
               "dim_value: 2 } } } } } output { name: 'y' } }";
    return options;
  }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("mo_report_" + std::to_string(getpid()));
  DiagnosticList heard_;
};

TEST_F(Recorder, RecordsAConversion) {
  ConversionRecorder recorder(options_for("Relu"), heard_);
  const auto report = convert(options_for("Relu"), recorder, nullptr, &recorder.watch());
  ASSERT_TRUE(report);
  recorder.finish(report);
  const auto json = nlohmann::json::parse(report_json(recorder.record));
  EXPECT_EQ(json["status"], "converted");
  EXPECT_EQ(json["graphs"]["tables"][1]["rows"], 3);
  EXPECT_EQ(json["ir"]["xml_bytes"], std::filesystem::file_size(report->xml_path));
  EXPECT_TRUE(json["options"].empty()) << "nobody gave one in words";
}

TEST_F(Recorder, PassesDiagnosticsOn) {
  Options options = options_for("Relu");
  options.tensorflow.input_model_is_text = true;
  ConversionRecorder recorder(options, heard_);
  recorder.report(warning("MO-TEST-9999", "something"));
  ASSERT_EQ(heard_.items.size(), 1U);
  EXPECT_EQ(recorder.record.messages.size(), 1U);
}

TEST_F(Recorder, RecordsWhyThereIsNoIr) {
  ConversionRecorder recorder(options_for("NobodyKnows"), heard_);
  const auto report = convert(options_for("NobodyKnows"), recorder, nullptr, &recorder.watch());
  ASSERT_FALSE(report);
  recorder.finish(report);
  const auto json = nlohmann::json::parse(report_json(recorder.record));
  EXPECT_EQ(json["status"], "failed");
  EXPECT_TRUE(json["ir"].is_null());
  EXPECT_EQ(json["messages"].back()["node"], "n");
  EXPECT_EQ(json["graphs"]["tables"].size(), 1U) << "the model was read";
}

}  // namespace
