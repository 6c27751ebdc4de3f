#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "frontends/caffe/net.hpp"
#include "frontends/caffe/weight_file.hpp"

namespace mo::caffe {

/// Letters of ASCII in lower case: types of layers are compared so.
std::string lower_case(std::string text);

/// Error MO-CAFFE-0006: only a layer that reads a blob may write it again.
Diagnostic produced_twice(TextPlace place, const std::string& blob, std::string_view first, std::string_view second);
/// Error MO-CAFFE-0007, which suggests one of the blobs that are `known`.
Diagnostic unknown_blob(const NetLayer& layer, const std::string& blob, const std::vector<std::string>& known);

/// Makes the graph of a net. What comes out is described at `read_model`.
class GraphBuilder {
 public:
  /// `weights` may be null; both outlive the builder.
  GraphBuilder(const Net& net, WeightFile* weights) : net_(net), weights_(weights), graph_(std::make_unique<Graph>()) {}

  /// Spelling of types that differ in case only: lower case -> as extractors spell them.
  std::map<std::string, std::string> spellings;

  /// Errors: MO-CAFFE-0006 (a blob with two producers), MO-CAFFE-0007 (a blob without one), MO-CAFFE-0035 (shared
  /// weights that do not fit), those of blobs.
  Expected<std::unique_ptr<Graph>> build();

  /// The layers that took weights from the file, by name.
  const std::map<std::string, TextPlace>& served() const { return served_; }
  /// Warnings: MO-CAFFE-0037 (weights that two layers take by name).
  const std::vector<Diagnostic>& remarks() const { return remarks_; }

 private:
  struct Producer {
    Value value;
    bool is_read = false;
  };
  struct Shared {
    std::string owner;
    Tensor tensor;
  };

  Expected<void> add_inputs();
  Expected<void> add_layer(const NetLayer& layer);
  Expected<std::vector<Value>> bottoms_of(const NetLayer& layer);
  Expected<std::vector<Tensor>> blobs_of(const NetLayer& layer);
  Expected<void> add_shared(const NetLayer& layer, std::vector<Tensor>& blobs);
  Expected<void> declare(const std::string& blob, const Value& value, bool in_place, TextPlace place);
  std::string spelled(const std::string& type) const;
  void find_labels();
  std::vector<std::string> known_blobs() const;

  const Net& net_;
  WeightFile* weights_;
  std::unique_ptr<Graph> graph_;
  std::map<std::string, Producer> producers_;
  std::vector<std::string> order_;      ///< blobs in the order in which they first appear
  std::map<std::string, bool> labels_;  ///< blobs of data layers that only losses and measurements read
  std::map<std::string, Shared> shared_;
  std::map<std::string, TextPlace> served_;
  std::vector<Diagnostic> remarks_;
};

}  // namespace mo::caffe
