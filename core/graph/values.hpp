#pragma once

#include <optional>
#include <vector>

#include "core/graph/graph.hpp"

/// The elements of a tensor that is known: a constant, or computed from known shapes and constants. Nothing when it is
/// unknown, not connected, no number, or has more than `most` elements.
namespace mo {

/// The type of a tensor; dynamic for an empty value.
const TensorType& type_of(const Value& value);
/// The tensor certainly has one element.
bool has_one_element(const Value& value);

inline constexpr std::int64_t kMostKnownNumbers = 4096;

std::optional<std::vector<std::int64_t>> integers_of(const Value& value, std::int64_t most = kMostKnownNumbers);
std::optional<std::vector<double>> reals_of(const Value& value, std::int64_t most = kMostKnownNumbers);

/// As above, of a constant only: what no shape of the model's inputs can change. What is made of these numbers stays
/// reshape-able.
std::optional<std::vector<std::int64_t>> constant_integers_of(const Value& value,
                                                              std::int64_t most = kMostKnownNumbers);

/// The only element of a tensor of one element, whatever its rank.
std::optional<std::int64_t> single_integer_of(const Value& value);
std::optional<double> single_real_of(const Value& value);

/// The only element of a known tensor of integers or booleans; nothing for reals.
std::optional<std::int64_t> whole_number_of(const Value& value);

/// Whether both are certainly the same numbers: the same tensor, equal integers or constants, or the same ops on the
/// same tensors. A cheap search with a budget, so "no" may mean "unknown". `behind` is asked what stands for a tensor
/// (the input of an Identity); none: itself.
bool same_tensor(const Value& a, const Value& b, Value (*behind)(Value) = nullptr);

/// The numbers are known and none of them is negative.
bool none_negative(const std::optional<std::vector<std::int64_t>>& numbers);

}  // namespace mo
