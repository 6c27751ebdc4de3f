#include "cli/arguments.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "cli/former_options.hpp"
#include "cli/option_table.hpp"
#include "core/support/nearest.hpp"
#include "driver/option_text.hpp"

namespace mo::cli {
namespace {

/// Longer words are no misspelled option.
constexpr std::size_t kLongestName = 64;

/// The option that the user most probably meant, or nullptr when none is close.
const OptionRow* nearest_option(std::string_view name) {
  if (name.size() > kLongestName) return nullptr;
  const std::string wanted = normalized(name);
  const std::size_t limit = std::max<std::size_t>(2, wanted.size() / 3);
  const OptionRow* best = nullptr;
  std::size_t best_distance = limit + 1;
  for (const OptionRow* row : option_table()) {
    const std::size_t distance = edit_distance(wanted, normalized(row->name));
    if (distance >= best_distance) continue;
    best = row;
    best_distance = distance;
  }
  return best;
}

Diagnostic unknown_option(std::string_view argument, std::string_view name) {
  Diagnostic problem = error("MO-CLI-0001", "unknown option {}", in_quotes(argument));
  if (const OptionRow* row = nearest_option(name)) return std::move(problem).hint("did you mean '--{}'?", row->name);
  return std::move(problem).hint("`mo --help` lists all options");
}

bool has_alias(const OptionRow& row, std::string_view alias) {
  std::string_view rest = row.aliases;
  while (!rest.empty()) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, space) == alias) return true;
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  return false;
}

const OptionRow* find_alias(std::string_view alias) {
  if (alias.empty()) return nullptr;
  for (const OptionRow* row : option_table())
    if (has_alias(*row, alias)) return row;
  return nullptr;
}

/// Options whose name is `name`, or begins with it when no name equals it.
std::vector<const OptionRow*> find_long(std::string_view name) {
  const std::string wanted = normalized(name);
  std::vector<const OptionRow*> found;
  for (const OptionRow* row : option_table()) {
    const std::string known = normalized(row->name);
    if (known == wanted) return {row};
    if (known.starts_with(wanted)) found.push_back(row);
  }
  return found;
}

std::optional<bool> truth(std::string_view text) {
  if (text == "True" || text == "true" || text == "1" || text == "yes") return true;
  if (text == "False" || text == "false" || text == "0" || text == "no") return false;
  return std::nullopt;
}

class Reader {
 public:
  explicit Reader(std::span<const std::string_view> arguments) : arguments_(arguments) {}

  Arguments run() {
    // Subcommands are the first word (design: one program with many faces); this one is an option by another name.
    if (!arguments_.empty() && arguments_.front() == "explain") {
      ++next_;
      take(*find_long("explain").front(), std::nullopt);
    }
    bool options_end = false;
    while (next_ < arguments_.size()) {
      const std::string_view argument = arguments_[next_++];
      if (options_end || argument.size() < 2 || argument.front() != '-')
        positional(argument);
      else if (argument == "--")
        options_end = true;
      else if (argument.starts_with("--"))
        long_option(argument);
      else
        short_option(argument);
    }
    return std::move(result_);
  }

 private:
  void problem(Diagnostic diagnostic) { result_.problems.push_back(std::move(diagnostic)); }

  void positional(std::string_view argument) {
    if (model_seen_) {
      problem(error("MO-CLI-0008", "unexpected argument {}", in_quotes(argument))
                  .hint("put quotation marks around values that contain spaces"));
      return;
    }
    model_seen_ = true;
    result_.words.emplace_back("--input_model");
    result_.words.emplace_back(argument);
  }

  void long_option(std::string_view argument) {
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(2, equals == std::string_view::npos ? equals : equals - 2);
    // The last original spells -k with two dashes.
    const OptionRow* const letter = name.size() == 1 ? find_alias(name) : nullptr;
    const std::vector<const OptionRow*> found = letter != nullptr ? std::vector{letter}
                                                : name.empty()    ? std::vector<const OptionRow*>()
                                                                  : find_long(name);
    if (found.empty()) return unknown_long_option(argument.substr(0, equals), name, equals != std::string_view::npos);
    if (found.size() > 1) {
      std::vector<std::string> names;
      for (const OptionRow* row : found) names.push_back("--" + std::string(row->name));
      problem(error("MO-CLI-0002", "{} may stand for several options", in_quotes(argument.substr(0, equals)))
                  .hint("write one of: {}", fmt::join(names, ", ")));
      return;
    }
    std::optional<std::string_view> attached;
    if (equals != std::string_view::npos) attached = argument.substr(equals + 1);
    take(*found.front(), attached);
  }

