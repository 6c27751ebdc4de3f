#include "frontends/tensorflow/checkpoint/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/support/nearest.hpp"

namespace mo::tensorflow {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNames = 100'000;
constexpr std::uint64_t kMostStateBytes = std::uint64_t{1} << 20;
constexpr std::string_view kIndex = ".index";
constexpr std::string_view kStateFile = "checkpoint";

bool is_number(std::string_view text) {
  return text.size() == 5 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "model" of "model-00001-of-00004" with separator "-"; nothing for other names.
std::optional<std::string_view> stem_of_shard(std::string_view name, std::string_view separator) {
  constexpr std::size_t kNumbers = 14;  // 00001-of-00004
  if (name.size() <= kNumbers + separator.size()) return std::nullopt;
  const std::string_view numbers = name.substr(name.size() - kNumbers);
  if (!is_number(numbers.substr(0, 5)) || numbers.substr(5, 4) != "-of-" || !is_number(numbers.substr(9)))
    return std::nullopt;
  name.remove_suffix(kNumbers);
  if (!name.ends_with(separator)) return std::nullopt;
  name.remove_suffix(separator.size());
  return name;
}

/// The prefix when the user gave a file that belongs to it.
std::string prefix_of(const std::string& name) {
  if (name.size() > kIndex.size() && name.ends_with(kIndex)) return name.substr(0, name.size() - kIndex.size());
  if (const auto stem = stem_of_shard(name, ".data-")) return std::string(*stem);
  return name;
}

/// The files of a V1 checkpoint that was written in several; empty when there are none. Error MO-TF-0413: one of them
/// is missing.
Expected<std::vector<std::string>> numbered_files(const CheckpointFolder& folder, const std::string& name) {
  std::vector<std::string> found;
  for (const std::string& other : folder.names())
    if (const auto stem = stem_of_shard(other, "-"); stem && *stem == name) found.push_back(other);
  if (found.empty()) return found;
  const std::int64_t count = std::atoll(found.front().substr(found.front().size() - 5).c_str());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string expected = shard_name(name + "-", static_cast<std::int64_t>(i), count);
    if (found[i] != expected || found.size() > static_cast<std::size_t>(count))
      return error("MO-TF-0413", "the checkpoint \"{}/{}\" has the file \"{}\" where \"{}\" is expected", folder.path(),
                   name, found[i], expected)
          .hint("the files of a checkpoint belong together: copy all of them, and only those of one checkpoint");
  }
  if (found.size() < static_cast<std::size_t>(count))
    return error("MO-TF-0413", "the file \"{}\" of the checkpoint \"{}/{}\" is missing",
                 shard_name(name + "-", static_cast<std::int64_t>(found.size()), count), folder.path(), name)
        .hint("copy all {} files of the checkpoint", count);
  return found;
}

Diagnostic not_found(const CheckpointFolder& folder, const std::string& name) {
  auto failed = error("MO-TF-0400", "there is no checkpoint \"{}/{}\"", folder.path(), name);
  std::vector<std::string> prefixes;
  for (const std::string& other : folder.names())
    if (other.ends_with(kIndex)) prefixes.push_back(prefix_of(other));
  const std::string close = nearest(name, prefixes);
  if (!close.empty()) return std::move(failed).hint("did you mean \"{}\"?", (fs::path(folder.path()) / close).string());
  return std::move(failed).hint(
      "give what all files of the checkpoint begin with: \"model.ckpt-100\" for \"model.ckpt-100.index\"");
}

Expected<CheckpointPlace> find_files(std::shared_ptr<const CheckpointFolder> folder, const std::string& name) {
  CheckpointPlace place{std::move(folder), name, CheckpointPlace::Format::bundle, {}};
  if (place.folder->has(name + std::string(kIndex))) return place;
  place.format = CheckpointPlace::Format::saved_slices;
  if (place.folder->has(name)) {
    place.files = {name};
    return place;
  }
  MO_ASSIGN(place.files, numbered_files(*place.folder, name));
  if (place.files.empty()) return not_found(*place.folder, name);
  return place;
}

/// Follows a state file to the checkpoint beside it.
Expected<CheckpointPlace> follow_state_file(std::shared_ptr<const CheckpointFolder> folder, const std::string& name,
                                            DiagnosticSink& sink) {
  MO_ASSIGN(const FilePtr file, folder->open_file(name));
  const auto refused = [&](std::string_view why) {
    return error("MO-TF-0402", "the state file \"{}\" {}", file->path(), why)
        .hint("give the prefix of the checkpoint itself, \"model.ckpt-100\"");
  };
  if (file->size() > kMostStateBytes) return refused("is too large for a list of checkpoints");
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  MO_TRY(file->read(0, std::as_writable_bytes(std::span(text))));
  const auto named = state_file_path(text);
  if (!named) return refused("names no model_checkpoint_path");
  const fs::path path(*named);
  const std::string last = path.filename().string();
  if (last.empty() || last == "." || last == ".." || last.find('\0') != std::string::npos)
    return refused("names no checkpoint");
  // TensorFlow writes the path where it saved. Folders are copied elsewhere; the checkpoint lies beside its state file.
  std::error_code failure;
  if (path.has_parent_path() && path.parent_path() != fs::weakly_canonical(folder->path(), failure) &&
      path.parent_path() != ".")
    sink.report(warning("MO-TF-0424", "the state file \"{}\" names \"{}\"; \"{}\" beside it is read", file->path(),
                        named->substr(0, 300), last)
                    .hint("give the prefix of the checkpoint itself when another one is meant"));
  return find_files(std::move(folder), last);
}

}  // namespace

