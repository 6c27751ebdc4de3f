#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/pass/pass.hpp"

namespace mo::phases {

/// A place in the graph, as the user may have meant it; the first reading that names something is taken.
struct PlaceReading {
  std::string name;             ///< of a node or of a tensor
  std::optional<int> in_port;   ///< the tensor that this input port of the node reads
  std::optional<int> out_port;  ///< this output port of the node
};

struct Place {
  std::string text;                    ///< as written, for messages
  std::vector<PlaceReading> readings;  ///< in the order in which they are tried
};

/// An input that the user asked for: a cut, or a change of an input that is there.
struct InputCut {
  Place place;
  std::optional<PartialShape> shape;
  std::optional<ElementType> element_type;
  /// The input becomes this constant: numbers as written, a list or a single one.
  std::optional<std::vector<std::string>> value;
  bool value_is_list = false;
};

/// Pass "OutputCut": only these tensors are results; what they do not need is removed. Nothing happens for an empty list.
/// Errors: MO-CUT-0001 (no such node or tensor, with the nearest names), MO-CUT-0002 (no such port).
Pass output_cut(std::vector<Place> outputs);

/// A pass of the given name (the driver has "InputCut" and then "FreezeInputs"): new Parameters at these places, named `<node>/placeholder_port_<p>` and `<node>/placeholder_out_port_<p>`; inputs that are
/// there get shapes, types or values. Errors: MO-CUT-0001, MO-CUT-0002, MO-CUT-0003 (a node with several inputs and no port),
/// MO-CUT-0004 (shapes without names but several inputs, or another number of shapes than inputs), MO-CUT-0005 (a value that does not fit).
Pass input_cut(std::string name, std::vector<InputCut> inputs, std::vector<PartialShape> shapes);

}  // namespace mo::phases
