#include "cli/console.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/explain.hpp"
#include "cli/help.hpp"
#include "cli/option_table.hpp"
#include "cli/terminal.hpp"
#include "core/support/printable.hpp"

namespace mo::cli {
namespace {

TEST(Console, SuccessLinesAreThoseOfTheOriginal) {
  const Report report{"/out/q.xml", "/out/q.bin", 11, 3};
  EXPECT_EQ(
      success_lines(report, 0.514, 76),
      "[ SUCCESS ] Generated IR version 11 model.\n[ SUCCESS ] XML file: /out/q.xml\n[ SUCCESS ] BIN file: /out/q.bin\n"
      "[ SUCCESS ] Total execution time: 0.51 seconds. \n[ SUCCESS ] Memory consumed: 76 MB. \n");
}

TEST(Console, SuccessLinesNameTheOldestRuntimeWhenItIsNotTheFirstOfTheVersion) {
  Report report{"/out/q.xml", "/out/q.bin", 11, 3};
  report.oldest_runtime = "2022.1";
  EXPECT_TRUE(success_lines(report, 0.5, 76).ends_with("Memory consumed: 76 MB. \n"));
  report.oldest_runtime = "2023.0";
  EXPECT_TRUE(success_lines(report, 0.5, 76)
                  .ends_with("[ SUCCESS ] Oldest runtime: 2023.0; for an older one give --target_runtime\n"));
}

TEST(Console, TheNextStepCanBeTyped) {
  EXPECT_EQ(next_step_line({.xml_path = "/out/q.xml"}),
            "Next: mo run /out/q.xml --array INPUT=FILE.npy; mo inspect /out/q.xml lists the inputs\n");
  Report onnx;
  onnx.onnx_path = "my models/q.onnx";
  EXPECT_EQ(next_step_line(onnx),
            "Next: mo run 'my models/q.onnx' --array INPUT=FILE.npy; mo inspect 'my models/q.onnx' lists the inputs\n");
}

TEST(Console, BannerHasTheLinesOfTheOriginal) {
  Options options;
  options.input_model = "/models/q.onnx";
  options.output_dir = "/out/";
  options.framework = "onnx";
  options.given = {{"input_shape", "[1,3]", false}};
  const std::string text = banner(options);
  EXPECT_TRUE(
      text.starts_with("Model Optimizer arguments:\nCommon parameters:\n\t- Path to the Input Model: \t/models/q.onnx\n"
                       "\t- Path for generated IR: \t/out\n\t- IR output name: \tq\n\t- Log level: \tERROR\n"
                       "\t- Batch: \tNot specified, inherited from the model\n"))
      << text;
  EXPECT_NE(text.find("\t- Input shapes: \t[1,3]\n"), std::string::npos);
  EXPECT_NE(text.find("\t- Reverse input channels: \tFalse\nONNX specific parameters:\nModel Optimizer version: \t"),
            std::string::npos);
}

TEST(Console, BannerHasTheLinesOfTheFramework) {
  Options options;
  options.framework = "tf";
  options.given = {{"input_model_is_text", "True", false}, {"transformations_config", "a.json", true}};
  EXPECT_NE(banner(options).find("TensorFlow specific parameters:\n\t- Input model in text protobuf format: \tTrue\n"
                                 "\t- Path to model dump for TensorBoard: \tNone\n"),
            std::string::npos);
  EXPECT_NE(banner(options).find("\t- Use the config file: \ta.json\nModel Optimizer version: \t"), std::string::npos);
  options.framework = "caffe";
  options.disable_resnet_optimization = true;
  options.given = {{"mean_file_offsets", "(1,2)", false}};
  EXPECT_NE(banner(options).find("Caffe specific parameters:\n\t- Enable resnet optimization: \tFalse\n"
                                 "\t- Path to the Input prototxt: \tNot specified\n"),
            std::string::npos);
  EXPECT_NE(banner(options).find("\t- Offsets for a mean file: \t(1,2)\nModel Optimizer version: \t"),
            std::string::npos);
}

TEST(Console, ProgressLineHasFixedWidth) {
  EXPECT_EQ(ProgressBar::line(0, "reading", 0.1), "\rProgress: [                    ]   0.00% done  reading");
  EXPECT_EQ(ProgressBar::line(0.5, "PartialInference", 4),
            "\rProgress: [..........          ]  50.00% done  PartialInference, 4 s left");
  EXPECT_EQ(ProgressBar::line(0.75, "writing", 0.9), "\rProgress: [...............     ]  75.00% done  writing")
      << "too early to tell";
  EXPECT_EQ(ProgressBar::line(0.01, "reading", 9), "\rProgress: [                    ]   1.00% done  reading");
  EXPECT_EQ(ProgressBar::line(1, "writing", 8), "\rProgress: [....................] 100.00% done");
  EXPECT_EQ(ProgressBar::line(7, "", 0), ProgressBar::line(1, "", 0));
}

TEST(Console, OnlyLabelsAreColoured) {
  EXPECT_EQ(highlighted("[ ERROR ]  MO-X-0001: no\n  node    'a'\n  hint    [ ERROR ] inside\n"),
            "\x1b[1;31m[ ERROR ]\x1b[0m  MO-X-0001: no\n  node    'a'\n  \x1b[1mhint\x1b[0m    [ ERROR ] inside\n");
  EXPECT_EQ(highlighted("[ WARNING ]  x"), "\x1b[1;33m[ WARNING ]\x1b[0m  x");
  EXPECT_EQ(highlighted("plain\n"), "plain\n");
}

TEST(Console, NamesFromModelsCannotControlTheTerminal) {
  EXPECT_EQ(printable("a\x1b[31mb\n\tc\x7f"), "a\\x1b[31mb\n\tc\\x7f");
  EXPECT_EQ(printable("a\xc2\x9b"
                      "31m"),
            "a\\x9b31m");
  EXPECT_EQ(printable("größe ¢ 図 𝔸"), "größe ¢ 図 𝔸");
  EXPECT_EQ(printable("a\u202eb\u2066c\u200fd\u061ce\u2028f\ufeff"),
            "a\\u202eb\\u2066c\\u200fd\\u061ce\\u2028f\\ufeff");
}

TEST(Console, BytesThatAreNotUtf8AreShownAsNumbers) {
  EXPECT_EQ(printable("a\xff\xfe"
                      "b\x80"),
            "a\\xff\\xfeb\\x80");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "an overlong form";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair of surrogates";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last character";
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80") << "cut off";
}

TEST(Console, HelpListsEveryOptionInItsSection) {
  const std::string text = *help_text("", 80);
  for (const OptionRow* row : option_table()) {
    EXPECT_NE(text.find("--" + std::string(row->name)), std::string::npos) << row->name;
    EXPECT_NE(text.find(std::string(row->section->title) + ":"), std::string::npos);
  }
  EXPECT_TRUE(text.find(kUsage) != std::string::npos);
}

TEST(Console, HelpFitsTheTerminal) {
  for (const std::size_t width : {40U, 60U, 80U, 120U, 200U})
    for (const std::string_view topic : {"", "extensions", "input_shape", "exit-codes", "topics"}) {
      std::istringstream lines(*help_text(topic, width));
      for (std::string line; std::getline(lines, line);)
        // A word or a command line that is longer than the terminal stays whole.
        EXPECT_TRUE(line.size() <= width || line.find(' ', line.find_first_not_of(' ')) == std::string::npos ||
                    line.starts_with("  mo ") || line.starts_with("  --"))
            << width << ": " << line;
    }
}

TEST(Console, HelpHasTopics) {
  EXPECT_NE(help_text("tensorflow", 80)->find("--saved_model_dir"), std::string::npos);
  EXPECT_EQ(help_text("tensorflow", 80)->find("--input_proto"), std::string::npos);
  EXPECT_EQ(*help_text("TF", 80), *help_text("tensorflow", 80));
  const std::string one = *help_text("--input-shape", 80);
  EXPECT_NE(one.find("--input_shape SHAPES"), std::string::npos);
  EXPECT_EQ(one.find("--batch"), std::string::npos);
  EXPECT_NE(help_text("examples", 80)->find("mo "), std::string::npos);
  for (const OptionRow* row : option_table()) EXPECT_TRUE(help_text(row->name, 80)) << row->name;
  const auto unknown = help_text("prepocessing", 80);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().first().code, "MO-CLI-0072");
  EXPECT_NE(unknown.error().first().hint_text.find("preprocessing"), std::string::npos);
}

TEST(Console, ExplainsEveryCode) {
  const std::string text = *explain("MO-OPS-0012");
  EXPECT_TRUE(text.starts_with("MO-OPS-0012: ")) << text;
  EXPECT_NE(text.find("An axis is out of range for the rank of its tensor."), std::string::npos) << text;
  EXPECT_NE(text.find("exit code"), std::string::npos);
  EXPECT_EQ(*explain("ops-0012"), text);
  const auto unknown = explain("MO-OPS-12");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().first().code, "MO-CLI-0073");
  EXPECT_NE(unknown.error().first().hint_text.find("MO-OPS-0012"), std::string::npos);
}

