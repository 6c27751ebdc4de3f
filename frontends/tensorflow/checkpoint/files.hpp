#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/diagnostic.hpp"
#include "core/files/file.hpp"

namespace mo::tensorflow {

/// The folder in which the files of a checkpoint lie. Files are opened relative to it and not through links (unless the
/// user allows them), so that a checkpoint from somewhere else cannot make other files of this machine part of a model.
class CheckpointFolder {
 public:
  /// The folder itself is the user's choice and may be reached through links. Error MO-TF-0400.
  static Expected<std::shared_ptr<const CheckpointFolder>> open(const std::string& path, Links links = Links::refused);
  ~CheckpointFolder();
  CheckpointFolder(const CheckpointFolder&) = delete;
  CheckpointFolder& operator=(const CheckpointFolder&) = delete;

  const std::string& path() const { return path_; }
  Links links() const { return links_; }
  /// Whether there is anything of that name, be it a file or not.
  bool has(const std::string& name) const;
  /// The names in the folder, sorted; at most the first 100,000 that the system lists.
  std::vector<std::string> names() const;
  /// Opens a regular file; never waits. Errors: MO-TF-0401 (link), MO-TF-0413 (missing or unreadable), MO-IO-0002 (no
  /// regular file).
  Expected<FilePtr> open_file(const std::string& name) const;

 private:
  CheckpointFolder() = default;
  std::string path_;
  Links links_ = Links::refused;
  int descriptor_ = -1;
};

/// Where a checkpoint lies.
struct CheckpointPlace {
  enum class Format { bundle, saved_slices };
  std::shared_ptr<const CheckpointFolder> folder;
  std::string name;  ///< the last component of the prefix
  Format format = Format::bundle;
  std::vector<std::string> files;  ///< saved_slices: the tables, in order
};

/// Finds the checkpoint that the user means: a prefix, one of its files, a `checkpoint` state file, or a folder that
/// has one. Errors: MO-TF-0400 (nothing there), MO-TF-0402 (state file), MO-TF-0413 (a file of several is missing).
/// Warning MO-TF-0424: the state file names a place where the checkpoint no longer is.
Expected<CheckpointPlace> find_checkpoint(const std::string& prefix, DiagnosticSink& sink,
                                          Links links = Links::refused);

/// The value of model_checkpoint_path in the text of a state file (CheckpointState as protobuf text); nothing when
/// there is none.
std::optional<std::string> state_file_path(std::string_view text);

/// "model.data-00002-of-00004".
std::string shard_name(std::string_view stem, std::int64_t shard, std::int64_t count);

}  // namespace mo::tensorflow
