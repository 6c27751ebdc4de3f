#pragma once

#include <memory>
#include <string>

#include "core/graph/graph.hpp"
#include "driver/conversion.hpp"
#include "driver/options.hpp"

namespace mo {

/// How far the model of a framework is taken on the way to an IR. An IR and a text form are what they are.
enum class ModelStage {
  read,       ///< what the file says: the framework's nodes, linked
  inferred,   ///< known ops with types, in the layout of the model: inputs and outputs cut, nothing fused
  converted,  ///< what a conversion would write
};

/// What a model was read from.
enum class ModelSource { framework, ir, text };

/// A model in memory, for tools that look at it or change it.
struct ModelGraph {
  std::unique_ptr<Assembly> assembly;  ///< ops, passes and plugins; outlives the graph
  std::unique_ptr<Graph> graph;        ///< with types, except for ModelStage::read
  ModelSource source = ModelSource::framework;
};

struct LoadOptions {
  ModelStage stage = ModelStage::converted;
  std::string weights = {};    ///< of an IR: the .bin; empty: beside the .xml
  bool check_weights = false;  ///< of an IR: that the .bin is the one that the .xml was written with
  ConversionWatch watch = {};  ///< of a framework's model; nothing is written
};

/// Reads the model that the options name: an IR (.xml), a text form (a file that begins with `graph`), or whatever a
/// conversion reads. Errors: of the readers, of the phases that run, MO-IR-… , MO-TEXT-0001.
Expected<ModelGraph> load_model(const Options& options, const LoadOptions& how, DiagnosticSink& sink);

}  // namespace mo
