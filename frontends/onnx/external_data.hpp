#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/files/file.hpp"
#include "core/tensor/buffer.hpp"

namespace mo::onnx {

/// The files beside a model that hold tensors of it (ONNX external data). They lie in the model's folder or below, are
/// reached without links (unless the user allows them), and each is opened once. Locations come from the model and are
/// not trusted: each component is opened relative to the one before, so that nothing can be exchanged between check and
/// use.
class ExternalFiles {
 public:
  /// `model_path` "" : a model in memory, which has no folder.
  explicit ExternalFiles(std::string model_path, Links links = Links::refused)
      : model_path_(std::move(model_path)), links_(links) {}
  ~ExternalFiles();
  ExternalFiles(const ExternalFiles&) = delete;
  ExternalFiles& operator=(const ExternalFiles&) = delete;

  /// Errors: MO-IO-0010 (location refused), MO-IO-0011 (link), MO-IO-0012 (hard link), MO-IO-0013 (cannot be opened),
  /// MO-IO-0017 (the model is in memory).
  Expected<FilePtr> open(const std::string& location);

 private:
  std::string model_path_;
  Links links_;
  int folder_ = -1;
  std::map<std::string, FilePtr> files_;
};

/// Keys and values of TensorProto.external_data, as they are in the model.
using ExternalEntries = std::vector<std::pair<std::string, std::string>>;

/// The bytes that `entries` describe; `needed` is what the tensor's type and shape take. Unknown keys are reported to
/// `sink`, each once (`reported`). Errors: those of ExternalFiles::open, MO-IO-0014 (numbers), MO-IO-0015 (outside of
/// the file), MO-IO-0018 (length and shape disagree).
Expected<BufferPtr> open_external(ExternalFiles& files, const ExternalEntries& entries, std::uint64_t needed,
                                  std::set<std::string>& reported, DiagnosticSink& sink);

}  // namespace mo::onnx
