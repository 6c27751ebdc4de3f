// The scanner of protobuf's wire form: every field of every message, whatever its bytes could mean.
#include "frontends/common/wire.hpp"

#include "fuzz/harness/check.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {
namespace {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;
using frontends::WireType;

void read_all(WireSource& source, std::uint64_t offset, std::uint64_t size, int depth) {
  WireReader reader(source, offset, size);
  WireField field;
  for (;;) {
    const auto more = reader.next(field);
    if (!done_or_explained(more) || !*more) return;
    require(field.offset >= offset && field.offset - offset <= size && field.size <= size - (field.offset - offset),
            "a field lies outside of its message");
    require(field.number != 0, "field 0");
    if (field.type == WireType::bytes && depth < 8) read_all(source, field.offset, field.size, depth + 1);
  }
}

}  // namespace

void run_wire(std::string_view input) {
  auto buffer = frontends::copy_to_buffer(input);
  if (!done_or_explained(buffer)) return;
  WireSource source(*std::move(buffer), "input");
  read_all(source, 0, source.size(), 0);
}

}  // namespace mo::fuzz
