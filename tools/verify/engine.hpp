#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.hpp"
#include "tools/common/temporary_folder.hpp"
#include "tools/common/worker.hpp"
#include "tools/verify/engine_request.hpp"

namespace mo::tools {

/// Understands NAME[@VERSION]. Error MO-VERIFY-0007.
Expected<EngineRequest> parse_engine(const std::string& text);

/// The engine that computes models of a framework ("onnx", "tf", "caffe") themselves; empty when there is none.
std::string_view engine_of(std::string_view framework);

/// A tensor that an engine takes or gives, with every name that it is known by there.
struct EngineTensor {
  std::vector<std::string> names;
  Tensor value;
};

/// What an engine is to compute.
struct EngineJob {
  std::string model;    ///< a file, or the folder of a SavedModel
  std::string weights;  ///< of an IR (empty: beside it), or the .caffemodel
  std::string checkpoint;
  std::vector<std::string> tags;
  std::string signature;
  std::vector<EngineTensor> inputs;
  bool by_name_only = true;          ///< inputs belong together by name, never by order
  std::vector<std::string> tensors;  ///< wanted beside the outputs, by any of their names
};

/// What it computed. Values that no array can hold are left out.
struct EngineRun {
  std::vector<EngineTensor> outputs;  ///< of the model, in its order; a frozen graph of TensorFlow has none
  std::vector<EngineTensor> tensors;  ///< those that were requested and exist
};

/// A worker program of share/mo/engines in a Python that has the engine. Whatever the engine does is an error, never
/// ours.
class Engine {
 public:
  /// Errors: MO-VERIFY-0008 (Python, engine or version is not there), -0009 to -0011 (it does not start).
  static Expected<std::unique_ptr<Engine>> start(const EngineRequest& request);

  /// Errors: MO-VERIFY-0009 (it crashed), -0010 (it hung), -0011 (it answered nonsense), -0012 (it does not read,
  /// compile or compute the model).
  Expected<EngineRun> run(const EngineJob& job);
  /// Lets the package of the format judge a model (engine "onnx"). Errors: as `run`; MO-VERIFY-0016 (it is not valid).
  Expected<void> check(const std::string& model);

  bool is_running() const { return worker_->is_running(); }
  const std::string& title() const { return title_; }  ///< "ONNX Runtime 1.22.0"

 private:
  Engine(std::unique_ptr<Worker> worker, std::unique_ptr<TemporaryFolder> folder, std::string title);
  Error died(const WorkerReply& reply, const std::string& step) const;
  /// Sends a job, and waits for what comes after its steps. Errors: as `run`, but for -0012.
  Expected<nlohmann::ordered_json> answer(const nlohmann::ordered_json& job);

  std::unique_ptr<Worker> worker_;
  std::unique_ptr<TemporaryFolder> folder_;  ///< of arrays
  std::string title_;
  std::size_t runs_ = 0;
};

}  // namespace mo::tools
