#include "tools/opt/reproducer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/files/file.hpp"
#include "core/text/printer.hpp"
#include "tools/common/write_file.hpp"

namespace mo::tools {
namespace {

constexpr std::string_view kOptions = "# options: ";
constexpr std::string_view kPasses = "# passes: ";

/// Options that say where the model is: the text form is the model now.
constexpr std::string_view kOfModel[] = {"framework",        "input_model",     "input_proto",     "input_meta_graph",
                                         "input_checkpoint", "saved_model_dir", "saved_model_tags"};

nlohmann::json words_of(const Options& options) {
  nlohmann::json words = nlohmann::json::array();
  for (const GivenOption& given : options.given)
    if (std::find(std::begin(kOfModel), std::end(kOfModel), given.name) == std::end(kOfModel))
      words.push_back(fmt::format("--{}={}", given.name, given.text));
  return words;
}

/// The first lines of a file; empty when it cannot be read.
std::string beginning_of(const std::string& path, std::uint64_t most) {
  const auto file = File::open(path);
  if (!file) return {};
  std::string text(std::min((*file)->size(), most), '\0');
  const auto read = (*file)->read(0, std::as_writable_bytes(std::span(text.data(), text.size())));
  return read ? text : std::string();
}

}  // namespace

void Reproducer::begin(const Graph& graph) {
  ++begun_;
  if (!path_.empty()) graph_ = graph.clone();
}

Error Reproducer::fail(Error failure) const {
  if (path_.empty() || !graph_) return failure;
  std::string passes;
  for (const ListedStep& step : steps_.subspan(begun_ - 1)) passes += (passes.empty() ? "" : " ") + step.text;
  std::replace(passes.begin(), passes.end(), '\n', ' ');
  const std::string text = fmt::format("{}{}\n{}{}\n{}", kOptions, words_of(options_).dump(), kPasses, passes,
                                       to_text(*graph_, {.complete = true}));
  if (const auto written = write_file(path_, text); !written) return written.error();
  failure.items().front().add_note(
      fmt::format("the graph before {} and the passes from there on are in {}: mo opt "
                  "{}",
                  steps_[begun_ - 1].text, path_, path_));
  return failure;
}

std::optional<Replay> replay_of(const std::string& path) {
  const std::string text = beginning_of(path, 1 << 20);
  if (!text.starts_with(kOptions)) return std::nullopt;
  const auto line = [&](std::string_view key) {
    const std::size_t at = text.find(key);
    if (at == std::string::npos) return std::string();
    const std::size_t start = at + key.size();
    return text.substr(start, text.find('\n', start) - start);
  };
  const auto words = nlohmann::json::parse(line(kOptions), nullptr, /*allow_exceptions=*/false);
  if (!words.is_array()) return std::nullopt;
  Replay replay;
  for (const nlohmann::json& word : words)
    if (word.is_string()) replay.options.push_back(word.get<std::string>());
  replay.passes = line(kPasses);
  return replay;
}

}  // namespace mo::tools
