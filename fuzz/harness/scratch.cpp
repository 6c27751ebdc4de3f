#include "fuzz/harness/scratch.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "fuzz/harness/check.hpp"

namespace mo::fuzz {

namespace fs = std::filesystem;

Scratch::Scratch() {
  folder_ = (fs::temp_directory_path() / "mo_fuzz_XXXXXX").string();
  require(mkdtemp(folder_.data()) != nullptr, "a temporary folder cannot be made");
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

const Scratch& Scratch::instance() {
  static const Scratch scratch;
  return scratch;
}

std::string Scratch::write(std::string_view name, std::string_view bytes) const {
  const std::string file = path(name);
  if (name.find('/') != std::string_view::npos) fs::create_directories(fs::path(file).parent_path());
  std::ofstream(file, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return file;
}

std::string Scratch::empty_folder(std::string_view name) const {
  std::string folder = path(name);
  fs::remove_all(folder);
  fs::create_directory(folder);
  return folder;
}

std::vector<std::string> Scratch::files(std::string_view folder) const {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator it(path(folder), failed), end; !failed && it != end; it.increment(failed))
    names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace mo::fuzz
