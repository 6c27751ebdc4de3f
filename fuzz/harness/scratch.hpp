#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mo::fuzz {

/// A folder of this process for the files of one run, below TMPDIR; removed at exit.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  /// The one of this process.
  static const Scratch& instance();

  std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }
  /// Writes a file (sub-folders of the name are made); returns its path.
  std::string write(std::string_view name, std::string_view bytes) const;
  /// A sub-folder, empty.
  std::string empty_folder(std::string_view name) const;
  /// Names of what lies in a sub-folder, sorted; none when there is no such folder.
  std::vector<std::string> files(std::string_view folder) const;

 private:
  std::string folder_;
};

}  // namespace mo::fuzz
