#include "tools/transform/formats/single_file.hpp"

#include <filesystem>

#include "core/files/output_set.hpp"

namespace mo::tools {
namespace {

namespace fs = std::filesystem;

/// Files that the model refers to, beside the new model as well: they are copied where they are not there. What is
/// copied vanishes unless all goes well.
class Companions {
 public:
  Companions() = default;
  Companions(const Companions&) = delete;
  Companions& operator=(const Companions&) = delete;
  ~Companions() {
    std::error_code ignored;
    for (const fs::path& path : copied_) fs::remove(path, ignored);
  }

  /// Error MO-GTT-0056: another file of that name is there, or it cannot be copied.
  Expected<void> bring(const std::set<std::string>& names, const fs::path& in, const fs::path& out) {
    for (const std::string& name : names) {
      std::error_code failure;
      const fs::path here = in.parent_path() / name;
      const fs::path there = out.parent_path() / name;
      if (fs::exists(there, failure) && fs::file_size(there, failure) == fs::file_size(here, failure)) continue;
      if (fs::exists(there, failure))
        return error("MO-GTT-0056", "the tensors in \"{}\" are not those of the other file \"{}\"", here.string(),
                     there.string())
            .hint("write the model into a folder of its own");
      fs::create_directories(there.parent_path().empty() ? "." : there.parent_path(), failure);
      if (!fs::copy_file(here, there, failure))
        return error("MO-GTT-0056", "cannot copy the tensors in \"{}\" to \"{}\": {}", here.string(), there.string(),
                     failure.message())
            .hint("check that the disk has room, and that you may write there");
      copied_.push_back(there);
    }
    return {};
  }
  void keep() { copied_.clear(); }

 private:
  std::vector<fs::path> copied_;
};

}  // namespace

/// What is written goes to a temporary place, which takes the name of the file at the end.
Expected<void> SingleFileFormat::save(const Graph& graph, const ModelFiles& files,
                                      const Destination& destination) const {
  const fs::path path = destination.path;
  Companions beside;
  MO_TRY(beside.bring(companions(graph), files.model, path));
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
  MO_TRY(set->commit());
  beside.keep();
  return {};
}

}  // namespace mo::tools
