#pragma once

#include <memory>
#include <string>

#include "core/diagnostics/expected.hpp"

namespace mo::tools {

/// A new empty folder for temporary files; it is removed with its contents when this object is destroyed or a signal
/// ends the program.
class TemporaryFolder {
 public:
  /// In TMPDIR, else /tmp; `name` begins its name. Error MO-RUN-0021.
  static Expected<std::unique_ptr<TemporaryFolder>> create(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path);
  std::string path_;
  int slot_;
};

}  // namespace mo::tools
