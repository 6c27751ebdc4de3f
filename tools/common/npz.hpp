#pragma once

#include <string>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo::tools {

/// The arrays of a numpy archive (numpy.savez, also compressed), by name, in its order. Errors: MO-IO-000x (file),
/// MO-NPY-0007 (no archive, or a damaged one).
Expected<std::vector<std::string>> names_in_npz(const std::string& path);

/// One array of the archive. Errors: as above, MO-NPY-0008 (no array of that name), those of read_npy.
Expected<Tensor> read_npz(const std::string& path, const std::string& name);

}  // namespace mo::tools
