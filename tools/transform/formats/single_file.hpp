#pragma once

#include <set>

#include "core/files/output_file.hpp"
#include "tools/transform/model_format.hpp"

namespace mo::tools {

/// A model that is one file, which may refer to others.
class SingleFileFormat : public ModelFormat {
 public:
  Expected<void> save(const Graph& graph, const ModelFiles& files, const Destination& destination) const override;

 protected:
  virtual Expected<void> write(const Graph& graph, OutputFile& file) const = 0;
  virtual Expected<std::string> text(const Graph& graph) const = 0;
  /// Files beside the model that it refers to by names, relative to its folder.
  virtual std::set<std::string> companions(const Graph&) const { return {}; }
};

}  // namespace mo::tools
