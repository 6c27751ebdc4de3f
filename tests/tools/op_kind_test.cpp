#include "tools/common/op_kind.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/builtins.hpp"

namespace {

using namespace mo;
using namespace mo::tools;

TEST(OpKind, TheSameOpHasOneKindInEveryFramework) {
  for (const char* op : {"Conv", "Conv2D", "DepthwiseConv2dNative", "Convolution.v1", "ConvolutionDepthwise",
                         "com.microsoft::FusedConv", "InnerProduct", "MatMul", "Gemm", "LSTMSequence.v5", "BlockLSTM"})
    EXPECT_EQ(to_string(kind_of_op(op)), "compute") << op;
  for (const char* op : {"Const", "Constant"}) EXPECT_EQ(to_string(kind_of_op(op)), "constant") << op;
  for (const char* op : {"Parameter.v1", "Placeholder", "PlaceholderWithDefault", "Result", "Input"})
    EXPECT_EQ(to_string(kind_of_op(op)), "end") << op;
}

TEST(OpKind, PartsOfOtherNamesDoNotMislead) {
  EXPECT_EQ(kind_of_op("Convert.v1"), OpKind::arithmetic);  // "conv"
  EXPECT_EQ(kind_of_op("Atanh"), OpKind::arithmetic);       // "tanh"
  EXPECT_EQ(kind_of_op("StatelessIf"), OpKind::control);    // "less"
  EXPECT_EQ(kind_of_op("RandomNormal"), OpKind::other);     // "norm"
  EXPECT_EQ(kind_of_op("GroupNormalization"), OpKind::normalization);
  EXPECT_EQ(kind_of_op("ROIPooling"), OpKind::detection);  // "pool"
  EXPECT_EQ(kind_of_op(""), OpKind::other);
  EXPECT_EQ(kind_of_op(".v1"), OpKind::other);
  EXPECT_EQ(kind_of_op("custom::"), OpKind::other);
}

/// A new op of an IR gets a colour: a word in op_kind.cpp, or a place in this list.
TEST(OpKind, OpsOfIrsHaveOne) {
  std::set<std::string> others;
  for (const OpType* const type : test::builtins().ops().all())
    if (!type->dynamic && kind_of_op(type->name) == OpKind::other) others.insert(std::string(type->name));
  EXPECT_EQ(others, (std::set<std::string>{"Multinomial", "RandomUniform", "StringTensorPack", "StringTensorUnpack"}));
}

}  // namespace
