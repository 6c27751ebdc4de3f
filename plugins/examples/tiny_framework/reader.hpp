#pragma once

#include <mo/plugin.hpp>

namespace tiny {

/// Reads a model in the text format "tiny": one statement a line, `#` begins a comment.
///
///   input x f32 2 3         an input: name, element type, dimensions (? is unknown)
///   const k f32 3 : 1 2 3   a constant with its values
///   relu y x                an op: name of its result, its arguments, then its numbers
///   output s                an output
///
/// Nodes are dynamic ops "tiny::<op>" with the numbers as attribute "numbers"; what they mean is the extractors'
/// business. Errors: TINY-0001 (a line that is no statement), TINY-0002 (an unknown name), TINY-0003 (no output), and
/// those of files.
mo::Expected<std::unique_ptr<mo::Graph>> read(const std::string& path, const mo::Settings& settings,
                                              mo::DiagnosticSink& sink);

}  // namespace tiny
