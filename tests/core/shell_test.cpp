#include "core/support/shell.hpp"

#include <gtest/gtest.h>

namespace mo {
namespace {

TEST(ShellWord, IsQuotedWhereAShellWouldReadItOtherwise) {
  EXPECT_EQ(shell_word("dir/model-1.onnx"), "dir/model-1.onnx");
  EXPECT_EQ(shell_word("größe.pb"), "größe.pb");
  EXPECT_EQ(shell_word("my model (1).pb"), "'my model (1).pb'");
  EXPECT_EQ(shell_word("x[1,3]"), "'x[1,3]'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$(rm)"), "'$(rm)'");
  EXPECT_EQ(shell_word("=ls"), "'=ls'") << "zsh";
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace mo
