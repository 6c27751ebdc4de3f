#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/command_line/option_text.hpp"
#include "core/diagnostics/expected.hpp"

/// Setters for the rows of a table of options, made from member pointers: `set_text<&Options::model_name>`, and with a
/// sub-struct `set_text<&Options::caffe, &CaffeOptions::input_proto>`. A target that has no such member has it in its
/// member `options`.
namespace mo {

template <class>
struct OwnerOf;
template <class Owner, class Member>
struct OwnerOf<Member Owner::*> {
  using type = Owner;
};

template <auto First, auto... Rest, class Target>
auto& reach(Target& target) {
  if constexpr (!std::is_base_of_v<typename OwnerOf<decltype(First)>::type, Target>)
    return reach<First, Rest...>(target.options);
  else if constexpr (sizeof...(Rest) == 0)
    return target.*First;
  else
    return reach<Rest...>(target.*First);
}

/// For options of which only the text is needed: `given_option` reads it where it is used.
inline constexpr auto keep_given = [](auto&, std::string_view) -> Expected<void> { return {}; };

template <auto... Path>
inline constexpr auto set_flag = [](auto& target, std::string_view text) -> Expected<void> {
  reach<Path...>(target) = text == "True";
  return {};
};

template <auto... Path>
inline constexpr auto clear_flag = [](auto& target, std::string_view text) -> Expected<void> {
  reach<Path...>(target) = text != "True";
  return {};
};

template <auto... Path>
inline constexpr auto set_text = [](auto& target, std::string_view text) -> Expected<void> {
  reach<Path...>(target) = std::string(text);
  return {};
};

/// Each value is an element of a list.
template <auto... Path>
inline constexpr auto add_value = [](auto& target, std::string_view text) -> Expected<void> {
  reach<Path...>(target).emplace_back(text);
  return {};
};

/// Each value is a comma list.
template <auto... Path>
inline constexpr auto add_words = [](auto& target, std::string_view text) -> Expected<void> {
  for (std::string& word : parse_words(text)) reach<Path...>(target).push_back(std::move(word));
  return {};
};

/// T of T and of std::optional<T>.
template <class T>
struct NumberOf {
  using type = T;
};
template <class T>
struct NumberOf<std::optional<T>> {
  using type = T;
};

enum class Sign : std::uint8_t { any, not_negative, positive };

/// A number of the member's type, always with '.', whatever the locale. Error MO-CLI-0005.
template <Sign kSign, auto... Path>
inline constexpr auto set_number = [](auto& target, std::string_view text) -> Expected<void> {
  auto& member = reach<Path...>(target);
  typename NumberOf<std::remove_reference_t<decltype(member)>>::type number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || status != std::errc() || end != text.data() + text.size() || !(number - number == 0))
    return error("MO-CLI-0005", "{} is not a number that is possible here", in_quotes(text));
  if (kSign == Sign::positive ? !(number > 0) : kSign == Sign::not_negative && !(number >= 0))
    return error("MO-CLI-0005", "{} is not {}", in_quotes(text), kSign == Sign::positive ? "above 0" : "0 or above");
  member = number;
  return {};
};

}  // namespace mo
