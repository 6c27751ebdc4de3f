#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/files/file.hpp"

namespace mo::frontends {

/// What a file or folder given as a model is, judged by its content alone: suffixes are unreliable.
enum class ModelKind {
  unknown,  ///< nothing that is known for certain
  // Models that frontends read.
  onnx,
  onnx_text,
  tensorflow_graph,
  tensorflow_graph_text,
  tensorflow_meta_graph,
  tensorflow_meta_graph_text,
  saved_model,         ///< the file saved_model.pb
  saved_model_text,    ///< saved_model.pbtxt
  saved_model_folder,  ///< the folder of either
  caffe_weights,
  caffe_topology,
  // Parts and companions of models.
  tensorflow_checkpoint,         ///< the .index of a checkpoint, or a checkpoint of the first version
  tensorflow_checkpoint_record,  ///< the file "checkpoint", which names checkpoints
  caffe_solver,
  caffe_solver_state,
  caffe_mean_image,
  pipeline_config,  ///< of the Object Detection API
  label_map,
  onnx_tensor,
  safetensors,
  json,
  numpy_array,
  // Models of other tools.
  openvino_ir,
  keras_hdf5,
  keras_weights,  ///< an HDF5 file without the description of a network
  keras_archive,
  pytorch,
  torchscript,
  torch_export,  ///< an ExportedProgram: .pt2
  tensorflow_lite,
  tensorflow_js,
  paddle,
  mxnet_symbol,
  mxnet_parameters,
  kaldi,
  darknet,
  coreml,
  gguf,
  onnx_runtime,
  tensorrt,
  ncnn,
  pickle,
  // Folders that are no SavedModel.
  hugging_face_folder,
  coreml_folder,
  checkpoint_folder,
  folder,
  // Packed.
  zip,
  gzip,
  bzip2,
  xz,
  zstd,
  seven_zip,
  tar,
  // No models.
  server_answer,  ///< what a server says in place of the file: "404: Not Found", JSON with an error
  program,
  pdf,
  png,
  jpeg,
};

/// For sentences: "an ONNX model". Empty for `unknown`.
std::string_view title(ModelKind kind);

/// The framework whose frontend reads it ("onnx", "tf", "caffe"); empty when none does.
std::string_view framework_of(ModelKind kind);

bool is_archive(ModelKind kind);

/// What the file is. Reads the beginning, of a zip archive its list too, and of a protobuf message the heads of its
/// first fields; never more than about 200 KB, whatever the size. A file that cannot be read, or is none of the above
/// for certain, is `unknown`.
ModelKind kind_of(const FilePtr& file);

/// The same for a path, which may be a folder.
ModelKind kind_of_path(const std::string& path);

/// Files of a folder that may be models (their suffixes say so), sorted; at most `limit` of them.
std::vector<std::string> models_in_folder(const std::string& folder, std::size_t limit);

}  // namespace mo::frontends
