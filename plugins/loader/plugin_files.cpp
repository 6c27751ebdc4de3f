#include "plugins/loader/plugin_files.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "plugins/loader/elf_file.hpp"

namespace mo::plugins {
namespace {

namespace fs = std::filesystem;

/// Far more than anybody has: a wrong directory ("/usr/lib") is an error, not a long wait.
constexpr std::size_t kMostFiles = 256;

Diagnostic unusable(const std::string& path, std::string_view reason) {
  return error("MO-PLUGIN-0001", "extension \"{}\" cannot be opened: {}", path, reason)
      .hint("--extensions takes plugins and directories of them");
}

void add_directory(const fs::path& directory, std::vector<std::string>& files, std::vector<Diagnostic>& problems) {
  std::error_code failed;
  std::vector<std::string> found;
  bool python = false;
  for (fs::directory_iterator it(directory, failed), end; !failed && it != end && found.size() <= kMostFiles;
       it.increment(failed)) {
    const fs::path& path = it->path();
    python = python || path.extension() == ".py" || path.filename() == "front";
    if (path.extension() == ".so" && !path.filename().string().starts_with('.')) found.push_back(path.string());
  }
  if (failed) {
    problems.push_back(unusable(directory.string(), failed.message()));
    return;
  }
  if (found.empty() || found.size() > kMostFiles) {
    Diagnostic problem = error("MO-PLUGIN-0003", "directory \"{}\" has {} plugins (files that end with .so)",
                               directory.string(), found.empty() ? "no" : "too many");
    problem.hint_text =
        python ? "extensions written in Python cannot be loaded; see docs/plugins.md for how to write them as plugins"
               : "name the plugin itself, or the directory that holds it; sub-directories are not searched";
    problems.push_back(std::move(problem));
    return;
  }
  std::sort(found.begin(), found.end());
  for (const std::string& path : found) {
    const fs::path canonical = fs::canonical(path, failed);
    if (failed)
      problems.push_back(unusable(path, failed.message()));
    else
      files.push_back(canonical.string());
  }
}

/// A group whose only member owns the file, as Debian creates one for each user and for root: its write permission
/// grants nothing to others.
bool is_private_group(const struct stat& status) {
  const bool of_root = status.st_uid == 0 && status.st_gid == 0;
  std::array<char, 4096> memory{};
  struct passwd user {};
  struct passwd* found_user = nullptr;
  const bool is_known = getpwuid_r(status.st_uid, &user, memory.data(), memory.size(), &found_user) == 0 && found_user;
  if (!is_known) return of_root;  // a container without /etc/passwd has no other members
  const std::string name = user.pw_name;
  struct group group {};
  struct group* found_group = nullptr;
  if (getgrgid_r(status.st_gid, &group, memory.data(), memory.size(), &found_group) != 0 || !found_group)
    return of_root;
  if (name != group.gr_name) return false;
  return !group.gr_mem[0] || (name == group.gr_mem[0] && !group.gr_mem[1]);
}

/// Who can change `what` ("it", "directory "/x""): only its owner, who is this user or root. `path` is for the hint.
Expected<void> check_writers(const struct stat& status, const std::string& what, const std::string& path) {
  if (status.st_uid != 0 && status.st_uid != geteuid())
    return error("MO-PLUGIN-0009", "{} belongs to user {}, who is neither root nor you", what, status.st_uid)
        .hint("chown {} {}, or copy the plugin, so that only you decide what it contains", geteuid(), path);
  if ((status.st_mode & S_IWOTH) != 0)
    return error("MO-PLUGIN-0008", "everybody may write to {}", what).hint("remove the permission: chmod o-w {}", path);
  if ((status.st_mode & S_IWGRP) != 0 && !is_private_group(status))
    return error("MO-PLUGIN-0008", "group {} may write to {}", status.st_gid, what)
        .hint("remove the permission: chmod g-w {}", path);
  return {};
}

Expected<void> check_permissions(const std::string& path, const struct stat& status) {
  MO_TRY(check_writers(status, "it", path));
  // A user who may write to a directory can replace what is in it, unless the directory is sticky (/tmp): there only
  // the owners of directory and file can.
  for (fs::path folder = fs::path(path).parent_path();; folder = folder.parent_path()) {
    struct stat directory {};
    if (stat(folder.c_str(), &directory) != 0)
      return error("MO-PLUGIN-0001", "directory \"{}\" cannot be examined", folder.string())
          .hint("check its permissions");
    if ((directory.st_mode & S_ISVTX) != 0) directory.st_mode &= ~static_cast<mode_t>(S_IWOTH | S_IWGRP);
    MO_TRY(check_writers(directory, fmt::format("directory \"{}\"", folder.string()), folder.string()));
    if (folder == folder.parent_path()) return {};
  }
}

}  // namespace

std::vector<std::string> plugin_files(const std::vector<std::string>& paths, std::vector<Diagnostic>& problems) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code failed;
    const fs::path canonical = fs::canonical(path, failed);
    if (failed)
      problems.push_back(unusable(path, failed.message()));
    else if (fs::is_directory(canonical, failed))
      add_directory(canonical, files, problems);
    else
      files.push_back(canonical.string());
  }
  std::vector<std::string> unique;
  for (std::string& file : files)
    if (std::find(unique.begin(), unique.end(), file) == unique.end()) unique.push_back(std::move(file));
  return unique;
}

Expected<FilePtr> open_plugin_file(const std::string& path) {
  // Without O_NONBLOCK a pipe would make us wait. The path is canonical: a link here came into being a moment ago.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0)
    return error("MO-PLUGIN-0001", "it cannot be opened: {}", std::strerror(errno)).hint("check its permissions");
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor);
    return error("MO-PLUGIN-0002", "it is not a file").hint("--extensions takes plugins and directories of them");
  }
  MO_ASSIGN(FilePtr file, File::adopt(descriptor, path));
  MO_TRY(check_permissions(path, status));
  MO_TRY(check_shared_library(*file));
  return file;
}

}  // namespace mo::plugins
