#include "core/support/progress.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mo::progress {
namespace {

TEST(Progress, GoesToTheInnermostScopeIfAny) {
  tell(1, 2);
  std::vector<double> outer;
  const auto note = [](std::vector<double>& into) {
    return [&into](std::uint64_t done, std::uint64_t total) {
      into.push_back(static_cast<double>(done) / static_cast<double>(total));
    };
  };
  {
    const ProgressScope scope(note(outer));
    tell(1, 4);
    tell(1, 0);  // no work is no progress
    std::vector<double> inner;
    {
      const ProgressScope hidden(note(inner));
      tell(1, 2);
    }
    EXPECT_EQ(inner, std::vector<double>{0.5});
    tell(4, 4);
  }
  tell(1, 2);
  EXPECT_EQ(outer, (std::vector<double>{0.25, 1}));
}

TEST(Progress, PartsAreCountedWithinTheirStep) {
  std::vector<double> told;
  const ProgressScope scope([&](std::uint64_t done, std::uint64_t total) {
    told.push_back(static_cast<double>(done) / static_cast<double>(total));
  });
  {
    const Part first(0, 0.5);
    tell(1, 2);
    const Part nested(0.5, 1);
    tell(1, 2);
  }
  const Part second(0.5, 1);
  tell(1, 1);
  EXPECT_EQ(told, (std::vector<double>{0.25, 0.375, 1}));
}

}  // namespace
}  // namespace mo::progress
