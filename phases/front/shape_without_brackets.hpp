#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace mo::phases {

/// The value of --input with its shapes in brackets, where they were written after ':' or '=': "x:1,3,64,64" and
/// "x=1x3x64x64" become "x[1,3,64,64]". A single number after ':' is a port. Returns an empty string
/// when no shape is written like this. `name_of`: the name of an input for what was written.
std::string with_brackets(std::string_view input, const std::function<std::string(const std::string&)>& name_of);

}  // namespace mo::phases
