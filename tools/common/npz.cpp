#include "tools/common/npz.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "tools/common/npy.hpp"

namespace mo::tools {
namespace {

// Layout of the ZIP format (APPNOTE.TXT of PKWARE, 4.3 and 4.5.3).
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kMostComment = 65535;
constexpr std::size_t kEntrySize = 46;
constexpr std::size_t kLocalSize = 30;
constexpr std::uint32_t kEndMark = 0x06054B50;
constexpr std::uint32_t kEntryMark = 0x02014B50;
constexpr std::uint32_t kLocalMark = 0x04034B50;
constexpr std::uint32_t kInExtraField = 0xFFFFFFFF;
constexpr std::size_t kMostEntries = 100'000;
/// Deflate makes at most so many bytes of one.
constexpr std::uint64_t kMostExpansion = 1032;
constexpr std::string_view kSuffix = ".npy";

enum class Method : std::uint16_t { stored = 0, deflated = 8 };

using Bytes = std::vector<std::byte>;

std::uint64_t number(std::span<const std::byte> bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= std::to_integer<std::uint64_t>(bytes[at + i]) << (8 * i);
  return value;
}

struct Entry {
  std::string name;
  Method method = Method::stored;
  std::uint64_t packed = 0;
  std::uint64_t size = 0;
  std::uint64_t local = 0;  ///< offset of the header before the bytes
};

Diagnostic damaged(std::string_view why) {
  return error("MO-NPY-0007", "this is not an archive of arrays: {}", why)
      .hint("write it with numpy.savez or numpy.savez_compressed");
}

Expected<Bytes> stretch(const File& file, std::uint64_t offset, std::uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) return damaged("it ends early");
  Bytes bytes(size);
  MO_TRY(file.read(offset, bytes));
  return bytes;
}

/// Sizes that do not fit in 32 bits follow the name.
bool read_extra(std::span<const std::byte> extra, Entry& entry) {
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::uint64_t id = number(extra, at, 2);
    const std::size_t end = at + 4 + number(extra, at + 2, 2);
    at += 4;
    if (end > extra.size()) return false;
    if (id == 1)
      for (std::uint64_t* field : {&entry.size, &entry.packed, &entry.local}) {
        if (*field != kInExtraField) continue;
        if (at + 8 > end) return false;
        *field = number(extra, at, 8);
        at += 8;
      }
    at = end;
  }
  return true;
}

Expected<std::vector<Entry>> read_directory(const File& file) {
  const std::uint64_t tail = std::min<std::uint64_t>(file.size(), kEndSize + kMostComment);
  MO_ASSIGN(const Bytes end, stretch(file, file.size() - tail, tail));
  std::optional<std::size_t> at;
  for (std::size_t i = end.size() < kEndSize ? 0 : end.size() - kEndSize + 1; i-- > 0 && !at;)
    if (number(end, i, 4) == kEndMark) at = i;
  if (!at) return damaged("it has no list of its content");
  const std::uint64_t count = number(end, *at + 10, 2);
  MO_ASSIGN(const Bytes list, stretch(file, number(end, *at + 16, 4), number(end, *at + 12, 4)));
  std::vector<Entry> entries;
  std::size_t place = 0;
  while (entries.size() < std::min<std::uint64_t>(count, kMostEntries)) {
    if (place + kEntrySize > list.size() || number(list, place, 4) != kEntryMark)
      return damaged("the list of its content is malformed");
    const std::size_t name = number(list, place + 28, 2);
    const std::size_t extra = number(list, place + 30, 2);
    const std::size_t next = place + kEntrySize + name + extra + number(list, place + 32, 2);
    if (next > list.size()) return damaged("the list of its content is malformed");
    Entry entry{std::string(reinterpret_cast<const char*>(&list[place + kEntrySize]), name),
                static_cast<Method>(number(list, place + 10, 2)), number(list, place + 20, 4),
                number(list, place + 24, 4), number(list, place + 42, 4)};
    if (!read_extra(std::span(list).subspan(place + kEntrySize + name, extra), entry))
      return damaged("the list of its content is malformed");
    if (entry.name.ends_with(kSuffix)) entry.name.resize(entry.name.size() - kSuffix.size());
    entries.push_back(std::move(entry));
    place = next;
  }
  return entries;
}

