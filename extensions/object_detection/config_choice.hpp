#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extensions/config/descriptor.hpp"

namespace mo::object_detection {

/// Whether the graph has a name that some configuration of `mo` starts from. Cheap: most models are not detectors.
bool may_be_detector(Graph& graph);

/// A configuration that comes with `mo`, and what is wrong with it for the model.
struct ConfigFit {
  std::string_view name;  ///< "ssd_v2_support.json"
  /// all of its places are there, but numbers do not fit (classes of a YOLO); empty otherwise
  std::string problem;
};

/// Configurations that fit the graph, best first: all places that they name are there. Versions of an exporter share
/// names, so the structure decides then: whether what a configuration replaces holds the conversion of scores, when
/// boxes are clipped, which of several loops is the last. `by_heads` also takes configurations that name no place, by
/// the channels of the model's only output (YOLO v1 and v2): a guess that is right for detectors only. The graph has
/// been read and linked, and nothing of it replaced.
std::vector<ConfigFit> fitting_configs(Graph& graph, bool by_heads);

/// What descriptors for detectors name and the graph lacks, in words; empty when they fit. Outputs count unless the
/// user chose others.
std::vector<std::string> missing_places(const std::vector<config::Descriptor>& descriptors, Graph& graph,
                                        bool with_outputs);

}  // namespace mo::object_detection
