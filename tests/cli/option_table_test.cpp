// What each row of the option table promises to whatever is made from it: help, completions, docs/cli.md, warnings.
#include "cli/option_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/help.hpp"
#include "cli/option_list.hpp"
#include "core/op/runtimes.hpp"
#include "driver/framework.hpp"

namespace mo::cli {
namespace {

const OptionRow& row_of(std::string_view name) { return **std::ranges::find(option_table(), name, &OptionRow::name); }

/// Without the model, which is not there.
std::vector<std::string> codes_of(std::vector<std::string_view> words) {
  words.insert(words.end(), {"--input_model", "m.onnx"});
  const auto line = parse_command_line(words, LineFor::tool);
  std::vector<std::string> codes;
  if (line)
    for (const Diagnostic& warning : line->warnings) codes.push_back(warning.code);
  else
    for (const Diagnostic& error : line.error().items()) codes.push_back(error.code);
  return codes;
}

TEST(OptionTable, NamesAreUnique) {
  std::vector<std::string> names;
  std::vector<std::string> letters;
  std::vector<const OptionRow*> rows = option_table();
  for (const std::span<const Row> refused : {former_options(), foreign_options()})
    for (const Row& row : refused) rows.push_back(&row);
  for (const OptionRow* row : rows) {
    names.push_back(normalized(row->name));
    for (const std::string_view name : split_words(row->other_names)) names.push_back(normalized(name));
    for (const std::string_view name : split_words(row->letters)) letters.emplace_back(name);
  }
  for (std::vector<std::string>* list : {&names, &letters}) {
    std::ranges::sort(*list);
    const auto twice = std::ranges::adjacent_find(*list);
    EXPECT_EQ(twice, list->end()) << *twice;
  }
}

TEST(OptionTable, RowsAreWhole) {
  for (const OptionRow* row : option_table()) {
    EXPECT_NE(static_cast<const Row*>(row)->store, nullptr) << row->name;
    EXPECT_NE(row->section, nullptr) << row->name;
    EXPECT_FALSE(row->help.empty()) << row->name;
    EXPECT_EQ(row->metavar.empty(), row->takes == Takes::nothing) << row->name;
    EXPECT_EQ(row->otherwise.empty(), row->takes != Takes::perhaps) << row->name;
    EXPECT_FALSE(is_refused(row->standing)) << row->name;
  }
  for (const auto& [rows, standing] :
       {std::pair{former_options(), Standing::removed}, {foreign_options(), Standing::foreign}})
    for (const Row& row : rows) {
      EXPECT_EQ(row.standing, standing) << row.name;
      EXPECT_FALSE(row.advice.empty()) << row.name;
    }
}

TEST(OptionTable, RowsOfASectionAreAdjacent) {
  std::vector<const OptionSection*> sections = option_sections();
  std::ranges::sort(sections);
  EXPECT_EQ(std::ranges::adjacent_find(sections), sections.end());
}

TEST(OptionTable, WordsThatCompletionsOfferAreAccepted) {
  for (const OptionRow* row : option_table())
    for (const std::string_view word : split_words(row->words)) {
      const std::string given = "--" + std::string(row->name) + "=" + std::string(word);
      const std::vector<std::string> codes = codes_of({given});
      EXPECT_EQ(std::ranges::count(codes, "MO-CLI-0005"), 0) << given;
    }
  for (const std::string_view word : split_words(row_of("help").words)) EXPECT_TRUE(help_text(word, 80)) << word;
  for (const std::string_view word : split_words(row_of("target_runtime").words))
    EXPECT_TRUE(find_runtime(word)) << word;
}

TEST(OptionTable, CompletionsOfferEveryTopicAndFramework) {
  const auto topics = split_words(row_of("help").words);
  for (const OptionSection* section : option_sections())
    EXPECT_NE(std::ranges::find(topics, section->topic), topics.end()) << section->topic;
  const auto offered = split_words(row_of("framework").words);
  std::vector<std::string> frameworks(offered.begin(), offered.end());
  std::vector<std::string> known;
  for (const auto& name : framework_names()) known.emplace_back(name);
  std::ranges::sort(frameworks);
  std::ranges::sort(known);
  EXPECT_EQ(frameworks, known);
}

TEST(OptionTable, ExamplesAreAccepted) {
  for (const OptionRow* row : option_table()) {
    if (row->example.empty()) continue;
    EXPECT_EQ(codes_of({"--" + std::string(row->name), row->example}), std::vector<std::string>()) << row->name;
  }
}

TEST(OptionTable, OptionsWithoutEffectWarn) {
  for (const OptionRow* row : option_table()) {
    if (row->standing == Standing::current) continue;
    const std::string name = "--" + std::string(row->name);
    const std::vector<std::string_view> words = {name, row->takes == Takes::nothing ? "True" : "x"};
    const std::string code = row->standing == Standing::deprecated ? "MO-CLI-0030"
                             : row->standing == Standing::ignored  ? "MO-CLI-0031"
                                                                   : "MO-CLI-0034";
    EXPECT_EQ(codes_of(words), std::vector<std::string>{code}) << name;
    EXPECT_EQ(codes_of({name + (row->takes == Takes::nothing ? "=False" : "=")}), std::vector<std::string>()) << name;
  }
}

TEST(OptionTable, RefusedOptionsAreOfferedNowhere) {
  const std::string list = option_list(false) + *help_text("", 80);
  for (const std::span<const Row> refused : {former_options(), foreign_options()})
    for (const Row& row : refused) {
      const std::string name = "--" + std::string(row.name);
      EXPECT_EQ(list.find(name + " "), std::string::npos) << name;
      EXPECT_EQ(codes_of({name, "x"}), std::vector<std::string>{"MO-CLI-0001"}) << name;
    }
}

}  // namespace
}  // namespace mo::cli
