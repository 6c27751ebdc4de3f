#include "cli/command_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/cli/diagnostic_text.hpp"

namespace mo::cli {
namespace {

using mo::testing::code_of;
using Words = std::vector<std::string_view>;

Expected<CommandLine> parse(Words words) { return parse_command_line(words); }

/// Parses after `--input_model m.onnx`, which every conversion needs.
Expected<CommandLine> parse_with_model(Words words) {
  words.insert(words.begin(), {"--input_model", "m.onnx"});
  return parse_command_line(words);
}

std::string hint_of(const Expected<CommandLine>& line) { return line ? "" : line.error().first().hint_text; }

TEST(CommandLine, OldCommandLinesAreUnderstood) {
  const auto line =
      parse({"-w", "dir/net.onnx", "-n=name", "-o", "out", "-b1", "-s", "2", "-ms", "(1,2,3)",
             "--reverse_input_channels", "--log_level=DEBUG", "--data_type", "half", "--finegrain_fusing", "a.*,b"});
  ASSERT_TRUE(line) << line.error().first().format();
  const Options& options = line->options;
  EXPECT_EQ(options.input_model, "dir/net.onnx");
  EXPECT_EQ(options.framework, "onnx");
  EXPECT_EQ(options.model_name, "name");
  EXPECT_EQ(options.output_dir, "out");
  EXPECT_EQ(options.batch, 1);
  EXPECT_EQ(options.scale, 2.0);
  EXPECT_EQ(options.mean_values, (std::vector<ChannelValues>{{std::nullopt, {1, 2, 3}}}));
  EXPECT_TRUE(options.reverse_input_channels);
  EXPECT_EQ(options.log_level, "DEBUG");
  EXPECT_EQ(options.data_type, ElementType::f16);
  EXPECT_EQ(options.finegrain_fusing, (std::vector<std::string>{"a.*", "b"}));
  EXPECT_EQ(options.written_ir_version(), 11);
}

TEST(CommandLine, DashAndUnderscoreAreTheSame) {
  EXPECT_EQ(parse({"--input-model=m.onnx", "--ir-version", "10"})->options.ir_version, 10);
  EXPECT_EQ(parse_with_model({"--disable_pass", "A", "--disable-pass=B,C"})->options.passes.disable,
            (std::vector<std::string>{"A", "B", "C"}));
}

TEST(CommandLine, BeginningsOfNamesAreEnoughWhenUnambiguous) {
  EXPECT_TRUE(parse_with_model({"--input_sha", "[1,3,8,8]"})->options.input_shapes.size() == 1);
  const auto ambiguous = parse_with_model({"--disable", "x"});
  EXPECT_EQ(code_of(ambiguous), "MO-CLI-0002");
  EXPECT_NE(hint_of(ambiguous).find("--disable_fusing"), std::string::npos);
  // A whole name wins although it is the beginning of others.
  EXPECT_EQ(parse_with_model({"--input", "a"})->options.inputs.size(), 1u);
  EXPECT_EQ(parse_with_model({"--scale", "3"})->options.scale, 3.0);
}

TEST(CommandLine, ValuesMayBeginWithADashOrABracket) {
  EXPECT_EQ(parse_with_model({"--mean_values", "-1,-2,-3"})->options.mean_values.front().values,
            (std::vector<double>{-1, -2, -3}));
  EXPECT_EQ(parse_with_model({"--input_shape", "(1,2)"})->options.input_shapes.size(), 1u);
  EXPECT_EQ(parse_with_model({"--model_name", "--odd"})->options.model_name, "--odd");
  EXPECT_EQ(parse_with_model({"--input", "{}"}).has_value(), false);
}

TEST(CommandLine, TheLastOneWins) {
  EXPECT_EQ(parse_with_model({"-n", "a", "--model_name=b", "-n", "c"})->options.model_name, "c");
  EXPECT_FALSE(parse_with_model({"--silent", "--silent=false"})->options.silent);
}

TEST(CommandLine, FlagsTakeTruthValues) {
  EXPECT_FALSE(parse_with_model({"--compress_to_fp16=False"})->options.compress_to_fp16);
  EXPECT_FALSE(parse_with_model({"--compress_to_fp16", "False"})->options.compress_to_fp16);
  EXPECT_TRUE(parse_with_model({"--compress_to_fp16", "True"})->options.compress_to_fp16);
  EXPECT_EQ(code_of(parse_with_model({"--silent=perhaps"})), "MO-CLI-0004");
}

TEST(CommandLine, AnUnknownOptionSuggestsTheNearest) {
  const auto line = parse_with_model({"--reverse_imput_chanels"});
  EXPECT_EQ(code_of(line), "MO-CLI-0001");
  EXPECT_EQ(hint_of(line), "did you mean '--reverse_input_channels'?");
  EXPECT_EQ(hint_of(parse_with_model({"--qqqqqqqqqqqq"})), "`mo --help` lists all options");
  EXPECT_EQ(code_of(parse_with_model({"-z"})), "MO-CLI-0001");
  EXPECT_EQ(code_of(parse_with_model({"--" + std::string(100000, 'x')})), "MO-CLI-0001");
}

TEST(CommandLine, AFormerOptionNamesItsReplacement) {
  // The value of a former option is neither the model nor an unexpected argument: there is one error.
  const auto line = parse_with_model({"--tensorflow_operation_patterns", "Foo.*"});
  EXPECT_EQ(code_of(line), "MO-CLI-0001");
  EXPECT_EQ(line.error().items().size(), 1U);
  EXPECT_NE(hint_of(line).find("--custom_ops"), std::string::npos) << hint_of(line);
  EXPECT_EQ(hint_of(parse_with_model({"--generate-experimental-IR-V10"})), "write --ir_version 10");
  EXPECT_NE(hint_of(parse_with_model({"--output_model=ir/model"})).find("write -o"), std::string::npos);
}

TEST(CommandLine, AMissingValueIsNotTakenFromTheNextOption) {
  EXPECT_EQ(code_of(parse({"--input_model"})), "MO-CLI-0003");
  EXPECT_EQ(code_of(parse({"--input_model", "--silent"})), "MO-CLI-0003");
  EXPECT_EQ(code_of(parse({"--input_model", "-o", "x"})), "MO-CLI-0003");
}

TEST(CommandLine, OneArgumentWithoutADashIsTheModel) {
  EXPECT_EQ(parse({"m.onnx", "--silent"})->options.input_model, "m.onnx");
  EXPECT_EQ(parse({"--", "-m.onnx"})->options.input_model, "-m.onnx");
  EXPECT_EQ(code_of(parse({"a.onnx", "b.onnx"})), "MO-CLI-0008");
  const std::string hint = hint_of(parse({"--silent", "run", "m.onnx"}));
  EXPECT_NE(hint.find("'run' is --input_model already; a subcommand comes before all options"), std::string::npos)
      << hint;
  EXPECT_NE(hint_of(parse({"m.onnx", "ir.xml"})).find("a file to write follows -o"), std::string::npos);
  EXPECT_EQ(code_of(parse_with_model({"--input_shape", "[1,", "3]"})), "MO-CLI-0008");
}

TEST(CommandLine, EverythingWrongIsReportedAtOnce) {
  const auto line = parse_with_model({"--framwork", "--batch", "0", "--input_shape", "[1"});
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().items().size(), 3u);
}

TEST(CommandLine, HelpAndVersionWinOverErrors) {
  EXPECT_EQ(parse({"--help"})->action, Action::print_help);
  EXPECT_EQ(parse({"-h", "--nonsense"})->action, Action::print_help);
  EXPECT_EQ(parse({"--version"})->action, Action::print_version);
}

TEST(CommandLine, NoModelIsAnErrorUnlessSomethingIsListed) {
  EXPECT_EQ(code_of(parse({})), "MO-CLI-0006");
  EXPECT_TRUE(parse({"--print-pipeline"}));
  EXPECT_EQ(parse({"--list-ops", "onnx"})->options.list_ops, "onnx");
}

TEST(CommandLine, PassesToExplainAddUp) {
  const auto line = parse_with_model({"--explain-pass", "A,B", "--explain-pass", "C"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->options.passes.explain, (std::vector<std::string>{"A", "B", "C"}));
}

TEST(CommandLine, ConflictsAreThoseOfTheOriginal) {
  const auto conflict = [](Words words) { return code_of(parse_with_model(std::move(words))); };
  EXPECT_EQ(conflict({"--input_shape", "[1]", "--batch", "2"}), "MO-CLI-0007");
  EXPECT_EQ(conflict({"--input", "a[1]", "--input_shape", "[1]"}), "MO-CLI-0007");
  EXPECT_EQ(conflict({"--input", "a[1]", "--batch", "2"}), "MO-CLI-0007");
  EXPECT_EQ(conflict({"--scale", "2", "--scale_values", "(1)"}), "MO-CLI-0007");
  EXPECT_EQ(conflict({"--stateful", "--to", "onnx"}), "MO-CLI-0007");
  EXPECT_EQ(conflict({"--stateful", "--ir_version", "10"}), "MO-CLI-0007");
  EXPECT_EQ(conflict({"--stateful", "--target_runtime", "2021.4"}), "MO-CLI-0007");
  EXPECT_EQ(conflict({"--stateful", "--target_runtime", "2023.2"}), "MO-CLI-0007");
  EXPECT_EQ(conflict({"--mean_file", "x", "--mean_values", "(1)"}), "MO-CLI-0007");
  EXPECT_EQ(conflict({"--saved_model_dir", "x"}), "MO-CLI-0007");
  EXPECT_EQ(conflict({"--input", "a", "--batch", "2"}), "");
}

TEST(CommandLine, CountsOfShapesAndListsMustFitTheInputs) {
  const auto code = [](Words words) { return code_of(parse_with_model(std::move(words))); };
  EXPECT_EQ(code({"--input_shape", "[1],[2]"}), "") << "the model tells how many inputs there are";
  EXPECT_EQ(code({"--input", "a,b", "--input_shape", "[1]"}), "MO-CLI-0019");
  EXPECT_EQ(code({"--input", "a,b", "--input_shape", "[1],[2]"}), "");
  EXPECT_EQ(code({"--input", "a,b", "--mean_values", "(1)"}), "MO-CLI-0025");
  EXPECT_EQ(code({"--input", "a,b", "--mean_values", "c(1)"}), "MO-CLI-0025");
  EXPECT_EQ(code({"--input", "a:0,b", "--mean_values", "a(1)"}), "");
  EXPECT_EQ(code({"--input", "a[2]->[1 2 3]"}), "MO-CLI-0024");
  EXPECT_EQ(code({"--input", "a[2]->1"}), "");
  EXPECT_EQ(code({"--freeze_placeholder_with_value", "a->1,a->2"}), "MO-CLI-0018");
  EXPECT_EQ(code({"--freeze_placeholder_with_value", "a->1", "--input", "a->1"}), "");
}

TEST(CommandLine, TheTargetRuntimeDecidesTheVersionOfTheIr) {
  EXPECT_EQ(parse_with_model({"--target_runtime", "2021.4"})->options.written_ir_version(), 10);
  EXPECT_EQ(parse_with_model({"--target_runtime", "2022.1"})->options.written_ir_version(), 11);
  EXPECT_EQ(parse_with_model({"--target_runtime", "2023.0", "--ir_version", "10"})->options.written_ir_version(), 10);
  EXPECT_NE(code_of(parse_with_model({"--target_runtime", "2021.4", "--ir_version", "11"})), "");
}

TEST(CommandLine, ChoicesAreChecked) {
  const auto code = [](Words words) { return code_of(parse_with_model(std::move(words))); };
  EXPECT_EQ(code({"--framework", "keras"}), "MO-CLI-0005");
  EXPECT_EQ(code({"--log_level", "LOUD"}), "MO-CLI-0005");
  EXPECT_EQ(code({"--data_type", "FP8"}), "MO-CLI-0005");
  EXPECT_EQ(code({"--ir_version", "7"}), "MO-CLI-0005");
  EXPECT_EQ(code({"--target_runtime", "newest"}), "MO-CLI-0005");
  for (const char* release : {"2019.3", "2023", "2023.", "2023.x", "2023.3.0.1", "-1.0"})
    EXPECT_EQ(code({"--target_runtime", release}), "MO-CLI-0005") << release;
  for (const char* release : {"2021.4", "2022.3.1", "2026.0", "latest"})
    EXPECT_EQ(code({"--target_runtime", release}), "") << release;
  EXPECT_EQ(code({"--scale", "0"}), "MO-CLI-0016");
  EXPECT_EQ(code({"--scale", "x"}), "MO-CLI-0015");
}

TEST(CommandLine, AModelNameMustNotLeaveTheOutputDirectory) {
  for (const std::string& name : {std::string("../x"), std::string("a/../b"), std::string("/a"), std::string("a/"),
                                  std::string(".."), std::string("a\nb"), std::string(300, 'x')})
    EXPECT_EQ(code_of(parse_with_model({"--model_name", name})), "MO-CLI-0023") << name;
  EXPECT_TRUE(parse_with_model({"--model_name", "a/b"})) << "a folder in the output folder";
  EXPECT_TRUE(parse_with_model({"--model_name", "größe 模型"}));
}

TEST(CommandLine, OtherFrameworksAreRefusedByName) {
  EXPECT_EQ(code_of(parse({"--input_model", "m.nnet"})), "MO-CLI-0021");
  EXPECT_EQ(code_of(parse({"--input_model", "m.params"})), "MO-CLI-0021");
  EXPECT_EQ(code_of(parse({"--input_symbol", "net.json"})), "MO-CLI-0021");
  EXPECT_EQ(code_of(parse({"--input_model", "m.bin"})), "MO-IO-0001") << "a file that is not there has no framework";
  const std::string nothing = ::testing::TempDir() + "nothing.bin";
  std::ofstream(nothing) << "\x01\x02 no model of anything";
  EXPECT_EQ(code_of(parse({"--input_model", nothing})), "MO-CLI-0020");
  EXPECT_EQ(parse({"--input_model", "m.bin", "--framework", "onnx"})->options.framework, "onnx");
}

TEST(CommandLine, ExtensionsReachTheDriverUnchanged) {
  const auto line = parse_with_model(
      {"--transform=LowLatency2[use_const_initializer=false]", "--transformations_config=x.json,y.json"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->options.transform, "LowLatency2[use_const_initializer=false]");
  EXPECT_EQ(line->options.transformations_config, "x.json,y.json");
  EXPECT_EQ(parse_with_model({"--tensorflow_use_custom_operations_config=x.json"})->options.transformations_config,
            "x.json");
}

TEST(CommandLine, FormatsAndOpSetsThatAreWritten) {
  const auto line = parse_with_model({"--to", "onnx", "--onnx-opset", "13"});
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->options.to_onnx);
  EXPECT_EQ(line->options.onnx_opset, 13);
  EXPECT_FALSE(parse_with_model({"--to", "ir"})->options.to_onnx);
  EXPECT_TRUE(warnings_about(line->options).empty());
  const std::vector<Diagnostic> idle = warnings_about(parse_with_model({"--onnx-opset", "13"})->options);
  ASSERT_EQ(idle.size(), 1u);
  EXPECT_EQ(idle[0].code, "MO-CLI-0034");
  const auto for_irs = parse_with_model({"--to", "onnx", "--ir_version", "10", "--target_runtime", "2021.4"});
  ASSERT_TRUE(for_irs);
  EXPECT_EQ(warnings_about(for_irs->options).size(), 2u);
  EXPECT_EQ(for_irs->options.written_ir_version(), 11);
  EXPECT_EQ(code_of(parse_with_model({"--to", "paddle"})), "MO-CLI-0097");
  for (const char* const opset : {"10", "22", "many", "13x"})
    EXPECT_EQ(code_of(parse_with_model({"--onnx_opset", opset})), "MO-CLI-0098") << opset;
}

TEST(CommandLine, OutputFilesNameTheFolderTheModelAndTheFormat) {
  const auto onnx = parse_with_model({"-o", "out/net.v2.onnx"});
  ASSERT_TRUE(onnx) << onnx.error().first().format();
  EXPECT_TRUE(onnx->options.to_onnx);
  EXPECT_EQ(onnx->options.output_dir, "out");
  EXPECT_EQ(onnx->options.model_name, "net.v2");
  const auto ir = parse_with_model({"--output_dir", "net.xml"});
  ASSERT_TRUE(ir) << ir.error().first().format();
  EXPECT_FALSE(ir->options.to_onnx);
  EXPECT_EQ(ir->options.output_dir, ".");
  EXPECT_EQ(ir->options.model_name, "net");
  EXPECT_TRUE(parse_with_model({"-o", "net.onnx", "--to", "onnx"}));
  EXPECT_EQ(code_of(parse_with_model({"-o", "net.onnx", "--to", "ir"})), "MO-CLI-0007");
  EXPECT_EQ(code_of(parse_with_model({"-o", "net.xml", "--to", "onnx"})), "MO-CLI-0007");
  EXPECT_EQ(code_of(parse_with_model({"-o", "net.onnx", "--model_name", "other"})), "MO-CLI-0007");
  const std::string folder = ::testing::TempDir() + "folder.onnx";
  std::filesystem::create_directories(folder);
  const auto inside = parse_with_model({"-o", folder});
  ASSERT_TRUE(inside) << inside.error().first().format();
  EXPECT_FALSE(inside->options.to_onnx);
  EXPECT_EQ(inside->options.output_dir, folder);
}

TEST(CommandLine, OfAnIrOnlyOptionsThatActOnItAreTaken) {
  const std::string ir = ::testing::TempDir() + "net_for_onnx.xml";
  std::ofstream(ir) << "<?xml version=\"1.0\"?>\n<net name=\"net\" version=\"11\"><layers/></net>\n";
  EXPECT_EQ(code_of(parse({"--input_model", ir})), "MO-CLI-0071");
  const auto taken = parse({"--input_model", ir, "--to", "onnx", "--onnx_opset", "13", "--external_data",
                            "--input_shape", "[1,3]", "--silent", "-o", "out"});
  ASSERT_TRUE(taken) << taken.error().first().format();
  EXPECT_TRUE(taken->options.is_given("external-data"));
  const auto refused =
      parse({"--input_model", ir, "-o", "net.onnx", "--mean_values", "[1,2,3]", "--transform", "MakeStateful"});
  EXPECT_EQ(code_of(refused), "MO-CLI-0099");
  ASSERT_FALSE(refused);
  std::string hints;
  for (const Diagnostic& problem : refused.error().items()) hints += problem.hint_text + "\n";
  EXPECT_NE(hints.find("mo MODEL --mean_values '[1,2,3]' --to onnx"), std::string::npos) << hints;
  EXPECT_NE(hints.find("mo opt " + ir), std::string::npos) << hints;
  EXPECT_EQ(code_of(parse({"--input_model", ir, "--to", "onnx", "--input", "x->1"})), "MO-CLI-0099");
}

TEST(CommandLine, OptionsOfCaffe) {
  const auto line =
      parse({"-d", "m.prototxt", "--disable_weights", "-k", "map.xml", "-mf", "mean.binaryproto", "-mo", "(1,2)"});
  ASSERT_TRUE(line);
  const CaffeOptions& caffe = line->options.caffe;
  EXPECT_EQ(caffe.input_proto, "m.prototxt");
  EXPECT_TRUE(caffe.disable_weights);
  EXPECT_EQ(caffe.custom_layers_mapping, "map.xml");
  EXPECT_EQ(caffe.mean_file, "mean.binaryproto");
  EXPECT_EQ(caffe.mean_file_offsets, (std::vector<std::int64_t>{1, 2}));
  EXPECT_TRUE(line->warnings.empty());
  const auto offsets_only = parse({"-d", "m.prototxt", "-mo", "(1,2)"});
  ASSERT_TRUE(offsets_only);
  const std::vector<Diagnostic> warnings = warnings_about(offsets_only->options);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].code, "MO-CLI-0034");
  EXPECT_EQ(code_of(parse({"-m", "m.caffemodel", "-mf", "x", "--mean_values", "(1,2,3)"})), "MO-CLI-0007");
}

