#pragma once

#include <string>
#include <vector>

#include "tools/reduce/model_form.hpp"

namespace mo::tools {

/// Values of the same type and shape that do not reveal the original: reals from -1 to 1, whole numbers 0 or 1, the
/// same for the same seed.
Expected<Tensor> noise_like(const Tensor& original, unsigned seed);

/// Calls nodes n0, n1 … and tensors t0, t1 …, inside of bodies too; forgets what nodes stand for.
void forget_names(Graph& graph);

/// What of `original` still stands in the bytes of a file: names of nodes and tensors, except those of one letter or
/// two, and runs of 16 bytes of its constants. Names of ops and attributes are not secret. Errors: of loading the
/// constants.
Expected<std::vector<std::string>> leaks_of(const Graph& original, const ModelForm& form, const Graph& reduced,
                                            const std::string& written);

}  // namespace mo::tools
