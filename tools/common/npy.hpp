#pragma once

#include <string>

#include "core/files/output_file.hpp"
#include "core/tensor/tensor.hpp"

namespace mo::tools {

/// Reads a numpy array file: format versions 1, 2 and 3, little-endian numbers and booleans, C or Fortran order (the
/// tensor is row-major either way). Strict: the file holds exactly what its header announces. Nothing is allocated
/// before the file was seen to be large enough. Errors: MO-IO-000x (file), MO-NPY-0001 (no such file format), -0002
/// (header), -0003 (element type), -0004 (size).
Expected<Tensor> read_npy(const std::string& path);
/// The same of a file that is open; errors without its path.
Expected<Tensor> read_npy(const File& file);

/// Writes format version 1. Types that numpy lacks are widened: bf16 and reals of at most 8 bits to f4, i4 to i1, u1 …
/// u6 to u1. Errors: MO-EMIT-0001 (cannot write), MO-NPY-0006 (strings).
Expected<void> write_npy(OutputFile& file, const Tensor& tensor);

}  // namespace mo::tools
