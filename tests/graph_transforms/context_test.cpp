#include "graph_transforms/engine/context.hpp"

#include <gtest/gtest.h>

#include "graph_transforms/engine/names.hpp"

namespace mo::graph_transforms {
namespace {

TransformFuncContext with(const TransformParameters& params) {
  return {{"fed:0"}, {"fetched"}, params, nullptr, nullptr};
}

template <class T>
std::string code(const Expected<T>& value) {
  return value ? "" : value.error().first().code;
}

TEST(TransformFuncContext, CountsAndGivesArguments) {
  const TransformFuncContext context = with({{"foo", {"a", "b"}}, {"bar", {"c"}}});
  EXPECT_EQ(context.count_parameters("foo"), 2U);
  EXPECT_EQ(context.count_parameters("bar"), 1U);
  EXPECT_EQ(context.count_parameters("not_present"), 0U);
  EXPECT_EQ(*context.one_string("bar", "d"), "c");
  EXPECT_EQ(code(context.one_string("foo", "d")), "MO-GTT-0010");
  EXPECT_EQ(*context.one_string("not_present", "d"), "d");
  EXPECT_EQ(code(context.required_string("not_present")), "MO-GTT-0013");
}

TEST(TransformFuncContext, ReadsNumbers) {
  const TransformFuncContext context = with({{"whole", {"-23"}},
                                             {"two", {"1", "2"}},
                                             {"word", {"not_numerical"}},
                                             {"real", {"-23.2323"}},
                                             {"blanks", {" 7 "}},
                                             {"large", {"3000000000"}}});
  EXPECT_EQ(*context.one_int32("whole", 10), -23);
  EXPECT_EQ(*context.one_int64("large", 10), 3'000'000'000);
  EXPECT_EQ(*context.one_int32("blanks", 10), 7);
  EXPECT_EQ(*context.one_int32("missing", 10), 10);
  EXPECT_EQ(code(context.one_int32("two", 10)), "MO-GTT-0010");
  EXPECT_EQ(code(context.one_int32("word", 10)), "MO-GTT-0011");
  EXPECT_EQ(code(context.one_int32("real", 10)), "MO-GTT-0011");
  EXPECT_EQ(code(context.one_int32("large", 10)), "MO-GTT-0011");
  EXPECT_FLOAT_EQ(*context.one_float("real", 0), -23.2323F);
  EXPECT_FLOAT_EQ(*context.one_float("missing", 10.5F), 10.5F);
  EXPECT_EQ(code(context.one_float("word", 0)), "MO-GTT-0011");
}

TEST(TransformFuncContext, ReadsTruthValues) {
  const TransformFuncContext context =
      with({{"t", {"true"}}, {"one", {"1"}}, {"f", {"false"}}, {"zero", {"0"}}, {"other", {"True"}}});
  EXPECT_TRUE(*context.one_bool("t", false));
  EXPECT_TRUE(*context.one_bool("one", false));
  EXPECT_FALSE(*context.one_bool("f", true));
  EXPECT_FALSE(*context.one_bool("zero", true));
  EXPECT_TRUE(*context.one_bool("missing", true));
  EXPECT_EQ(code(context.one_bool("other", true)), "MO-GTT-0012");
}

TEST(TransformFuncContext, KnowsFeedsAndFetchesByTheirNode) {
  const TransformFuncContext context = with({});
  EXPECT_TRUE(context.is_input("fed"));
  EXPECT_FALSE(context.is_input("fetched"));
  EXPECT_TRUE(context.is_output("fetched"));
}

TEST(TensorNames, AreSplit) {
  const auto parts = [](std::string_view input) {
    const NodeNameParts p = node_name_parts_from_input(input);
    return fmt::format("{}|{}|{}", p.prefix, p.node, p.suffix);
  };
  EXPECT_EQ(parts("some_node_name"), "|some_node_name|");
  EXPECT_EQ(parts("some_node_name/with/slashes"), "|some_node_name/with/slashes|");
  EXPECT_EQ(parts("name:0"), "|name|:0");
  EXPECT_EQ(parts("^name"), "^|name|");
  EXPECT_EQ(parts("^name:99"), "^|name|:99");
  EXPECT_EQ(parts("name:out:2"), "|name|:out");
  for (const std::string_view input : {"node_name", "node_name:0", "^node_name", "^node_name:42"})
    EXPECT_EQ(node_name_from_input(input), "node_name");
  EXPECT_EQ(canonical_input_name("node_name"), "node_name:0");
  EXPECT_EQ(canonical_input_name("^node_name"), "^node_name:0");
  EXPECT_EQ(canonical_input_name("^node_name:42"), "^node_name:42");
}

}  // namespace
}  // namespace mo::graph_transforms
