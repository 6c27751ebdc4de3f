#include "frontends/tensorflow/model_files.hpp"

#include <filesystem>

#include "frontends/common/file_kind.hpp"

namespace mo::tensorflow {
namespace {

namespace fs = std::filesystem;
using frontends::WireSource;

/// Text is parsed in memory: large models are binary.
constexpr std::uint64_t kTextLimit = std::uint64_t{1} << 29;

Expected<bool> looks_like_text(const File& file) {
  char head[512];
  const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), sizeof head));
  MO_TRY(file.read(0, std::as_writable_bytes(std::span(head, size))));
  return frontends::looks_like_protobuf_text({head, size});
}

bool is_file(const fs::path& path) {
  std::error_code failure;
  return fs::is_regular_file(path, failure);
}

}  // namespace

Expected<bool> is_text_file(const std::string& path) {
  MO_ASSIGN(const FilePtr file, File::open(path));
  return looks_like_text(*file);
}

Expected<std::unique_ptr<WireSource>> open_message(const std::string& path, TextMessage kind) {
  MO_ASSIGN(FilePtr file, File::open(path));
  MO_ASSIGN(const bool is_text, looks_like_text(*file));
  if (!is_text) {
    MO_ASSIGN(std::optional<frontends::NotBinaryModel> problem, frontends::why_not_binary_model(file));
    if (problem) return std::move(problem->reason);
    return std::make_unique<WireSource>(std::move(file));
  }
  if (file->size() > kTextLimit)
    return error("MO-IO-0026", "\"{}\" has {} bytes, too many for protobuf text", path, file->size())
        .hint("save the model as binary (.pb)");
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  MO_TRY(file->read(0, std::as_writable_bytes(std::span(text))));
  MO_ASSIGN(const std::string bytes, bytes_from_text(text, kind));
  std::string().swap(text);  // an assignment keeps the memory
  MO_ASSIGN(BufferPtr buffer, frontends::copy_to_buffer(bytes));
  return std::make_unique<WireSource>(std::move(buffer), path);
}

Expected<SavedModelFiles> find_saved_model(const std::string& directory) {
  std::error_code failure;
  const fs::path folder(directory);
  if (!fs::is_directory(folder, failure))
    return error("MO-TF-0030", "\"{}\" is not a folder", directory)
        .hint("--saved_model_dir takes the folder that holds saved_model.pb");
  const bool binary = is_file(folder / "saved_model.pb");
  const bool text = is_file(folder / "saved_model.pbtxt");
  if (!binary && !text)
    return error("MO-TF-0030", "there is neither saved_model.pb nor saved_model.pbtxt in \"{}\"", directory)
        .hint("--saved_model_dir takes the folder that holds saved_model.pb");
  if (binary && text)
    return error("MO-TF-0031", "there are both saved_model.pb and saved_model.pbtxt in \"{}\"", directory)
        .hint("remove the one that is out of date");
  SavedModelFiles files{(folder / (binary ? "saved_model.pb" : "saved_model.pbtxt")).string(), {}};
  if (fs::is_directory(folder / "variables", failure)) files.variables = (folder / "variables" / "variables").string();
  if (!files.variables.empty() && !is_file(files.variables + ".index")) {
    // A folder without an index is one without variables when it is empty.
    if (fs::is_empty(folder / "variables", failure)) files.variables.clear();
  }
  return files;
}

std::string checkpoint_of_meta_graph(const ModelSource& model) {
  if (!model.checkpoint.empty()) return model.checkpoint;
  const std::string& path = model.meta_graph;
  const std::string prefix = path.ends_with(".meta") ? path.substr(0, path.size() - 5) : path;
  std::error_code failure;
  if (is_file(prefix + ".index")) return prefix;
  // V1 checkpoints are one file of that name, or several.
  if (is_file(prefix) && prefix != path) return prefix;
  const fs::path folder = fs::path(prefix).parent_path();
  const std::string stem = fs::path(prefix).filename().string() + "-00000-of-";
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, failure))
    if (entry.path().filename().string().starts_with(stem)) return prefix;
  return {};
}

}  // namespace mo::tensorflow
