#pragma once

#include <string>

namespace mo::tools {

/// An engine that is not ours, as `--engine NAME[@VERSION]` and `--python PATH` ask for it.
struct EngineRequest {
  std::string name;     ///< "onnxruntime", "opencv", "openvino", "tensorflow"; empty: none
  std::string version;  ///< the beginning of the required one: "2024.6"; empty: any
  std::string python;   ///< interpreter that has the engine; empty: MO_ENGINE_PYTHON, else python3

  bool is_asked_for() const { return !name.empty(); }
  bool runs_the_ir() const { return name == "openvino"; }
};

}  // namespace mo::tools
