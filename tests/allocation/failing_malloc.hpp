#pragma once

#include <cstdint>

/// The allocator of this program, which can be told to fail. Operator new of libstdc++, the C library and all libraries
/// go through it.
namespace mo::test {

/// From now on allocation number `first` of this process (counted from 0) and the `count` - 1 after it fail.
void fail_allocations(std::uint64_t first, std::uint64_t count);
/// Nothing fails any more; how many allocations there were since `fail_allocations`.
std::uint64_t stop_failing();

}  // namespace mo::test
