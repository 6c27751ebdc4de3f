#pragma once

#include "core/graph/graph.hpp"
#include "tools/test/case.hpp"

namespace mo::test {

/// Replaces the body of a section in its file: what MO_GOLDEN_UPDATE=1 in the environment asks for. The author looks at
/// the difference.
void update_section(const std::string& path, const Section& section, const std::string& body);

/// A case that begins with `--- pbtxt` (a TensorFlow GraphDef in protobuf text) or `--- prototxt` (a Caffe net that
/// holds its weights itself): it is read, extracted, taken through all front passes and inferred, as in a conversion;
/// the other sections look at what came out. `--- front` is the graph in text form; with MO_GOLDEN_UPDATE=1 in the
/// environment a section that differs is rewritten in the file.
std::string run_pbtxt_case(const TestFile& file, const Case& test);

// Checks of single sections, shared by both kinds of cases; empty when they pass.
std::string check_types(const Graph& graph, const Section& section);
std::string check_known_values(const Graph& graph, const Section& section);
std::string check_numbers(const Graph& graph, const std::vector<std::string>& parameters, const Section& section);
std::string check_diagnostics(const Error& error, const Section& section);
/// The whole graph as text: equal for equal graphs.
std::string canonical(const Graph& graph);
std::string text_of_error(const Error& error);

}  // namespace mo::test
