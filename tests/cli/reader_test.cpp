// Lines that only subcommands have: words that are left for another reader, pairs, choices, numbers.
#include "core/command_line/reader.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "core/command_line/option_help.hpp"
#include "core/command_line/setters.hpp"

namespace mo {
namespace {

struct Wanted {
  std::string output;
  std::vector<std::string> pair;
  std::string check;
  std::vector<std::string> names;
  std::optional<double> share;
  unsigned count = 1;
  bool shapes = true;
};
using WantedRow = OptionOf<Wanted>;

constexpr std::array kRows = {
    WantedRow{{.name = "output", .letters = "o", .other_names = "dot_output", .takes = Takes::value, .metavar = "FILE"},
              set_text<&Wanted::output>},
    WantedRow{{.name = "why-not", .takes = Takes::pair, .metavar = "PASS NODE"}, add_value<&Wanted::pair>},
    WantedRow{{.name = "check",
               .takes = Takes::perhaps,
               .metavar = "[graph|numbers]",
               .words = "graph numbers",
               .is_choice = true,
               .otherwise = "graph"},
              set_text<&Wanted::check>},
    WantedRow{{.name = "names", .takes = Takes::list, .metavar = "A,B", .words = "a b c", .is_choice = true},
              add_words<&Wanted::names>},
    WantedRow{{.name = "share", .takes = Takes::value, .metavar = "X"}, set_number<Sign::not_negative, &Wanted::share>},
    WantedRow{{.name = "count", .takes = Takes::value, .metavar = "N"}, set_number<Sign::positive, &Wanted::count>},
    WantedRow{{.name = "no-shapes"}, clear_flag<&Wanted::shapes>},
};

struct Parsed {
  Wanted wanted;
  LineRead read;
  std::vector<std::string> codes;
};

Parsed parse(std::vector<std::string_view> words, Unknown unknown = Unknown::left) {
  std::vector<const OptionRow*> table;
  for (const WantedRow& row : kRows) table.push_back(&row);
  Parsed parsed{{}, read_line(table, words, unknown, "tool"), {}};
  for (const Diagnostic& problem : parsed.read.problems) parsed.codes.push_back(problem.code);
  for (const Occurrence& occurrence : parsed.read.occurrences)
    if (const auto stored = store(static_cast<const WantedRow&>(*occurrence.row), occurrence, parsed.wanted); !stored)
      parsed.codes.push_back(stored.error().first().code);
  return parsed;
}

using Words = std::vector<std::string>;

TEST(Reader, LeavesWhatItDoesNotKnowInItsOrder) {
  const Parsed parsed = parse({"m.onnx", "--input_shape", "[1]", "-ms", "(1,2)", "-o", "out", "--scale=2", "--", "-x"});
  EXPECT_EQ(parsed.read.rest, (Words{"m.onnx", "--input_shape", "[1]", "-ms", "(1,2)", "--scale=2", "--", "-x"}));
  EXPECT_EQ(parsed.wanted.output, "out");
  EXPECT_EQ(parsed.codes, Words());
}

TEST(Reader, LeavesPrefixesOfNamesToTheNextReader) {
  EXPECT_EQ(parse({"--out", "x"}).read.rest, (Words{"--out", "x"}));
  EXPECT_EQ(parse({"--out", "x"}, Unknown::refused).wanted.output, "x");
}

TEST(Reader, TheHintOfAnUnknownOptionNamesTheProgram) {
  const Parsed parsed = parse({"--qqqqqqqqqqqqqq"}, Unknown::refused);
  EXPECT_EQ(parsed.codes, Words{"MO-CLI-0001"});
  EXPECT_EQ(parsed.read.problems.front().hint_text, "`tool --help` lists all options");
}

TEST(Reader, OtherNamesMeanTheSame) {
  EXPECT_EQ(parse({"--dot-output", "x"}).wanted.output, "x");
  EXPECT_NE(describe(kRows[0], 80).find("(-o, --dot_output)"), std::string::npos);
}

TEST(Reader, APairTakesTwoWords) {
  EXPECT_EQ(parse({"--why-not", "Pass", "node", "rest"}).wanted.pair, (Words{"Pass", "node"}));
  EXPECT_EQ(parse({"--why-not=Pass", "node"}).wanted.pair, (Words{"Pass", "node"}));
  EXPECT_EQ(parse({"--why-not", "A", "b", "--why-not", "C", "d"}).wanted.pair, (Words{"C", "d"}));
  EXPECT_EQ(parse({"--why-not", "Pass"}).codes, Words{"MO-CLI-0003"});
  EXPECT_EQ(parse({"--why-not", "Pass", "-o", "x"}).codes, Words{"MO-CLI-0003"});
}

TEST(Reader, AValueThatMayBeLeftOutIsThenTheUsualOne) {
  EXPECT_EQ(parse({"--check"}).wanted.check, "graph");
  EXPECT_EQ(parse({"--check", "-o", "x"}).wanted.check, "graph");
  EXPECT_EQ(parse({"--check", "numbers"}).wanted.check, "numbers");
  EXPECT_EQ(parse({"--check=numbers"}).wanted.check, "numbers");
  EXPECT_EQ(parse({"--check", "m.onnx"}).read.rest, Words{"m.onnx"});
}

TEST(Reader, ChoicesRefuseOtherWords) {
  EXPECT_EQ(parse({"--check=all"}).codes, Words{"MO-CLI-0005"});
  EXPECT_EQ(parse({"--names", "a,c", "--names", "b"}).wanted.names, (Words{"a", "c", "b"}));
  EXPECT_EQ(parse({"--names", "a,d"}).codes, Words{"MO-CLI-0005"});
}

TEST(Reader, NumbersAreWholeWordsInTheirRange) {
  EXPECT_EQ(parse({"--share", "0.5"}).wanted.share, 0.5);
  EXPECT_EQ(parse({"--count", "7"}).wanted.count, 7U);
  for (const char* wrong : {"-1", "x", "", "1x", "nan", "inf", "1e999"})
    EXPECT_EQ(parse({"--share", wrong}).codes, Words{"MO-CLI-0005"}) << wrong;
  for (const char* wrong : {"0", "-1", "1.5", "99999999999999999999"})
    EXPECT_EQ(parse({"--count", wrong}).codes, Words{"MO-CLI-0005"}) << wrong;
}

TEST(Reader, AFlagMayClearAMember) {
  EXPECT_FALSE(parse({"--no-shapes"}).wanted.shapes);
  EXPECT_TRUE(parse({"--no-shapes=false"}).wanted.shapes);
}

}  // namespace
}  // namespace mo
