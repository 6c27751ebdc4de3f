#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/diagnostics/expected.hpp"

namespace mo {

/// The folder that outputs go to. What had to be made of it disappears again, as far as it is empty, unless `keep` was
/// called.
class OutputFolder {
 public:
  /// Makes the folder with its parents where it is missing. A relative path stays relative. Errors: MO-DRIVER-0002
  /// (there is a file of that name), MO-DRIVER-0003 (it cannot be made).
  static Expected<std::unique_ptr<OutputFolder>> create(const std::string& path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// The outputs are there. `durable`: waits until the folders that were made have reached the disk, too. Error
  /// MO-EMIT-0001.
  Expected<void> keep(bool durable = false);

 private:
  OutputFolder() = default;
  struct Made {
    std::string path;
    int slot;  ///< in the list of what a signal removes
  };
  std::vector<Made> made_;  ///< outermost first
};

/// Waits until the names in a folder have reached the disk. Error MO-EMIT-0001.
Expected<void> sync_folder(const std::string& folder);

}  // namespace mo
