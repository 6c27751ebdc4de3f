#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/diagnostics/assert.hpp"
#include "core/diagnostics/diagnostic.hpp"

namespace mo {

/// Why something failed: one or more diagnostics (errors are collected, then reported together).
class [[nodiscard]] Error {
 public:
  Error(Diagnostic diagnostic);  // NOLINT: implicit on purpose
  explicit Error(std::vector<Diagnostic> items);
  Error(const Error& other);
  Error(Error&& other) noexcept = default;
  Error& operator=(const Error& other) { return *this = Error(other); }
  Error& operator=(Error&& other) noexcept = default;
  ~Error() = default;

  const std::vector<Diagnostic>& items() const { return items_ ? *items_ : none(); }
  std::vector<Diagnostic>& items();
  const Diagnostic& first() const { return items().front(); }

  /// Adds the phase (or pass) where none is known yet.
  Error in_phase(std::string_view phase) &&;
  /// Adds node and op where none are known yet.
  Error at_node(std::string_view name, std::string_view op_type = {}) &&;
  /// Adds the file where none is known yet.
  Error in_file(std::string_view where) &&;

 private:
  template <class T>
  friend class Expected;
  Error() = default;  ///< none, beside a value
  static const std::vector<Diagnostic>& none();
  struct Delete {
    void operator()(std::vector<Diagnostic>* items) const noexcept;  // not inline: much code beside every result
  };
  using Items = std::unique_ptr<std::vector<Diagnostic>, Delete>;
  Items items_;  ///< null when there is none: what succeeds pays for a pointer
};

/// Ends the use of a value that is not there: code of a plugin made the slip (Misuse), or this is a bug in mo.
[[noreturn]] void no_value_in(const Error& error);

/// A value, or the reason why there is none. For whatever a *user* can cause; MO_ASSERT is for what only we can cause.
template <class T>
class [[nodiscard]] Expected {
 public:
  using value_type = T;

  Expected(T value) : value_(std::move(value)) {}                     // NOLINT
  Expected(Error error) : error_(std::move(error)) {}                 // NOLINT
  Expected(Diagnostic diagnostic) : error_(std::move(diagnostic)) {}  // NOLINT
  template <class U>
  requires(std::is_convertible_v<U, T> && !std::is_same_v<std::decay_t<U>, T> &&
           !std::is_same_v<std::decay_t<U>, Expected> && !std::is_same_v<std::decay_t<U>, Error> &&
           !std::is_same_v<std::decay_t<U>, Diagnostic>) Expected(U&& value)
      : value_(std::in_place, std::forward<U>(value)) {}  // NOLINT

  bool has_value() const { return value_.has_value(); }
  explicit operator bool() const { return has_value(); }

  T& value() & { return check(), *value_; }
  const T& value() const& { return check(), *value_; }
  T&& value() && { return check(), *std::move(value_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & { return error_; }
  const Error& error() const& { return error_; }
  Error&& error() && { return std::move(error_); }

 private:
  void check() const {
    if (!has_value()) no_value_in(error_);
  }
  std::optional<T> value_;
  Error error_;  ///< none where there is a value
};

template <>
class [[nodiscard]] Expected<void> {
 public:
  using value_type = void;

  Expected() = default;
  Expected(Error error) : error_(std::move(error)) {}                 // NOLINT
  Expected(Diagnostic diagnostic) : error_(std::move(diagnostic)) {}  // NOLINT

  bool has_value() const { return !error_.items_; }
  explicit operator bool() const { return has_value(); }

  Error& error() & { return error_; }
  const Error& error() const& { return error_; }
  Error&& error() && { return std::move(error_); }

 private:
  Error error_;
};

}  // namespace mo

#define MO_CONCAT_INNER(a, b) a##b
#define MO_CONCAT(a, b) MO_CONCAT_INNER(a, b)

/// Returns the error of `expression` from the enclosing function when it failed.
#define MO_TRY(expression)                                                              \
  do {                                                                                  \
    if (auto mo_result = (expression); !mo_result) return std::move(mo_result).error(); \
  } while (false)

/// `MO_ASSIGN(const Tensor t, tensor.read());` declares (or assigns) from an Expected, or returns its error.
#define MO_ASSIGN(target, ...) MO_ASSIGN_IMPL(MO_CONCAT(mo_result_, __COUNTER__), target, __VA_ARGS__)
#define MO_ASSIGN_IMPL(result, target, ...)      \
  auto result = (__VA_ARGS__);                   \
  if (!result) return std::move(result).error(); \
  target = *std::move(result)
