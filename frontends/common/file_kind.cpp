#include "frontends/common/file_kind.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace mo::frontends {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_identifier(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string_view without_space(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && std::equal(lower.begin(), lower.end(), text.begin(),
                                                   [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b + 32) : b); });
}

struct Signature {
  std::string_view bytes;
  std::string_view name;
  bool archive;
};

using namespace std::string_view_literals;
constexpr std::array kSignatures{
    Signature{"PK\x03\x04"sv, "a zip archive", true},
    Signature{"PK\x05\x06"sv, "an empty zip archive", true},
    Signature{"\x1F\x8B"sv, "gzip-compressed", true},
    Signature{"BZh"sv, "bzip2-compressed", true},
    Signature{"\xFD\x37zXZ\0"sv, "xz-compressed", true},
    Signature{"\x28\xB5\x2F\xFD"sv, "zstd-compressed", true},
    Signature{"7z\xBC\xAF\x27\x1C"sv, "a 7z archive", true},
    Signature{"\x93NUMPY"sv, "a NumPy array", false},
    Signature{"\x89HDF\r\n\x1A\n"sv, "an HDF5 file (Keras)", false},
    Signature{"\x7F\x45LF"sv, "a program or shared library", false},
    Signature{"%PDF-"sv, "a PDF document", false},
    Signature{"\x89PNG"sv, "a PNG image", false},
};

}  // namespace

bool looks_like_protobuf_text(std::string_view beginning) {
  if (beginning.starts_with("\xEF\xBB\xBF")) beginning.remove_prefix(3);
  // A control character other than white space means binary; bytes from 0x80 may be UTF-8 in a string.
  const bool printable =
      std::none_of(beginning.begin(), beginning.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 && !is_space(c); });
  if (!printable) return false;
  std::string_view rest = without_space(beginning);
  while (rest.starts_with('#')) {  // comments
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return true;
    rest = without_space(rest.substr(end));
  }
  std::size_t length = 0;
  while (length < rest.size() && is_identifier(rest[length])) ++length;
  if (length == 0) return false;
  rest = without_space(rest.substr(length));
  return rest.starts_with(':') || rest.starts_with('{') || rest.starts_with('<');
}

Expected<std::optional<NotBinaryModel>> why_not_binary_model(const File& file) {
  const auto because = [](Diagnostic reason) { return std::optional(NotBinaryModel{std::move(reason)}); };
  if (file.size() == 0) return because(error("MO-IO-0020", "\"{}\" is empty", file.path()).hint("the download or the export did not finish"));
  std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), 512)), '\0');
  MO_TRY(file.read(0, std::as_writable_bytes(std::span(head))));
  if (head.starts_with("version https://git-lfs"))
    return because(error("MO-IO-0021", "\"{}\" is a Git LFS pointer, not the model", file.path()).hint("fetch the model itself: git lfs pull"));
  const std::string_view text = without_space(head);
  for (const std::string_view start : {"<!doctype"sv, "<html"sv, "<?xml"sv, "<head"sv})
    if (starts_with_ignoring_case(text, start))
      return because(error("MO-IO-0022", "\"{}\" is an HTML or XML page, not a model", file.path())
                         .hint("the download saved a web page instead of the file; on a hosting site, use the \"raw\" link"));
  for (const Signature& signature : kSignatures) {
    if (!std::string_view(head).starts_with(signature.bytes)) continue;
    if (signature.archive)
      return because(error("MO-IO-0023", "\"{}\" is {}", file.path(), signature.name).hint("unpack it and give the model that is inside"));
    return because(error("MO-IO-0025", "\"{}\" is {}, not a model", file.path(), signature.name).hint("give the path of the model file"));
  }
  if (looks_like_protobuf_text(head))
    return std::optional(NotBinaryModel{error("MO-IO-0024", "\"{}\" looks like protobuf text, a binary model is expected", file.path())
                                            .hint("give the file the ending of the text form (.onnxtxt, .pbtxt, .prototxt), or convert it to binary"),
                                        /*is_text=*/true});
  return std::optional<NotBinaryModel>();
}

}  // namespace mo::frontends
