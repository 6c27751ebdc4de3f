#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/graph/graph.hpp"

namespace mo::tensorflow {

/// What the nodes inside of the library's functions do: op -> how many nodes. Errors: MO-PB-* for a damaged library.
Expected<std::map<std::string, std::size_t>> count_library_ops(const Graph& graph);

/// Puts the nodes of a function of the library into the graph, as they stand, with `prefix` before their names;
/// `arguments` take the place of its inputs. Gives what it returns. Errors: MO-TF-0016 (there is no such function),
/// MO-TF-0012 (another number of arguments), those of reading nodes.
Expected<std::vector<Value>> put_function(Graph& graph, const std::string& name, const std::string& prefix,
                                          const std::vector<Value>& arguments);

}  // namespace mo::tensorflow
