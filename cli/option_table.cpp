#include "cli/option_table.hpp"

#include <algorithm>

namespace mo::cli {

const std::vector<const OptionRow*>& option_table() {
  static const std::vector<const OptionRow*> table = [] {
    std::vector<const OptionRow*> rows;
    for (const std::span<const OptionRow> part : {general_options(), steering_options(), framework_options()})
      for (const OptionRow& row : part) rows.push_back(&row);
    return rows;
  }();
  return table;
}

std::string_view title(Section section) {
  switch (section) {
    case Section::general: return "General";
    case Section::model: return "Inputs and outputs";
    case Section::preprocessing: return "Preprocessing that becomes part of the model";
    case Section::ir: return "Generated IR";
    case Section::optimisation: return "Optimisations";
    case Section::extension: return "Extensions";
    case Section::debugging: return "Debugging";
    case Section::deprecated: return "Accepted for old command lines, without effect";
    case Section::tensorflow: return "TensorFlow";
    case Section::caffe: return "Caffe";
    case Section::mxnet: return "MXNet";
    case Section::kaldi: return "Kaldi";
  }
  return "General";
}

std::string_view framework_of(Section section) {
  switch (section) {
    case Section::tensorflow: return "tf";
    case Section::caffe: return "caffe";
    case Section::mxnet: return "mxnet";
    case Section::kaldi: return "kaldi";
    default: return {};
  }
}

std::string normalized(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

}  // namespace mo::cli