TEST(Console, ExplainsMessagesOfTheOriginal) {
  for (const auto& [words, code] :
       {std::pair{"Cannot infer shapes or values for node", "MO-OPS-0422: "},
        {"[ ERROR ]  Cannot infer shapes or values for node \"conv1/Conv2D\".", "MO-OPS-0004: "},
        {"question #15", "MO-CLI-0020: "},
        {"For more information refer to Model Optimizer FAQ, question #38.", "MO-OPS-0003: "},
        {"Q 56", "MO-CLI-0007: "},
        {"faq 97", "MO-GRAPH-0010: "},
        {"#20", "MO-CAFFE-0020: "},
        {"is not fully defined for output", "MO-BACK-0002: "},
        {"output 0 of node x is not fully defined for output. Use --input_shape", "MO-EMIT-0007: "},
        {"No node with name", "MO-CUT-0001: "},
        {"no node with name conv9", "MO-CUT-0001: "},
        {"Input shape ... doesn't match", "MO-OPS-0422: "},
        {"Input shape \"[1,3,\" cannot be parsed.", "MO-CLI-0011: "},
        {"Input image of shape (3, 4) is larger than mean image (2, 2) from file", "MO-PRE-0008: "},
        {"Following transformations (X) are not available.", "MO-CONFIG-0041: "}}) {
    const auto text = explain(words);
    ASSERT_TRUE(text) << words;
    EXPECT_NE(text->find(code), std::string::npos) << words << "\n" << *text;
    EXPECT_TRUE(text->starts_with("original  ")) << *text;
  }
  EXPECT_NE(explain("question #15")->find("question  15 of the FAQ"), std::string::npos);
  for (const char* words : {"question #1234", "node", "is", "no such message anywhere", "", "..."}) {
    const auto unknown = explain(words);
    ASSERT_FALSE(unknown) << words;
    EXPECT_EQ(unknown.error().first().code, "MO-CLI-0073");
  }
}

TEST(Console, TheSinkStopsRepeatingAKindOfWarning) {
  ::testing::internal::CaptureStderr();
  ConsoleSink sink("ERROR");
  for (int i = 0; i < 25; ++i) sink.report(warning("MO-TEST-0001", "w{}", i));
  Diagnostic note = warning("MO-TEST-0002", "hidden");
  note.severity = Severity::note;
  sink.report(note);
  sink.finish();
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("[ WARNING ]  MO-TEST-0001: w19\n"), std::string::npos);
  EXPECT_EQ(text.find("w20"), std::string::npos);
  EXPECT_NE(text.find("5 more"), std::string::npos);
  EXPECT_EQ(text.find("hidden"), std::string::npos);
}

TEST(Console, ASilentSinkPrintsNoWarnings) {
  ::testing::internal::CaptureStderr();
  ConsoleSink sink("ERROR", true);
  for (int i = 0; i < 25; ++i) sink.report(warning("MO-TEST-0001", "w{}", i));
  sink.finish();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace mo::cli
