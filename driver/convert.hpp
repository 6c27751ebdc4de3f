#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/expected.hpp"
#include "core/files/memory_file.hpp"
#include "driver/options.hpp"

namespace mo {

struct ConversionWatch;  // driver/conversion.hpp

/// What a conversion made.
struct Report {
  std::string xml_path;    ///< empty when nothing was to be written (Options::converts() is false)
  std::string bin_path;    ///< as xml_path
  int ir_version = 0;      ///< 10 or 11
  std::size_t layers = 0;  ///< layers of the main graph, as the `.xml` counts them
  std::uint64_t xml_bytes = 0;
  std::uint64_t bin_bytes = 0;
  /// The IR itself, with Options::keeps_in_memory; the paths are empty then.
  std::shared_ptr<const MemoryFile> xml = {};
  std::shared_ptr<const MemoryFile> bin = {};
  /// the files that were read, sorted: model, weights, configurations, plugins
  std::vector<std::string> inputs = {};
  /// instead of an IR, with Options::to_onnx
  std::string onnx_path = {};
  std::int64_t onnx_opset = 0;
  std::uint64_t onnx_bytes = 0;
  std::string onnx_data_path = {};  ///< the file beside it that holds its weights; empty: there is none
  std::uint64_t onnx_data_bytes = 0;
  std::string oldest_runtime = {};  ///< that reads the IR: "2022.1"
  /// What the user asked to see (the pipeline, a list of ops, the time of passes) and what else was made or chosen,
  /// line by line: to be printed as it is.
  std::string text = {};
};

/// Is told how far the conversion got.
struct ProgressSink {
  virtual ~ProgressSink() = default;
  /// `share` of the work is done, from 0 to 1, which never decreases; `step` names what is being done now ("reading", a
  /// pass, "writing").
  virtual void step(double share, std::string_view step) = 0;
};

/// Converts one model, from the file to the `.xml` and `.bin` files.
///
/// Everything that is no failure goes to `sink`, while it happens: warnings and notes. On an error no file or folder is
/// left, and an earlier IR of the same name is untouched. No file that the conversion read is ever replaced. Prints
/// nothing and throws nothing (but std::bad_alloc where there is no memory even for beginning). Calls are independent
/// of each other, also in several threads. What one may use is bounded (`Options::budget`): beyond it, when it is
/// cancelled, and when memory is short, the error is one of MO-LIMIT-0001 to MO-LIMIT-0006. `watch` outlives the call;
/// may be absent.
Expected<Report> convert(const Options& options, DiagnosticSink& sink, ProgressSink* progress = nullptr,
                         const ConversionWatch* watch = nullptr);

}  // namespace mo