Expected<Bytes> unpacked(const Bytes& packed, std::uint64_t size) {
  if (size / kMostExpansion > packed.size()) return damaged("an array says that it is larger than it can be");
  Bytes bytes(size);
  z_stream stream{};
  constexpr int kRaw = -15;  // no header around the data
  if (inflateInit2(&stream, kRaw) != Z_OK) return damaged("an array cannot be unpacked");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  // zlib counts in 32 bits: large arrays go through in pieces.
  constexpr std::uint64_t kPiece = 1U << 30U;
  int state = Z_OK;
  while (state == Z_OK) {
    stream.avail_in = static_cast<uInt>(std::min<std::uint64_t>(packed.size() - stream.total_in, kPiece));
    stream.avail_out = static_cast<uInt>(std::min<std::uint64_t>(size - stream.total_out, kPiece));
    state = inflate(&stream, Z_NO_FLUSH);
  }
  const bool whole = state == Z_STREAM_END && stream.total_out == size;
  inflateEnd(&stream);
  if (!whole) return damaged("an array cannot be unpacked");
  return bytes;
}

/// A file that lives in memory.
Expected<FilePtr> as_file(const Bytes& bytes, const std::string& path) {
  const int descriptor = memfd_create("array", MFD_CLOEXEC);
  if (descriptor < 0) return cannot_write(path, errno);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written < 0) {
      const int problem = errno;
      ::close(descriptor);
      return cannot_write(path, problem);
    }
    done += static_cast<std::size_t>(written);
  }
  return File::adopt(descriptor, path);
}

Expected<Tensor> read_entry(const File& file, const Entry& entry) {
  MO_ASSIGN(const Bytes local, stretch(file, entry.local, kLocalSize));
  if (number(local, 0, 4) != kLocalMark) return damaged("the list of its content points to something else");
  const std::uint64_t begin = entry.local + kLocalSize + number(local, 26, 2) + number(local, 28, 2);
  MO_ASSIGN(Bytes bytes, stretch(file, begin, entry.packed));
  if (entry.method == Method::deflated) {
    MO_ASSIGN(bytes, unpacked(bytes, entry.size));
  } else if (entry.method != Method::stored) {
    return damaged("an array is packed in a way that numpy does not use");
  }
  MO_ASSIGN(const FilePtr array, as_file(bytes, file.path()));
  return read_npy(*array);
}

}  // namespace

Expected<std::vector<std::string>> names_in_npz(const std::string& path) {
  MO_ASSIGN(const FilePtr file, File::open(path));
  const auto entries = read_directory(*file);
  if (!entries) return Error(entries.error()).in_file(path);
  std::vector<std::string> names;
  for (const Entry& entry : *entries) names.push_back(entry.name);
  return names;
}

Expected<Tensor> read_npz(const std::string& path, const std::string& name) {
  MO_ASSIGN(const FilePtr file, File::open(path));
  const auto entries = read_directory(*file);
  if (!entries) return Error(entries.error()).in_file(path);
  const auto found =
      std::find_if(entries->begin(), entries->end(), [&](const Entry& entry) { return entry.name == name; });
  if (found == entries->end()) {
    std::vector<std::string_view> names;
    for (const Entry& entry : *entries) names.push_back(entry.name);
    return error("MO-NPY-0008", "the archive has no array '{}'", name)
        .hint("it has {}", fmt::join(names, ", "))
        .in_file(path);
  }
  auto tensor = read_entry(*file, *found);
  if (!tensor) return std::move(tensor).error().in_file(path);
  return tensor;
}

}  // namespace mo::tools
