#include "frontends/common/file_kind.hpp"

#include <algorithm>
#include <string_view>

#include "frontends/common/characters.hpp"
#include "frontends/common/model_kind.hpp"

namespace mo::frontends {
namespace {

std::string_view without_space(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && std::equal(lower.begin(), lower.end(), text.begin(), [](char a, char b) {
           return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b + 32) : b);
         });
}

using namespace std::string_view_literals;

/// Formats with a magic number that no frontend reads.
bool is_other_format(ModelKind kind) {
  switch (kind) {
    case ModelKind::numpy_array:
    case ModelKind::keras_hdf5:
    case ModelKind::keras_weights:
    case ModelKind::keras_archive:
    case ModelKind::pytorch:
    case ModelKind::torchscript:
    case ModelKind::torch_export:
    case ModelKind::tensorflow_lite:
    case ModelKind::safetensors:
    case ModelKind::onnx_runtime:
    case ModelKind::tensorrt:
    case ModelKind::gguf:
    case ModelKind::pickle:
    case ModelKind::program:
    case ModelKind::pdf:
    case ModelKind::png:
    case ModelKind::jpeg: return true;
    default: return false;
  }
}

/// A control character other than white space means binary; bytes from 0x80 may be UTF-8 in a string.
bool is_printable(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 && !is_space(c); });
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

}  // namespace

Diagnostic server_answer(const std::string& path, std::string_view beginning) {
  constexpr std::size_t kShown = 80;
  const std::string_view text = without_space(beginning);
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  return error("MO-IO-0022", "\"{}\" is an error message of a server, not a model: {}{}", path, line.substr(0, kShown),
               line.size() > kShown ? "…" : "")
      .hint("the download failed: check the address, and whether it needs a login");
}

bool looks_like_protobuf_text(std::string_view beginning) {
  if (beginning.starts_with("\xEF\xBB\xBF")) beginning.remove_prefix(3);
  if (!is_printable(beginning)) return false;
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

Expected<std::optional<NotBinaryModel>> why_not_binary_model(const FilePtr& file) {
  const auto because = [](Diagnostic reason) { return std::optional(NotBinaryModel{std::move(reason)}); };
  if (file->size() == 0)
    return because(
        error("MO-IO-0020", "\"{}\" is empty", file->path()).hint("the download or the export did not finish"));
  std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(file->size(), 512)), '\0');
  MO_TRY(file->read(0, std::as_writable_bytes(std::span(head))));
  if (head.starts_with("version https://git-lfs"))
    return because(error("MO-IO-0021", "\"{}\" is a Git LFS pointer, not the model", file->path())
                       .hint("fetch the model itself: git lfs pull"));
  const std::string_view text = without_space(head);
  for (const std::string_view start : {"<!doctype"sv, "<html"sv, "<?xml"sv, "<head"sv})
    if (starts_with_ignoring_case(text, start))
      return because(
          error("MO-IO-0022", "\"{}\" is an HTML or XML page, not a model", file->path())
              .hint("the download saved a web page instead of the file; on a hosting site, use the \"raw\" link"));
  const ModelKind kind = kind_of(file);
  if (is_archive(kind))
    return because(error("MO-IO-0023", "\"{}\" is {}", file->path(), title(kind))
                       .hint("unpack it and give the model that is inside"));
  if (is_other_format(kind))
    return because(error("MO-IO-0025", "\"{}\" is {}, not a model", file->path(), title(kind))
                       .hint("give the path of the model file"));
  if (kind == ModelKind::server_answer) return because(server_answer(file->path(), head));
  if (looks_like_protobuf_text(head))
    return std::optional(NotBinaryModel{
        error("MO-IO-0024", "\"{}\" looks like protobuf text, a binary model is expected", file->path())
            .hint("give the file the ending of the text form (.onnxtxt, .pbtxt, .prototxt), or convert it to binary"),
        NotBinaryModel::Text::protobuf});
  // A protobuf message of four bytes or more has control characters: tags and lengths.
  if (head.size() >= 4 && is_printable(head) && std::ranges::all_of(head, is_ascii))
    return std::optional(NotBinaryModel{
        error("MO-IO-0025", "\"{}\" is a text file, not a model", file->path()).hint("give the path of the model file"),
        NotBinaryModel::Text::other});
  return std::optional<NotBinaryModel>();
}

}  // namespace mo::frontends