TEST(CommandLine, AnUnknownFrameworkMayComeFromAPlugin) {
  EXPECT_EQ(code_of(parse({"--input_model", "m.tiny"})), "MO-IO-0001");
  EXPECT_EQ(code_of(parse({"--input_model", "m.tiny", "--framework", "tiny"})), "MO-CLI-0005");
  EXPECT_EQ(parse({"--input_model", "m.tiny", "--framework", "tiny", "--extensions", "libtiny.so"})->options.framework,
            "tiny");
  const auto deduced = parse({"--input_model", "m.tiny", "--extensions", "a.so,plugins"});
  ASSERT_TRUE(deduced);
  EXPECT_EQ(deduced->options.framework, "");
  EXPECT_EQ(*deduced->options.extensions, (std::vector<std::string>{"a.so", "plugins"}));
  EXPECT_FALSE(parse({"--list-extensions"})->options.converts());
}

TEST(CommandLine, DeprecatedOptionsWarnOnce) {
  const auto line = parse_with_model({"--disable_fusing", "--keep_shape_ops", "--scale", "0.5", "--remove_memory"});
  ASSERT_TRUE(line);
  std::vector<Diagnostic> warnings = line->warnings;
  for (Diagnostic& found : warnings_about(line->options)) warnings.push_back(std::move(found));  // the driver's
  std::vector<std::string> codes;
  for (const Diagnostic& warning : warnings) {
    EXPECT_EQ(warning.severity, Severity::warning);
    codes.push_back(warning.code);
  }
  EXPECT_EQ(codes, (std::vector<std::string>{"MO-CLI-0030", "MO-CLI-0031", "MO-CLI-0033", "MO-CLI-0032"}));
}

