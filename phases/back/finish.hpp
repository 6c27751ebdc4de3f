#pragma once

#include "core/pass/pass.hpp"

namespace mo::phases {

/// Pass "CompressToFp16" (setting `compress_to_fp16`): f32 and f64 constants become f16. IR v11: each is followed by a
/// Convert marked as decompression, everything else stays. IR v10: the whole model computes in f16, inputs included.
/// Constants that take part in shape computations stay. Warning MO-HALF-0001 for each constant with values beyond the
/// range of f16, which are clipped, and MO-HALF-0002 for one with values that become zero where it matters.
Pass compress_to_fp16();

/// Pass "DeadCodeElimination" (middle): removes what no Result needs.
Pass dead_code_elimination();

/// Pass "FinalInference": infers everything once more; where inputs of an op came to differ in element type (constants
/// of another precision), a Convert is put in.
Pass final_inference();

/// Pass "CheckTarget": IR v10 knows op sets up to 7 and static dimensions only, a runtime that was asked for its own op
/// sets. Errors: MO-BACK-0001 (ops of newer op sets, all of them; without a wish, note MO-BACK-0005 says which is the
/// oldest runtime that reads the IR), MO-BACK-0008 (strings), MO-BACK-0013 (states of unknown size), MO-BACK-0002
/// (dynamic dimensions), MO-BACK-0003 (a tensor of unknown element type, which no IR can carry), MO-BACK-0004 (v10: an
/// input or output without elements).
Pass check_target();

/// Pass "UniqueNames": gives nodes without a name one made of what they stand for, and makes names unique in each
/// graph.
Pass unique_names();

}  // namespace mo::phases
