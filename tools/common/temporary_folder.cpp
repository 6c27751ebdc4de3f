#include "tools/common/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/files/temporaries.hpp"

namespace mo::tools {

Expected<std::unique_ptr<TemporaryFolder>> TemporaryFolder::create(const std::string& name) {
  std::error_code problem;
  std::string folder = (std::filesystem::temp_directory_path(problem) / (name + "_XXXXXX")).string();
  if (problem || ::mkdtemp(folder.data()) == nullptr)
    return error("MO-RUN-0021", "cannot make a temporary folder: {}",
                 problem ? problem.message() : std::strerror(errno))
        .hint("set TMPDIR to a folder that can be written");
  return std::unique_ptr<TemporaryFolder>(new TemporaryFolder(std::move(folder)));
}

TemporaryFolder::TemporaryFolder(std::string path)
    : path_(std::move(path)), slot_(list_for_removal(path_, OnSignal::remove_with_files)) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  unlist(slot_);
}

}  // namespace mo::tools
