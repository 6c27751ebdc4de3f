#include "cli/option_table.hpp"

namespace mo::cli {

const std::vector<const OptionRow*>& option_table() {
  static const std::vector<const OptionRow*> table = [] {
    std::vector<const OptionRow*> rows;
    for (const std::span<const Row> part :
         {general_options(), model_options(), preprocessing_options(), ir_options(), optimisation_options(),
          extension_options(), debugging_options(), deprecated_options(), tensorflow_options(), caffe_options(),
          mxnet_and_kaldi_options()})
      for (const Row& row : part) rows.push_back(&row);
    return rows;
  }();
  return table;
}

std::vector<const OptionSection*> option_sections() {
  std::vector<const OptionSection*> sections;
  for (const OptionRow* row : option_table())
    if (sections.empty() || sections.back() != row->section) sections.push_back(row->section);
  return sections;
}

}  // namespace mo::cli
