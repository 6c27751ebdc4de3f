#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driver/options.hpp"

namespace mo::cli {

/// What an option takes.
enum class Takes {
  nothing,  ///< a flag; `--flag=false` takes it back
  value,    ///< one value, the last one wins
  list,     ///< a comma list; several occurrences add up
  perhaps,  ///< a value or none ("all"): `--help`, `--help TOPIC`
};

/// Sections of --help. The framework sections are also what the warning about useless options goes by.
enum class Section {
  general,
  model,
  preprocessing,
  ir,
  optimisation,
  extension,
  debugging,
  deprecated,
  tensorflow,
  caffe,
  mxnet,
  kaldi
};

/// Whether an option can change the IR, which records those that can (`conversion_parameters`): the same model gives
/// the same bytes whatever others are given.
enum class Acts { on_ir, beside_ir };

/// One option of `mo`. Rows are constant data: making the table costs nothing at start-up.
struct OptionRow {
  std::string_view name;     ///< as --help shows it, without "--"
  std::string_view aliases;  ///< single-dash names without '-', separated by a space: "w m"
  Takes takes = Takes::nothing;
  Section section = Section::general;
  Acts acts = Acts::on_ir;
  std::string_view metavar;  ///< what --help calls the value
  std::string_view help;
  /// Stores a value; a flag gets "True" or "False".
  Expected<void> (*apply)(Options& options, std::string_view text) = nullptr;
  bool is_path = false;
};

std::span<const OptionRow> general_options();
std::span<const OptionRow> steering_options();
std::span<const OptionRow> framework_options();

/// All rows, in the order of --help.
const std::vector<const OptionRow*>& option_table();

std::string_view title(Section section);
/// "tf" for Section::tensorflow; "" for the sections that every framework has.
std::string_view framework_of(Section section);

/// `--Input-Shape` is not `--input_shape`, but `--input-shape` is: '-' and '_' are the same in names.
std::string normalized(std::string_view name);

}  // namespace mo::cli
