#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "driver/options.hpp"
#include "tools/opt/steps.hpp"

namespace mo::tools {

/// Keeps the graph as it was before the step that runs, and writes it when that fails: a text form which says
/// itself what is left to be run.
class Reproducer {
 public:
  /// Nothing is kept when `path` is empty. `steps` outlive it.
  Reproducer(std::string path, const Options& options, std::span<const ListedStep> steps)
      : path_(std::move(path)), options_(options), steps_(steps) {}

  /// The next step is about to run.
  void begin(const Graph& graph);
  /// Writes the file and says so in `failure`. Without a path, and before the first step, that is all as it was. Error:
  /// `failure`, or of writing.
  Error fail(Error failure) const;

 private:
  std::string path_;
  const Options& options_;
  std::span<const ListedStep> steps_;
  std::size_t begun_ = 0;
  std::unique_ptr<Graph> graph_;
};

/// What a reproducer says of itself: the words of its options, and its pass list.
struct Replay {
  std::vector<std::string> options;
  std::string passes;
};

/// Reads what a Reproducer wrote before the text form. Nothing for any other file.
std::optional<Replay> replay_of(const std::string& path);

}  // namespace mo::tools
