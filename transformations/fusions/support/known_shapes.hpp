#pragma once

#include <functional>
#include <unordered_map>

#include "core/rewrite.hpp"

namespace mo::transformations {

/// Shapes of the tensors of one graph with more equal dimensions than its types tell: a body does not know which
/// dimensions are the same outside.
class KnownShapes {
 public:
  /// What is known, else the shape of the tensor's type.
  const PartialShape& of(const Value& value) const;
  void set(const Value& value, PartialShape shape) { shapes_[value.id()] = std::move(shape); }
  /// The first dimensions are the same in every run.
  bool same_batch(const Value& a, const Value& b) const;

 private:
  std::unordered_map<ValueId, PartialShape> shapes_;
};

/// Shapes in the body of a Loop or a TensorIterator, given those around it. What is carried from one iteration to the
/// next keeps an equality that holds in the first one only when an iteration hands it on. Nothing is known of other
/// bodies.
Expected<KnownShapes> shapes_in_body(const Node& owner, const Graph& body, const KnownShapes& around);

/// Runs `fn` on a graph and on all bodies inside, outer ones first. Gives back whether one of them changed.
Expected<bool> for_each_graph(Graph& graph, const std::function<Expected<bool>(Graph&, KnownShapes&)>& fn);

}  // namespace mo::transformations
