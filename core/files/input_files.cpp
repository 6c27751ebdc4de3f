#include "core/files/input_files.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "core/files/file.hpp"

namespace mo {
namespace {

thread_local InputFiles::Recording* current_recording = nullptr;

}  // namespace

InputFiles::Recording::Recording(InputFiles& files) : files_(files), outer_(std::exchange(current_recording, this)) {}

InputFiles::Recording::~Recording() { current_recording = outer_; }

void InputFiles::record(const File& file) {
  for (const Recording* recording = current_recording; recording; recording = recording->outer_)
    recording->files_.add(file);
}

void InputFiles::add(const File& file) { files_.try_emplace({file.device(), file.inode()}, file.path()); }

void InputFiles::add_path(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) files_.try_emplace({info.st_dev, info.st_ino}, path);
}

std::vector<std::string> InputFiles::paths() const {
  std::vector<std::string> paths;
  for (const auto& [identity, path] : files_) paths.push_back(path);
  std::sort(paths.begin(), paths.end());
  return paths;
}

Expected<void> InputFiles::check_output(const std::string& path, std::uint64_t device, std::uint64_t inode) const {
  const auto input = files_.find({device, inode});
  if (input == files_.end()) return {};
  return error("MO-EMIT-0003", "\"{}\" would overwrite the input \"{}\"", path, input->second)
      .hint("choose another --output_dir or --model_name");
}

}  // namespace mo
