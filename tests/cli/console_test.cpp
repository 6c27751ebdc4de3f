#include "cli/console.hpp"

#include <gtest/gtest.h>

#include "cli/application.hpp"
#include "cli/option_table.hpp"
#include "core/support/printable.hpp"

namespace mo::cli {
namespace {

TEST(Console, SuccessLinesAreThoseOfTheOriginal) {
  const Report report{"/out/q.xml", "/out/q.bin", 11, 3};
  EXPECT_EQ(success_lines(report, 0.514, 76),
            "[ SUCCESS ] Generated IR version 11 model.\n[ SUCCESS ] XML file: /out/q.xml\n[ SUCCESS ] BIN file: /out/q.bin\n"
            "[ SUCCESS ] Total execution time: 0.51 seconds. \n[ SUCCESS ] Memory consumed: 76 MB. \n");
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
  EXPECT_NE(text.find("\t- Reverse input channels: \tFalse\nONNX specific parameters:\nModel Optimizer version: \t"), std::string::npos);
}

TEST(Console, ProgressLineHasFixedWidth) {
  EXPECT_EQ(ProgressBar::line(0, 300), "\rProgress: [                    ]   0.00% done");
  EXPECT_EQ(ProgressBar::line(150, 300), "\rProgress: [..........          ]  50.00% done");
  EXPECT_EQ(ProgressBar::line(300, 300), "\rProgress: [....................] 100.00% done");
  EXPECT_EQ(ProgressBar::line(7, 0), ProgressBar::line(1, 1));
}

TEST(Console, NamesFromModelsCannotControlTheTerminal) {
  EXPECT_EQ(printable("a\x1b[31mb\n\tc\x7f"), "a\\x1b[31mb\n\tc\\x7f");
  EXPECT_EQ(printable("a\xc2\x9b"
                      "31m"),
            "a\\x9b31m");
  EXPECT_EQ(printable("größe ¢ 図 𝔸"), "größe ¢ 図 𝔸");
  EXPECT_EQ(printable("a\u202eb\u2066c\u200fd\u061ce\u2028f\ufeff"), "a\\u202eb\\u2066c\\u200fd\\u061ce\\u2028f\\ufeff");
}

TEST(Console, BytesThatAreNoUtf8AreShownAsNumbers) {
  EXPECT_EQ(printable("a\xff\xfe"
                      "b\x80"),
            "a\\xff\\xfeb\\x80");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "an overlong form";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair of surrogates";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last character";
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80") << "cut off";
}

TEST(Console, HelpListsEveryOptionInItsSection) {
  const std::string text = help_text();
  for (const OptionRow* row : option_table()) {
    EXPECT_NE(text.find("--" + std::string(row->name)), std::string::npos) << row->name;
    EXPECT_NE(text.find(std::string(title(row->section)) + ":"), std::string::npos);
  }
  EXPECT_TRUE(text.find(kUsage) != std::string::npos);
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

}  // namespace
}  // namespace mo::cli
