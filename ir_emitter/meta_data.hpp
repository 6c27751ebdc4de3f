#pragma once

#include "core/attributes/attribute_value.hpp"
#include "ir_emitter/xml_stream.hpp"

namespace mo::ir_emitter {

/// Writes what a net says about its making: <rt_info> for v11, <meta_data> for v10. Error MO-CORE-0012 for a value without a text.
Expected<void> write_meta_data(XmlStream& out, const AttributeMap& info, int ir_version, unsigned depth);

}  // namespace mo::ir_emitter