Expected<std::shared_ptr<const CheckpointFolder>> CheckpointFolder::open(const std::string& path, Links links) {
  std::shared_ptr<CheckpointFolder> folder(new CheckpointFolder);
  folder->links_ = links;
  folder->path_ = path.empty() ? "." : path;
  folder->descriptor_ = ::open(folder->path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
  if (folder->descriptor_ < 0)
    return error("MO-TF-0400", "cannot open the folder \"{}\" of a checkpoint: {}", folder->path_, std::strerror(errno))
        .hint("check the path and the permissions");
  return std::shared_ptr<const CheckpointFolder>(std::move(folder));
}

CheckpointFolder::~CheckpointFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool CheckpointFolder::has(const std::string& name) const {
  struct stat info {};
  return ::fstatat(descriptor_, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
}

std::vector<std::string> CheckpointFolder::names() const {
  std::vector<std::string> found;
  const int copy = ::openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const listing = copy >= 0 ? ::fdopendir(copy) : nullptr;
  if (!listing) {
    if (copy >= 0) ::close(copy);
    return found;
  }
  while (const dirent* entry = ::readdir(listing)) {
    if (found.size() == kMostNames) break;
    found.emplace_back(entry->d_name);
  }
  ::closedir(listing);
  std::sort(found.begin(), found.end());
  return found;
}

Expected<FilePtr> CheckpointFolder::open_file(const std::string& name) const {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const int descriptor =
      ::openat(descriptor_, name.c_str(),
               O_RDONLY | (links_ == Links::refused ? O_NOFOLLOW : 0) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  const int cause = errno;
  const std::string path = (fs::path(path_) / name).string();
  if (descriptor >= 0) return File::adopt(descriptor, path);
  struct stat info {};
  if (::fstatat(descriptor_, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode))
    return error("MO-TF-0401", "\"{}\" of a checkpoint is refused: it is a symbolic link", path)
        .hint(
            "if you trust the model, follow links with --allow-links; or copy the files (cp -L) into a folder of their "
            "own and convert with the "
            "copy");
  return error("MO-TF-0413", "cannot open \"{}\" of a checkpoint: {}", path, std::strerror(cause))
      .hint("copy all files of the checkpoint together; check names and permissions");
}

std::string shard_name(std::string_view stem, std::int64_t shard, std::int64_t count) {
  return fmt::format("{}{:05}-of-{:05}", stem, shard, count);
}

std::optional<std::string> state_file_path(std::string_view text) {
  constexpr std::string_view kField = "model_checkpoint_path";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto skip_spaces = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size())); };
    skip_spaces();
    if (!line.starts_with(kField)) continue;
    line.remove_prefix(kField.size());
    skip_spaces();
    if (!line.starts_with(':')) continue;
    line.remove_prefix(1);
    skip_spaces();
    if (line.empty() || (line.front() != '"' && line.front() != '\'')) continue;
    const char quote = line.front();
    std::string value;
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (line[i] == quote) return value;
      // Protobuf text: of the escapes, only those of printable characters make sense in a path; octal ones spell UTF-8.
      if (line[i] != '\\' || i + 1 == line.size()) {
        value += line[i];
      } else if (line[i + 1] >= '0' && line[i + 1] <= '7') {
        unsigned code = 0;
        std::size_t digits = 0;
        for (; digits < 3 && i + 1 < line.size() && line[i + 1] >= '0' && line[i + 1] <= '7'; ++digits, ++i)
          code = code * 8 + static_cast<unsigned>(line[i + 1] - '0');
        value += static_cast<char>(code);
      } else {
        value += line[++i];
      }
    }
  }
  return std::nullopt;
}

Expected<CheckpointPlace> find_checkpoint(const std::string& prefix, DiagnosticSink& sink, Links links) {
  std::error_code failure;
  const fs::path path(prefix);
  if (fs::is_directory(path, failure)) {
    MO_ASSIGN(auto folder, CheckpointFolder::open(prefix, links));
    const std::string state(kStateFile);
    if (folder->has(state)) return follow_state_file(std::move(folder), state, sink);
    // "dir/model" may be a folder and a prefix.
    if (path.has_filename() && fs::exists(fs::path(prefix + std::string(kIndex)), failure)) {
      MO_ASSIGN(auto parent, CheckpointFolder::open(path.parent_path().string(), links));
      return find_files(std::move(parent), path.filename().string());
    }
    return error("MO-TF-0400", "the folder \"{}\" has no state file \"{}\" that names its checkpoint", prefix,
                 kStateFile)
        .hint("give the prefix of the checkpoint, \"{}\"", (path / "model.ckpt-100").string());
  }
  MO_ASSIGN(auto folder, CheckpointFolder::open(path.parent_path().string(), links));
  const std::string name = path.filename().string();
  if (name == kStateFile && folder->has(name) && !folder->has(name + std::string(kIndex)))
    return follow_state_file(std::move(folder), name, sink);
  const std::string stem = prefix_of(name);
  if (stem != name && folder->has(stem + std::string(kIndex))) return find_files(std::move(folder), stem);
  return find_files(std::move(folder), name);
}

}  // namespace mo::tensorflow