  void unknown_long_option(std::string_view argument, std::string_view name, bool has_value) {
    const FormerOption* const former = find_former_option(normalized(name));
    if (former == nullptr) return problem(unknown_option(argument, name));
    problem(error("MO-CLI-0001", "there is no option {} any more", in_quotes(argument)).hint("{}", former->instead));
    // Its value is not the model.
    if (former->has_value && !has_value && next_ < arguments_.size() && !is_option(arguments_[next_])) ++next_;
  }

  /// argparse tries, in this order: the whole argument as a name, the part before '=', the first letter with a value
  /// attached.
  void short_option(std::string_view argument) {
    const std::string_view word = argument.substr(1);
    const std::size_t equals = word.find('=');
    if (const OptionRow* row = find_alias(word)) return take(*row, std::nullopt);
    if (equals != std::string_view::npos)
      if (const OptionRow* row = find_alias(word.substr(0, equals))) return take(*row, word.substr(equals + 1));
    if (const OptionRow* row = find_alias(word.substr(0, 1)); row != nullptr && row->takes != Takes::nothing)
      return take(*row, word.substr(1));
    problem(unknown_option(argument, word.substr(0, equals)));
  }

  void take(const OptionRow& row, std::optional<std::string_view> attached) {
    if (row.takes == Takes::nothing) return take_flag(row, attached);
    if (row.takes == Takes::perhaps) return take_perhaps(row, attached);
    if (!attached) {
      if (next_ >= arguments_.size() || is_option(arguments_[next_])) {
        problem(error("MO-CLI-0003", "--{} needs a value", row.name).hint("write --{}={}", row.name, row.metavar));
        return;
      }
      attached = arguments_[next_++];
    }
    if (row.name == "input_model") model_seen_ = true;
    result_.words.push_back("--" + std::string(row.name));
    result_.words.emplace_back(*attached);
  }

  /// A value that may be left out. The next word is the value when it is neither an option nor a path.
  void take_perhaps(const OptionRow& row, std::optional<std::string_view> attached) {
    if (!attached && next_ < arguments_.size() && !arguments_[next_].starts_with('-') &&
        arguments_[next_].find_first_of("./") == std::string_view::npos)
      attached = arguments_[next_++];
    result_.words.push_back(fmt::format("--{}={}", row.name, attached.value_or("").empty() ? "all" : *attached));
  }

  /// Newer tools write `--compress_to_fp16=False`, also without '='.
  void take_flag(const OptionRow& row, std::optional<std::string_view> attached) {
    if (!attached && next_ < arguments_.size() && (arguments_[next_] == "True" || arguments_[next_] == "False"))
      attached = arguments_[next_++];
    const std::optional<bool> value = attached ? truth(*attached) : std::optional(true);
    if (!value) {
      problem(error("MO-CLI-0004", "--{} is a switch, {} is no value for it", row.name, in_quotes(*attached))
                  .hint("write --{0} or --{0}=false", row.name));
      return;
    }
    result_.words.push_back(fmt::format("--{}={}", row.name, *value));
  }

  /// Whether a value is missing before `argument`. Values may begin with '-', so only what is exactly an option counts.
  static bool is_option(std::string_view argument) {
    if (argument.size() < 2 || argument.front() != '-') return false;
    if (!argument.starts_with("--")) return find_alias(argument.substr(1)) != nullptr;
    const std::string name = normalized(argument.substr(2, argument.find('=') - 2));
    const auto& table = option_table();
    return std::any_of(table.begin(), table.end(), [&](const OptionRow* row) { return normalized(row->name) == name; });
  }

  std::span<const std::string_view> arguments_;
  std::size_t next_ = 0;
  bool model_seen_ = false;
  Arguments result_;
};

}  // namespace

Arguments read_arguments(std::span<const std::string_view> arguments) { return Reader(arguments).run(); }

}  // namespace mo::cli
