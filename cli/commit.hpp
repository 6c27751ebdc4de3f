#pragma once

#include <string_view>

namespace mo::cli {

/// The commit that this program was built from ("1a2b3c4d5e6f", with "+" when files had changed since), or "unknown". A
/// file of its own: it changes with every commit.
std::string_view commit();

}  // namespace mo::cli
