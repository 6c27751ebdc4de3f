#pragma once

#include <string>

namespace mo {

/// A form of known ops that is valid by the specification and that some releases of the runtime compute wrongly, or do
/// not load. `first` and `last` come from probing: tests/peers/faults has an IR for each fault, and
/// tests/peers/probe_faults.py compares these two fields with what the installed releases compute.
struct RuntimeFault {
  std::string form;     ///< algebra or words: "Divide of integers that rounds down, where an operand may be negative"
  std::string symptom;  ///< "the quotient is truncated"
  std::string first;    ///< oldest of the supported releases that has the fault: "2021.4"
  std::string last;     ///< newest release that has it; "latest" when no release has mended it
  std::string replacement;  ///< what is written instead: "Divide, Multiply, Select"
};

}  // namespace mo
