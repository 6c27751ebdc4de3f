#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/common/subcommand.hpp"

namespace mo::documents {

/// mo(1), from the option table.
std::string man_page(std::span<const tools::Subcommand> subcommands);

/// The page of another program in the package, which says what its help text does.
std::string man_page_of(std::string_view program, std::string_view purpose, std::string_view help);

}  // namespace mo::documents
