#include "core/pass/replacement.hpp"

namespace mo {

Replacement::Replacement(const Value& value) : outputs_(Outputs{value}) {}
Replacement::Replacement(Outputs outputs) : outputs_(std::move(outputs)) {}
Replacement::Replacement(Declined declined) : reason_(declined.reason) {}
Replacement::Replacement(Diagnostic diagnostic) : error_(std::move(diagnostic)) {}
Replacement::Replacement(Error error) : error_(std::move(error)) {}
Replacement::Replacement() = default;
Replacement::Replacement(const Replacement& other) = default;
Replacement::Replacement(Replacement&& other) noexcept = default;
Replacement& Replacement::operator=(const Replacement& other) = default;
Replacement& Replacement::operator=(Replacement&& other) noexcept = default;
Replacement::~Replacement() = default;

}  // namespace mo
