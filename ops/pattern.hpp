#pragma once

#include "core/pattern/pattern.hpp"
#include "ops/clamp.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

/// Arithmetic that builds patterns: `x * relu(x + 3) / 6`. A number stands for a constant whose elements all equal it.
namespace mo::pattern {

// clang-format off
template <class T> concept Operand = std::is_same_v<T, Pat> || std::is_arithmetic_v<T>;
template <class A, class B> concept PatternPair = Operand<A> && Operand<B> && (std::is_same_v<A, Pat> || std::is_same_v<B, Pat>);

inline Pat to_pat(const Pat& p) { return p; }
inline Pat to_pat(double value) { return constant(value); }

template <class A, class B> requires PatternPair<A, B> Pat operator+(const A& a, const B& b) { return op<ops::Add>(to_pat(a), to_pat(b)); }
template <class A, class B> requires PatternPair<A, B> Pat operator-(const A& a, const B& b) { return op<ops::Subtract>(to_pat(a), to_pat(b)); }
template <class A, class B> requires PatternPair<A, B> Pat operator*(const A& a, const B& b) { return op<ops::Multiply>(to_pat(a), to_pat(b)); }
template <class A, class B> requires PatternPair<A, B> Pat operator/(const A& a, const B& b) { return op<ops::Divide>(to_pat(a), to_pat(b)); }
template <class A, class B> requires PatternPair<A, B> Pat min(const A& a, const B& b) { return op<ops::Minimum>(to_pat(a), to_pat(b)); }
template <class A, class B> requires PatternPair<A, B> Pat max(const A& a, const B& b) { return op<ops::Maximum>(to_pat(a), to_pat(b)); }
template <class A, class B> requires PatternPair<A, B> Pat pow(const A& a, const B& b) { return op<ops::Power>(to_pat(a), to_pat(b)); }
inline Pat relu(const Pat& x) { return op<ops::ReLU>(x); }
inline Pat sigmoid(const Pat& x) { return op<ops::Sigmoid>(x); }
inline Pat tanh(const Pat& x) { return op<ops::Tanh>(x); }
inline Pat sqrt(const Pat& x) { return op<ops::Sqrt>(x); }
inline Pat exp(const Pat& x) { return op<ops::Exp>(x); }
inline Pat clamp(const Pat& x, double low, double high) { return op(ops::Clamp{.min = low, .max = high}, x); }
// clang-format on

}  // namespace mo::pattern
