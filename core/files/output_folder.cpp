#include "core/files/output_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/files/output_file.hpp"
#include "core/files/temporaries.hpp"

namespace mo {

Expected<std::unique_ptr<OutputFolder>> OutputFolder::create(const std::string& path) {
  namespace fs = std::filesystem;
  std::unique_ptr<OutputFolder> folder(new OutputFolder);
  fs::path part;
  for (const fs::path& component : fs::path(path)) {
    part /= component;
    struct stat info {};
    if (::stat(part.c_str(), &info) == 0) {
      if (S_ISDIR(info.st_mode)) continue;
      return error("MO-DRIVER-0002", "the folder \"{}\" cannot be used: \"{}\" is a file", path, part.string())
          .hint("remove the file, or write to another place");
    }
    // Another process may make it at the same moment; then it is not ours to remove.
    if (::mkdir(part.c_str(), 0777) == 0) {
      folder->made_.push_back({part.string(), list_for_removal(part.string(), OnSignal::remove_if_empty)});
    } else if (errno != EEXIST) {
      return error("MO-DRIVER-0003", "cannot create the folder \"{}\": {}", path, std::strerror(errno))
          .hint("check the permissions of \"{}\", or write to another place",
                part.has_parent_path() ? part.parent_path().string() : std::string("."));
    }
  }
  return folder;
}

OutputFolder::~OutputFolder() {
  for (; !made_.empty(); made_.pop_back()) {
    ::rmdir(made_.back().path.c_str());  // fails, as it should, if the folder is no longer empty
    unlist(made_.back().slot);
  }
}

Expected<void> OutputFolder::keep(bool durable) {
  for (const Made& made : made_) unlist(made.slot);
  const std::vector<Made> kept = std::move(made_);
  made_.clear();
  if (!durable) return {};
  for (const Made& made : kept) MO_TRY(sync_folder(std::filesystem::path(made.path).parent_path().string()));
  return {};
}

Expected<void> sync_folder(const std::string& folder) {
  const std::string path = folder.empty() ? "." : folder;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool done = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int reason = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!done) return cannot_write(path, reason);
  return {};
}

}  // namespace mo
