#include "core/op/runtimes.hpp"

#include <gtest/gtest.h>

#include "core/pass/settings.hpp"

namespace mo::test {
namespace {

/// What releases said that were asked to read an IR with the op.
TEST(Runtimes, SomeOpsCameAfterTheirOpSet) {
  EXPECT_EQ(first_runtime_with(13, "Multinomial")->name, "2023.2");
  EXPECT_EQ(first_runtime_with(13, "ScaledDotProductAttention")->name, "2023.3");
  EXPECT_EQ(first_runtime_with(14, "Inverse")->name, "2024.0");
  EXPECT_EQ(first_runtime_with(14, "AvgPool")->name, "2024.1");
  EXPECT_EQ(first_runtime_with(16, "Identity")->name, "2025.0");
  EXPECT_EQ(first_runtime_with(16, "AvgPool")->name, "2025.3");
  EXPECT_EQ(first_runtime_with(17, "ErfInv"), nullptr);
}

TEST(Runtimes, AReleaseReadsWhatItsOpSetsHave) {
  const auto settings_for = [](std::string_view release) {
    return Settings{.op_set = find_runtime(release)->op_set, .release = std::string(release)};
  };
  EXPECT_TRUE(settings_for("2023.2").is_read(13, "Multinomial"));
  EXPECT_FALSE(settings_for("2023.2").is_read(13, "FakeConvert"));
  EXPECT_TRUE(settings_for("2023.3").is_read(13, "FakeConvert"));
  EXPECT_FALSE(settings_for("2023.3").is_read(14, "Inverse"));
  EXPECT_TRUE(settings_for("latest").is_read(16, "OneHot"));
  EXPECT_FALSE((Settings{.ir_version = 10}).is_read(8, "SoftMax"));
}

}  // namespace
}  // namespace mo::test
