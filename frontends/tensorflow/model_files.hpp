#pragma once

#include <memory>
#include <string>

#include "frontends/common/wire.hpp"
#include "frontends/tensorflow/reader.hpp"
#include "frontends/tensorflow/text_form.hpp"

namespace mo::tensorflow {

/// Opens a binary or text file of messages; its first bytes tell which. Errors: MO-IO-0001 …, those of
/// why_not_binary_model, MO-TF-0002 (malformed text), MO-IO-0026 (text that is too large).
Expected<std::unique_ptr<frontends::WireSource>> open_message(const std::string& path, TextMessage kind);

/// Whether the first bytes of a file are those of protobuf text.
Expected<bool> is_text_file(const std::string& path);

/// The files of a SavedModel.
struct SavedModelFiles {
  std::string model;
  std::string variables;  ///< prefix of the checkpoint; empty: there are no variables
};
/// Errors: MO-TF-0030 (no such folder, or no model in it), MO-TF-0031 (both forms).
Expected<SavedModelFiles> find_saved_model(const std::string& directory);

/// The checkpoint that belongs to a MetaGraph: what the user says, else the files beside it; empty when there are none.
std::string checkpoint_of_meta_graph(const ModelSource& model);

}  // namespace mo::tensorflow
