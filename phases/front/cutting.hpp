#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/pass/pass.hpp"
#include "phases/front/name_index.hpp"

namespace mo::phases {

/// Whose rules hold for what --input and --output mean, and for the names of what they make: those of the original of
/// the IR's version (2021.4 for IR version 10, 2024.6 for version 11).
enum class CutNames {
  caffe,      ///< both originals: outputs are called after layers, `--input LAYER` cuts before the layer; the tensor
              ///< is "0:LAYER"
  onnx_2021,  ///< as Caffe; an output that is named by its tensor is called after it
  onnx_2024,  ///< tensors go before nodes, outputs and cut inputs are called after tensors
  tensorflow_2021,  ///< as Caffe; outputs as the reader calls them
  /// outputs as the reader calls them; `--input NODE` is the output of the node, inputs are called as they are written
  tensorflow_2024,
};

/// Infers a whole model as far as that is possible; what fails stays without a type.
using TypeInference = std::function<void(Graph&)>;

/// An input that the user asked for: a cut, or a change of an input that is there.
struct InputCut {
  Place place;
  std::optional<PartialShape> shape;
  std::optional<ElementType> element_type;
  /// The input becomes this constant: numbers as written, a list or a single one.
  std::optional<std::vector<std::string>> value;
  bool value_is_list = false;
};

/// Pass "OutputCut": only these tensors are results; what they do not need is removed. Nothing happens for an empty
/// list. Errors: MO-CUT-0001 (no such node or tensor, with the nearest names), MO-CUT-0002 (no such port). Warning
/// MO-CUT-0006 (two things of that name).
Pass output_cut(std::vector<Place> outputs, CutNames names = CutNames::caffe);

/// A pass of the given name (the driver has "InputCut" and then "FreezeInputs"): new Parameters at these places, named
/// `<node>/placeholder_port_<p>` and `<node>/placeholder_out_port_<p>` unless `names` says otherwise; they have the
/// shape and type of the tensor that they stand for, as `infer` finds them (f32 where it does not). Inputs that are
/// there get shapes, types or values. Errors: MO-CUT-0001, MO-CUT-0002, MO-CUT-0003 (a node with several inputs and no
/// port), MO-CUT-0004 (shapes without names but several inputs, or another number of shapes than inputs), MO-CUT-0005
/// (a value that does not fit). Warning MO-CUT-0006.
Pass input_cut(std::string name, std::vector<InputCut> inputs, std::vector<PartialShape> shapes,
               CutNames names = CutNames::caffe, TypeInference infer = {});

}  // namespace mo::phases