TEST(CommandLine, OptionsOfLaterReleasesAreKnown) {
  const auto line =
      parse_with_model({"--layout", "in(nhwc->nchw),out([n,...])", "--use_new_frontend", "--compress_to_fp16=True"});
  ASSERT_TRUE(line);
  ASSERT_EQ(line->options.layouts.size(), 2U);
  EXPECT_EQ(line->options.layouts[0].target->to_string(), "[N,C,H,W]");
  EXPECT_TRUE(line->options.compress_to_fp16);
  ASSERT_EQ(line->warnings.size(), 1U);
  EXPECT_EQ(line->warnings.front().code, "MO-CLI-0034");
  EXPECT_TRUE(parse_with_model({"--use_legacy_frontend", "--source_layout", "nhwc", "--target_layout", "nchw"}));
  EXPECT_EQ(code_of(parse_with_model({"--use_legacy_frontend", "--use_new_frontend"})), "MO-CLI-0007");
  EXPECT_EQ(code_of(parse_with_model({"--layout", "nhwc", "--target_layout", "nchw"})), "MO-CLI-0007");
}

TEST(CommandLine, GivenOptionsAreRecordedForTheIr) {
  const auto line = parse_with_model({"--input_shape", "[1,3]", "--static_shape"});
  ASSERT_TRUE(line);
  const std::vector<GivenOption> expected = {
      {"input_model", "m.onnx", true}, {"input_shape", "[1,3]", false}, {"static_shape", "True", false}};
  EXPECT_EQ(line->options.given, expected);
}

TEST(CommandLine, OptionsWithoutEffectOnTheIrAreNotRecorded) {
  const auto line = parse_with_model({"--silent", "--max-time", "60", "--disable_nhwc_to_nchw"});
  ASSERT_TRUE(line);
  for (const GivenOption& given : line->options.given)
    EXPECT_EQ(given.affects_ir, given.name == "input_model") << given.name;
}

}  // namespace
}  // namespace mo::cli
