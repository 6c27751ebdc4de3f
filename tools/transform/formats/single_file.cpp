#include "tools/transform/formats/single_file.hpp"

#include <filesystem>

#include "core/files/output_set.hpp"

namespace mo::tools {
namespace {

namespace fs = std::filesystem;

/// Files that the model refers to are found beside the new one as well: it must lie in the same folder, or they must have been put there.
Expected<void> check_companions(const std::set<std::string>& names, const fs::path& in, const fs::path& out) {
  for (const std::string& name : names) {
    std::error_code ignored;
    const fs::path here = in.parent_path() / name;
    const fs::path there = out.parent_path() / name;
    if (!fs::exists(there, ignored) || fs::file_size(there, ignored) != fs::file_size(here, ignored))
      return error("MO-GTT-0056", "the tensors in \"{}\" would not be found beside the new model", name)
          .hint("write the model into the folder of the original, or copy the file there before");
  }
  return {};
}

}  // namespace

/// What is written goes to a temporary place, which takes the name of the file at the end.
Expected<void> SingleFileFormat::save(const Graph& graph, const ModelFiles& files, const Destination& destination) const {
  const fs::path path = destination.path;
  MO_TRY(check_companions(companions(graph), files.model, path));
  const std::string name = path.filename().string();
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
  MO_ASSIGN(const std::unique_ptr<OutputSet> set, OutputSet::create(folder, name, {name}));
  MO_ASSIGN(OutputFile* const file, set->open(0));
  if (destination.as_text) {
    MO_ASSIGN(const std::string written, text(graph));
    MO_TRY(file->write(std::as_bytes(std::span(written))));
  } else {
    MO_TRY(write(graph, *file));
  }
  MO_TRY(file->close());
  return set->commit();
}

}  // namespace mo::tools
