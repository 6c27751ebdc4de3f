#pragma once

#include <string>
#include <string_view>

namespace mo::conformance {

/// passed: the IR computes what the test wants. wrong: another value, type or shape. failed: crashed, took too long, or
/// the IR could not be read back or run. refused: the conversion said no, with a code.
enum class Category { passed, wrong, failed, refused };

inline std::string_view to_string(Category category) {
  switch (category) {
    case Category::passed: return "passed";
    case Category::wrong: return "wrong";
    case Category::failed: return "failed";
    case Category::refused: return "refused";
  }
  return "failed";
}

struct Outcome {
  Category category = Category::failed;
  bool crashed = false;  ///< failed because the process died or had to be ended
  std::string code;      ///< of the first diagnostic, when there is one
  std::string detail;
  double seconds = 0;          ///< of the whole test, its process included
  double convert_seconds = 0;  ///< of the conversion alone; 0 when it did not come to that
};

}  // namespace mo::conformance
