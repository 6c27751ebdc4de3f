#include "core/command_line/reader.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "core/command_line/option_text.hpp"
#include "core/support/nearest.hpp"

namespace mo {
namespace {

/// Longer words are not misspelled options.
constexpr std::size_t kLongestName = 64;

std::optional<bool> truth(std::string_view text) {
  if (text == "True" || text == "true" || text == "1" || text == "yes") return true;
  if (text == "False" || text == "false" || text == "0" || text == "no") return false;
  return std::nullopt;
}

/// As a word of its own: "1" and "no" may be names of models.
bool is_truth(std::string_view word) { return word == "True" || word == "False" || word == "true" || word == "false"; }

class Reader {
 public:
  Reader(std::span<const OptionRow* const> table, std::span<const std::string_view> words, Unknown unknown,
         std::string_view program)
      : table_(table),
        words_(words),
        values_(table.size()),
        leaves_rest_(unknown == Unknown::left),
        program_(program) {}

  LineRead run() {
    while (next_ < words_.size()) {
      const std::string_view word = words_[next_++];
      if (options_end_ || word.size() < 2 || word.front() != '-')
        operand(word);
      else if (word == "--")
        end_options();
      else if (word.starts_with("--"))
        long_option(word);
      else
        short_option(word);
    }
    for (std::size_t i = 0; i < table_.size(); ++i)
      if (!values_[i].empty()) result_.occurrences.push_back({table_[i], std::move(values_[i])});
    return std::move(result_);
  }

 private:
  void problem(Diagnostic diagnostic) { result_.problems.push_back(std::move(diagnostic)); }
  void leave(std::string_view word) { result_.rest.emplace_back(word); }

  std::vector<std::string>& values_of(const OptionRow& row) {
    return values_[static_cast<std::size_t>(std::ranges::find(table_, &row) - table_.begin())];
  }

  void end_options() {
    options_end_ = true;
    if (leaves_rest_) leave("--");  // the reader of the rest needs it too
  }

  void operand(std::string_view word) {
    const auto row = std::ranges::find_if(table_, &OptionRow::is_operand);
    if (row == table_.end() && leaves_rest_) return leave(word);
    if (row == table_.end())
      return problem(error("MO-CLI-0008", "unexpected argument {}", in_quotes(word))
                         .hint("put quotation marks around values that contain spaces"));
    if ((*row)->takes != Takes::list && !values_of(**row).empty())
      return problem(error("MO-CLI-0008", "unexpected argument {}", in_quotes(word))
                         .hint("{} is --{} already; a subcommand comes before all options, a file to write follows -o, "
                               "and values that contain spaces need quotation marks",
                               in_quotes(values_of(**row).back()), (*row)->name));
    values_of(**row).emplace_back(word);
  }

  const OptionRow* find_letters(std::string_view letters) const {
    for (const OptionRow* row : table_)
      if (const auto known = split_words(row->letters); std::ranges::find(known, letters) != known.end()) return row;
    return nullptr;
  }

  /// Options whose name is `name`, or begins with it when no name equals it.
  std::vector<const OptionRow*> find_long(std::string_view name) const {
    std::vector<const OptionRow*> found;
    if (name.empty()) return found;
    const std::string wanted = normalized(name);
    for (const OptionRow* row : table_) {
      if (is_called(*row, wanted)) return {row};
      if (!leaves_rest_ && !is_refused(row->standing) && normalized(row->name).starts_with(wanted))
        found.push_back(row);
    }
    return found;
  }

  void long_option(std::string_view word) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view name = word.substr(2, equals - 2);
    // The last original spells -k with two dashes.
    const OptionRow* const letter = name.size() == 1 && !leaves_rest_ ? find_letters(name) : nullptr;
    const std::vector<const OptionRow*> found = letter != nullptr ? std::vector{letter} : find_long(name);
    if (found.empty() && leaves_rest_) return leave(word);
    if (found.empty()) return problem(unknown_option(word.substr(0, equals), name));
    if (found.size() > 1) {
      std::vector<std::string> names;
      for (const OptionRow* row : found) names.push_back("--" + std::string(row->name));
      return problem(error("MO-CLI-0002", "{} may stand for several options", in_quotes(word.substr(0, equals)))
                         .hint("write one of: {}", fmt::join(names, ", ")));
    }
    std::optional<std::string_view> attached;
    if (equals != word.size()) attached = word.substr(equals + 1);
    take(*found.front(), attached, word);
  }

  void refuse(const OptionRow& row, std::string_view word, std::optional<std::string_view> attached) {
    problem(error("MO-CLI-0001", "there is no option {}{}", in_quotes(word.substr(0, word.find('='))),
                  row.standing == Standing::removed ? " any more" : "")
                .hint("{}", row.advice));
    // Its value is not the model.
    if (row.takes == Takes::value && !attached && has_value_next()) ++next_;
  }

