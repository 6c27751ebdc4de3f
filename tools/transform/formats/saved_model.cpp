#include <unistd.h>

#include <filesystem>

#include "core/files/output_folder.hpp"
#include "core/files/output_set.hpp"
#include "frontends/tensorflow/graph_def/saved_model_graph.hpp"
#include "frontends/tensorflow/reader.hpp"
#include "tools/transform/formats/formats.hpp"
#include "tools/transform/formats/tensorflow.hpp"

namespace mo::tools {
namespace {

namespace fs = std::filesystem;

/// "DIR" of "DIR/" and of "DIR/saved_model.pb".
fs::path folder_of(const std::string& path) {
  fs::path folder = fs::path(path).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  std::error_code ignored;
  if (fs::is_regular_file(folder, ignored) || folder.extension() == ".pb" || folder.extension() == ".pbtxt")
    folder = folder.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

bool is_model_file(const fs::path& name) { return name == "saved_model.pb" || name == "saved_model.pbtxt"; }

Diagnostic cannot_make(const fs::path& path, const std::error_code& why) {
  return error("MO-GTT-0061", "cannot write \"{}\": {}", path.string(), why.message())
      .hint("check that the disk has room, and that you may write there");
}

/// The new folder in the making, beside its place; it vanishes unless it takes that place.
class StagedFolder {
 public:
  explicit StagedFolder(fs::path place)
      : place_(std::move(place)), path_(place_.string() + fmt::format(".tmp-{}", ::getpid())) {}
  ~StagedFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const fs::path& path() const { return path_; }

  Expected<void> make() {
    std::error_code failure;
    fs::remove_all(path_, failure);
    MO_ASSIGN(parents_, OutputFolder::create(place_.parent_path().string()));
    if (!fs::create_directory(path_, failure)) return cannot_make(path_, failure);
    return {};
  }

  /// All that the other folder holds but the graph, and a fingerprint of it.
  Expected<void> carry(const fs::path& from) {
    std::error_code failure;
    for (const fs::directory_entry& entry : fs::directory_iterator(from, failure)) {
      const fs::path name = entry.path().filename();
      if (is_model_file(name) || name == "fingerprint.pb") continue;
      fs::copy(entry.path(), path_ / name, fs::copy_options::recursive, failure);
      if (failure) return cannot_make(place_ / name, failure);
    }
    return failure ? Expected<void>(cannot_make(from, failure)) : Expected<void>();
  }

  /// The place must be free, or hold a SavedModel, which goes.
  Expected<void> commit() {
    std::error_code failure;
    const fs::path old = path_.string() + ".old";
    const bool is_there = fs::exists(place_, failure);
    if (is_there) fs::rename(place_, old, failure);
    if (!failure) fs::rename(path_, place_, failure);
    if (failure) {
      std::error_code ignored;
      if (is_there && !fs::exists(place_, ignored)) fs::rename(old, place_, ignored);
      return cannot_make(place_, failure);
    }
    fs::remove_all(old, failure);
    return parents_->keep();
  }

 private:
  std::unique_ptr<OutputFolder> parents_;  ///< goes after what is in it
  fs::path place_;
  fs::path path_;
};

Expected<void> write_graph(const Graph& graph, const fs::path& folder, bool as_text) {
  const std::string name = as_text ? "saved_model.pbtxt" : "saved_model.pb";
  MO_ASSIGN(const std::unique_ptr<OutputSet> set, OutputSet::create(folder.string(), name, {name}));
  MO_ASSIGN(OutputFile* const file, set->open(0));
  if (as_text) {
    MO_ASSIGN(const std::string text, tensorflow::saved_model_text(graph));
    MO_TRY(file->write(std::as_bytes(std::span(text))));
  } else {
    MO_TRY(tensorflow::write_saved_model(graph, *file));
  }
  MO_TRY(file->close());
  return set->commit();
}

/// Signatures say what is fed and fetched.
class SavedModelFormat final : public TensorFlowFormat<ModelFormat> {
 public:
  Expected<std::unique_ptr<Graph>> read(const ModelFiles& files, DiagnosticSink& sink) const override {
    return tensorflow::read_saved_model_graph(folder_of(files.model).string(), files.tags, sink);
  }

  Expected<void> save(const Graph& graph, const ModelFiles& files, const Destination& destination) const override {
    const fs::path from = folder_of(files.model);
    const fs::path to = folder_of(destination.path);
    std::error_code failure;
    if (fs::equivalent(from, to, failure)) {
      // One file changes, in the form that it has.
      const bool is_text = fs::exists(from / "saved_model.pbtxt", failure);
      if (destination.as_text && !is_text)
        return error("MO-GTT-0062", "\"{}\" holds saved_model.pb, which saved_model.pbtxt must not stand beside",
                     to.string())
            .hint("write into another folder, or leave out --output_as_text");
      return write_graph(graph, to, is_text);
    }
    const bool is_free = !fs::exists(to, failure) || fs::is_empty(to, failure) ||
                         fs::exists(to / "saved_model.pb", failure) || fs::exists(to / "saved_model.pbtxt", failure);
    if (!is_free)
      return error("MO-GTT-0062", "\"{}\" exists, and is not the folder of a SavedModel", to.string())
          .hint("name a folder that does not exist");
    StagedFolder staged(to);
    MO_TRY(staged.make());
    MO_TRY(write_graph(graph, staged.path(), destination.as_text));
    MO_TRY(staged.carry(from));
    return staged.commit();
  }

  Expected<std::vector<std::string>> inputs(const Graph& graph, const std::vector<std::string>& named) const override {
    return named.empty() ? tensorflow::signature_inputs(graph) : named;
  }
  Expected<std::vector<std::string>> outputs(Graph& graph, const std::vector<std::string>& named) const override {
    return named.empty() ? tensorflow::signature_outputs(graph) : named;
  }
  std::vector<std::string> kept(const Graph& graph) const override { return tensorflow::loading_nodes(graph); }

  Expected<std::unique_ptr<Graph>> linked(const Graph& graph, const std::vector<Value>& outputs,
                                          DiagnosticSink& sink) const override {
    return tensorflow::linked_saved_model(graph, outputs, sink);
  }
};

}  // namespace

std::string folder_of_saved_model(const std::string& path) { return folder_of(path).string(); }

const ModelFormat& saved_model_format() {
  static const SavedModelFormat kFormat;
  return kFormat;
}

}  // namespace mo::tools
