#pragma once

#include "core/attributes/attribute_value.hpp"
#include "ir_emitter/xml_stream.hpp"

namespace mo::ir_emitter {

/// Writes the conversion metadata of a net: <rt_info> for v11. For v10 <meta_data> with what its readers know there,
/// and <rt_info> beside it with the rest, which they skip. Error MO-CORE-0012 for a value that cannot be written as
/// text.
Expected<void> write_meta_data(XmlStream& out, const AttributeMap& info, int ir_version, unsigned depth);

}  // namespace mo::ir_emitter