  /// argparse tries, in this order: the whole argument as a name, the part before '=', the first letter with a value
  /// attached.
  void short_option(std::string_view argument) {
    const std::string_view word = argument.substr(1);
    const std::size_t equals = word.find('=');
    if (const OptionRow* row = find_letters(word)) return take(*row, std::nullopt, argument);
    if (equals != std::string_view::npos)
      if (const OptionRow* row = find_letters(word.substr(0, equals)))
        return take(*row, word.substr(equals + 1), argument);
    if (const OptionRow* row = find_letters(word.substr(0, 1)); row != nullptr && row->takes != Takes::nothing)
      return take(*row, word.substr(1), argument);
    if (leaves_rest_) return leave(argument);
    problem(unknown_option(argument, word.substr(0, equals)));
  }

  /// `written`: the word with the option's name.
  void take(const OptionRow& row, std::optional<std::string_view> attached, std::string_view written) {
    if (is_refused(row.standing)) return refuse(row, written, attached);
    if (row.takes == Takes::nothing) return take_flag(row, attached);
    if (row.takes == Takes::perhaps) return take_perhaps(row, attached);
    for (int wanted = row.takes == Takes::pair ? 2 : 1; wanted > 0; --wanted, attached.reset()) {
      if (!attached && !has_value_next())
        return problem(
            error("MO-CLI-0003", "--{} needs {}", row.name, row.takes == Takes::pair ? "two values" : "a value")
                .hint("write --{}{}{}", row.name, row.takes == Takes::pair ? " " : "=", row.metavar));
      add_value(row, attached ? *attached : words_[next_++]);
    }
  }

  void add_value(const OptionRow& row, std::string_view value) {
    const auto choices = split_words(row.is_choice ? row.words : "");
    for (const std::string& word : row.takes == Takes::list ? parse_words(value) : std::vector{std::string(value)})
      if (!choices.empty() && std::ranges::find(choices, word) == choices.end())
        return problem(
            error("MO-CLI-0005", "--{}: {} is not one of {}", row.name, in_quotes(word), fmt::join(choices, ", "))
                .hint("`{} --help` lists all options", program_));
    values_of(row).emplace_back(value);
  }

  /// A value that may be left out. The next word is the value when it is neither an option nor a path.
  void take_perhaps(const OptionRow& row, std::optional<std::string_view> attached) {
    if (!attached && next_ < words_.size() && !words_[next_].starts_with('-') &&
        words_[next_].find_first_of("./") == std::string_view::npos)
      attached = words_[next_++];
    add_value(row, attached.value_or("").empty() ? row.otherwise : *attached);
  }

  /// Newer tools write `--compress_to_fp16=False`, also without '='.
  void take_flag(const OptionRow& row, std::optional<std::string_view> attached) {
    if (!attached && next_ < words_.size() && is_truth(words_[next_])) attached = words_[next_++];
    const std::optional<bool> value = attached ? truth(*attached) : std::optional(true);
    if (!value)
      return problem(
          error("MO-CLI-0004", "--{} is a switch, expected true or false, got {}", row.name, in_quotes(*attached))
              .hint("write --{0} or --{0}=false", row.name));
    values_of(row).emplace_back(*value ? "True" : "False");
  }

  /// Values may begin with '-', so only what is exactly an option is none.
  bool has_value_next() const {
    if (next_ >= words_.size()) return false;
    const std::string_view word = words_[next_];
    if (word.size() < 2 || word.front() != '-') return true;
    if (!word.starts_with("--")) return find_letters(word.substr(1)) == nullptr;
    const std::string name = normalized(word.substr(2, word.find('=') - 2));
    return std::ranges::none_of(
        table_, [&](const OptionRow* row) { return !is_refused(row->standing) && is_called(*row, name); });
  }

  /// The option that the user most probably meant, or nullptr when none is close.
  const OptionRow* nearest_option(std::string_view name) const {
    if (name.size() > kLongestName) return nullptr;
    const std::string wanted = normalized(name);
    const OptionRow* best = nullptr;
    // A name of which nothing is left is not misspelt.
    std::size_t best_distance = std::min(std::max<std::size_t>(2, wanted.size() / 3) + 1, wanted.size());
    for (const OptionRow* row : table_) {
      if (is_refused(row->standing)) continue;
      const std::size_t distance = edit_distance(wanted, normalized(row->name));
      if (distance >= best_distance) continue;
      best = row;
      best_distance = distance;
    }
    return best;
  }

  Diagnostic unknown_option(std::string_view word, std::string_view name) const {
    Diagnostic unknown = error("MO-CLI-0001", "unknown option {}", in_quotes(word));
    if (const OptionRow* row = nearest_option(name)) return std::move(unknown).hint("did you mean '--{}'?", row->name);
    return std::move(unknown).hint("`{} --help` lists all options", program_);
  }

  std::span<const OptionRow* const> table_;
  std::span<const std::string_view> words_;
  std::vector<std::vector<std::string>> values_;  ///< of each row of the table
  bool leaves_rest_;
  std::string_view program_;
  std::size_t next_ = 0;
  bool options_end_ = false;
  LineRead result_;
};

}  // namespace

LineRead read_line(std::span<const OptionRow* const> table, std::span<const std::string_view> words, Unknown unknown,
                   std::string_view program) {
  return Reader(table, words, unknown, program).run();
}

}  // namespace mo
