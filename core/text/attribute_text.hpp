#pragma once

#include <string>

namespace mo {

class AttributeValue;

/// One attribute as the text form of a graph has it; large tensors as `elided(…)`, a graph as the word `graph`.
std::string attribute_text(const AttributeValue& value);

}  // namespace mo
