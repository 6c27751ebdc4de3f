#include "frontends/onnx/external_data.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

namespace mo::onnx {
namespace {

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

/// The components of a location that may be opened.
Expected<std::vector<std::string>> components_of(const std::string& location) {
  const auto refused = [&](std::string_view why) {
    return error("MO-IO-0010", "external data at \"{}\" is refused: {}", location.substr(0, 300), why)
        .hint("keep the data in the folder of the model, and save the model again with a relative location");
  };
  if (location.empty()) return refused("the location is empty");
  if (location.size() > 4096) return refused("the location is longer than a path can be");
  if (location.find('\0') != std::string::npos) return refused("it has a zero byte");
  if (location.find('\\') != std::string::npos) return refused("it has a backslash");
  if (location.front() == '/') return refused("it is an absolute path");
  const char first = location.front();
  if (location.size() > 1 && location[1] == ':' && ((first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z')))
    return refused("it names a drive");
  std::vector<std::string> components;
  std::string_view rest = location;
  for (;;) {
    const std::size_t slash = rest.find('/');
    const std::string_view component = rest.substr(0, slash);
    if (component == "..") return refused("it leads to a parent folder");
    if (component.empty()) return refused("it has an empty component");
    if (component != ".") components.emplace_back(component);
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  if (components.empty()) return refused("it names no file");
  return components;
}

Diagnostic cannot_open(const std::string& location, int cause) {
  auto failed = error("MO-IO-0013", "cannot open the external data \"{}\": {}", location, std::strerror(cause));
  if (cause == EMFILE || cause == ENFILE)
    return std::move(failed).hint("the model has very many data files: raise the limit with \"ulimit -n\"");
  return std::move(failed).hint(
      "external data is stored next to the model: copy both together, and check names and permissions");
}

constexpr std::string_view kLinkHint =
    "if you trust the model, follow links with --allow-links; or copy it with its data (cp -L) into a folder of its "
    "own and convert the copy";

bool is_link(int folder, const std::string& component) {
  struct stat info {};
  return ::fstatat(folder, component.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode);
}

/// Only digits; nothing when it is anything else or does not fit.
std::optional<std::uint64_t> parse_decimal(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, cause] = std::from_chars(text.data(), text.data() + text.size(), value, 10);
  if (cause != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

ExternalFiles::~ExternalFiles() {
  if (folder_ >= 0) ::close(folder_);
}

Expected<FilePtr> ExternalFiles::open(const std::string& location) {
  if (const auto known = files_.find(location); known != files_.end()) return known->second;
  MO_ASSIGN(const std::vector<std::string> components, components_of(location));
  if (model_path_.empty())
    return error("MO-IO-0017", "the model has external data \"{}\", but it is not read from a file", location)
        .hint("give the path of the model");
  if (folder_ < 0) {
    // The user chose this folder: it may be reached through links.
    const std::string folder = std::filesystem::path(model_path_).parent_path().string();
    folder_ = ::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder_ < 0) return cannot_open(location, errno);
  }
  const auto failed = [&](int folder, const std::string& component, int cause) -> Diagnostic {
    if (is_link(folder, component))
      return error("MO-IO-0011", "external data at \"{}\" is refused: \"{}\" is a symbolic link", location, component)
          .hint("{}", kLinkHint);
    return cannot_open(location, cause);
  };
  const int no_links = links_ == Links::refused ? O_NOFOLLOW : 0;
  Descriptor inner(-1);
  int folder = folder_;
  for (std::size_t i = 0; i + 1 < components.size(); ++i) {
    Descriptor next(::openat(folder, components[i].c_str(), O_PATH | O_DIRECTORY | no_links | O_CLOEXEC));
    if (next.get() < 0) return failed(folder, components[i], errno);
    inner = std::move(next);
    folder = inner.get();
  }
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  Descriptor descriptor(
      ::openat(folder, components.back().c_str(), O_RDONLY | no_links | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (descriptor.get() < 0) return failed(folder, components.back(), errno);
  const std::string path = (std::filesystem::path(model_path_).parent_path() / location).string();
  MO_ASSIGN(FilePtr file, File::adopt(descriptor.release(), path));
  if (file->link_count() > 1 && links_ == Links::refused)
    return error("MO-IO-0012", "external data at \"{}\" is refused: the file has {} names (hard links)", location,
                 file->link_count())
        .hint("{}", kLinkHint);
  files_.emplace(location, file);
  return file;
}

Expected<BufferPtr> open_external(ExternalFiles& files, const ExternalEntries& entries, std::uint64_t needed,
                                  std::set<std::string>& reported, DiagnosticSink& sink) {
  std::string location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
  for (const auto& [key, value] : entries) {
    // ONNX external data: the checksum is optional and need not be checked.
    if (key == "location") {
      location = value;
    } else if (key == "offset" || key == "length") {
      const auto number = parse_decimal(value);
      if (!number)
        return error("MO-IO-0014", "the {} of external data is \"{}\", which is not a decimal number", key,
                     value.substr(0, 100))
            .hint("only digits are allowed; export the model again");
      if (key == "offset")
        offset = *number;
      else
        length = number;
    } else if (key != "checksum" && reported.size() < 100 && reported.insert(key).second) {
      sink.report(
          warning("MO-IO-0016", "external data has the unknown key \"{}\", which is ignored", key.substr(0, 100))
              .hint("known keys are location, offset, length and checksum"));
    }
  }
  MO_ASSIGN(const FilePtr file, files.open(location));
  if (length && *length != needed)
    return error("MO-IO-0018", "the external data has {} bytes, the tensor's type and shape need {}", *length, needed)
        .hint("the model and its data do not belong together, or the model was edited");
  if (offset > file->size() || needed > file->size() - offset)
    return error("MO-IO-0015", "{} bytes at offset {} lie outside of \"{}\", which has {}", needed, offset,
                 file->path(), file->size())
        .hint("the data file is truncated, or belongs to another model");
  return FileBuffer::create(file, offset, needed);
}

}  // namespace mo::onnx
