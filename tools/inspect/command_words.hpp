#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/options.hpp"

namespace mo::tools {

/// A command line of `mo` as options and values, to be changed and tried before it is suggested to the user.
class CommandWords {
 public:
  CommandWords() = default;
  /// What the user gave.
  explicit CommandWords(const Options& options);
  /// Sets the value of an option; a flag has "True".
  void set(std::string_view option, std::string value);
  void erase(std::string_view option);
  /// Empty when it is not given.
  std::string value(std::string_view option) const;
  /// What `parse_model_options` understands.
  std::vector<std::string> words() const;
  /// "mo --input_model 'my net.onnx' --output y", as a shell takes it. `command`: what it begins with.
  std::string text(std::string_view command = "mo") const;

 private:
  std::vector<std::pair<std::string, std::string>> options_;
};

}  // namespace mo::tools
