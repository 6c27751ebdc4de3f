#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::caffe {

/// What blobs are called when the layers run in this order.
///
/// A blob is what one layer makes and layers in place write over; it keeps its name as long as one of these layers
/// keeps its own, and is called like the first of them otherwise. A layer is not in place any more when what it would
/// overwrite is read later. No two blobs have one name.
class BlobNames {
 public:
  /// `order`: all nodes, what a layer reads before it.
  BlobNames(const Graph& graph, const std::vector<Node>& order);

  const std::string& of(const Value& value) const;
  /// What the blob of the test phase that was read as `name` is called now; `name` when it is gone.
  const std::string& renamed(const std::string& name) const;
  /// What is in the blob in the end; empty when there is no such blob.
  Value last(const std::string& name) const;

 private:
  struct Blob {
    std::vector<Value> written;  ///< by its layers in order
    std::string name;
  };

  void group(const std::vector<Node>& order);
  void name_blobs(const Graph& graph);
  std::string name_of_layer(const Value& value) const;
  std::string free_name(const std::string& wanted);

  std::vector<Blob> blobs_;
  std::unordered_map<ValueId, std::size_t> blob_of_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::unordered_map<std::string, std::string> renamed_;
  std::unordered_set<std::string> reserved_;
};

bool is_constant(const Node& node);
/// Whether the layer does not run in the test phase.
bool is_skipped(const Node& node);
/// The list that a node or a graph keeps under a name of keys.hpp; null when there is none.
const AttributeList* kept_list(const AttributeValue* value);
const std::vector<std::string>& kept_names(const Node& node, std::string_view key);

}  // namespace mo::caffe
