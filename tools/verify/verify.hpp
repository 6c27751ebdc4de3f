#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/options.hpp"
#include "tools/verify/check.hpp"
#include "tools/verify/engine_request.hpp"
#include "tools/verify/sizes.hpp"

namespace mo {
struct Conversion;  // driver/conversion.hpp
struct ModelGraph;  // driver/model_graph.hpp
}  // namespace mo

namespace mo::tools {

/// What is to be compared.
struct VerifyRequest {
  Options source;  ///< the model, and how it is read and converted
  /// an IR, or another model; empty: what a conversion of the source writes
  std::string checked;
  std::string weights;  ///< of `checked`, when that is an IR: the .bin; empty: beside the .xml
  /// folder with true values; empty: they are computed by running the source
  std::string reference;
  /// that computes the source, or the IR, instead of our executor; may be none
  EngineRequest engine;
  std::vector<std::string> arrays;  ///< [NAME=]SOURCE for inputs; empty: random numbers
  unsigned seed = 1;                ///< of the first random numbers
  unsigned seeds = 1;               ///< as many times, with a seed more each time
  std::optional<double> relative;   ///< of Closeness, for all element types
  std::optional<double> absolute;
  bool bisect = false;    ///< find the pass after which the numbers differ
  bool portable = false;  ///< without accelerated kernels
  /// the source was converted a moment ago: what that had to say is not said again
  bool converted_before = false;
  /// Is shown the source as it was read, before the first pass. May be absent.
  std::function<void(Conversion& conversion)> read = {};
  /// Is shown both models when they are there, before they run; the source has known ops then. May be absent.
  std::function<void(const ModelGraph& source, const ModelGraph& checked)> show = {};
};

/// The pass after which a conversion of the source does not compute the same any more.
struct GuiltyPass {
  enum class When {
    before,  ///< what was read is wrong before any pass changed it: reading, extraction or translation
    during,  ///< the pass of that name
    /// the graph in memory is right to the end: the file is wrong, or belongs to another conversion
    after,
    engine,  ///< our executor computes the IR as the model: only the engine, or its idea of an op, differs
  };
  When when = When::during;
  std::string name = {};
  std::size_t runs = 0;                  ///< conversions that it took to find it
  std::optional<LayerCheck> layer = {};  ///< where the values differ after it
};

/// What came out.
struct Verification {
  Verdict verdict = Verdict::equal;
  std::string source;
  std::string checked;
  std::string engine;           ///< "ONNX Runtime 1.22.0"; empty: our executor has computed both
  bool engine_runs_ir = false;  ///< else the source
  /// in place of unknown ones, of each comparison that had others than the one before
  std::vector<ChosenSizes> sizes;
  std::vector<unsigned> seeds;  ///< that were compared; it ends after the first one that differs
  Check check;                  ///< of the last seed, or of the worst one
  /// that made or changed the layer that differs, in order; of conversions only
  std::vector<std::string> layer_passes;
  std::optional<GuiltyPass> guilty;
};

/// Errors: those of reading, converting and running, MO-VERIFY-0002 to -0006, of engines -0008 to -0013. A difference
/// is not an error here.
Expected<Verification> carry_out(const VerifyRequest& request, DiagnosticSink& sink);

}  // namespace mo::tools
