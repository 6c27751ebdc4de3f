#include "frontends/caffe/layer.hpp"

#include <cmath>

#include "tests/frontends/caffe/model_files.hpp"

namespace mo::caffe::testing {
namespace {

/// A layer with these parameters in `p`, and what an extractor sees of it.
struct Seen {
  explicit Seen(std::string_view parameters)
      : read(read_text(net(layer("a", "A", "data",
                                 "p { " + std::string(parameters) + " } blobs { data: [1, 2] } blobs { data: 3 }")))),
        node(read.node("a")),
        view(node),
        layer_seen(view) {}

  std::string failure() const { return view.failure() ? view.failure()->code : ""; }

  Read read;
  Node node;
  FrameworkNode view;
  Layer layer_seen;
};

TEST(CaffeLayer, AFieldThatOccursOnceIsAListAsWell) {
  const Seen seen("one: 3 many: 1 many: 2 real: 2 reals: [1, 2.5] word: MAX words: ['a', B]");
  const Layer& layer = seen.layer_seen;
  EXPECT_EQ(layer.integer("p.one", 7), 3);
  EXPECT_EQ(layer.integers("p.one"), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(layer.integers("p.many"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(layer.real("p.real", 0), 2.0);
  EXPECT_EQ(layer.reals("p.many"), (std::vector<double>{1, 2}));
  EXPECT_EQ(layer.reals("p.reals"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(layer.text("p.word", ""), "MAX");
  EXPECT_EQ(layer.texts("p.word"), (std::vector<std::string>{"MAX"}));
  EXPECT_EQ(layer.texts("p.words"), (std::vector<std::string>{"a", "B"}));
  EXPECT_EQ(layer.bottoms(), 1U);
  EXPECT_EQ(layer.blobs(), 2U);
  EXPECT_EQ(seen.failure(), "");
}

TEST(CaffeLayer, MissingFieldsHaveDefaults) {
  const Seen seen("x: 1");
  const Layer& layer = seen.layer_seen;
  EXPECT_FALSE(layer.has("p.y"));
  EXPECT_EQ(layer.integer("p.y", 7), 7);
  EXPECT_EQ(layer.real("p.y", 0.5), 0.5);
  EXPECT_EQ(layer.flag("p.y", true), true);
  EXPECT_EQ(layer.text("p.y", "z"), "z");
  EXPECT_TRUE(layer.integers("p.y").empty());
  EXPECT_EQ(seen.failure(), "");
}

TEST(CaffeLayer, EnumeratorsFlagsAndInfinitiesInAllSpellings) {
  const Seen seen("pool: 1 far: 9 on: 1 off: f big: inf odd: nan");
  const Layer& layer = seen.layer_seen;
  EXPECT_EQ(layer.text("p.pool", "MAX", {"MAX", "AVE"}), "AVE");
  EXPECT_EQ(layer.text("p.far", "MAX", {"MAX", "AVE"}), "9");
  EXPECT_EQ(layer.flag("p.on", false), true);
  EXPECT_EQ(layer.flag("p.off", true), false);
  EXPECT_TRUE(std::isinf(layer.real("p.big", 0)));
  EXPECT_TRUE(std::isnan(layer.real("p.odd", 0)));
  ASSERT_EQ(layer.reals("p.big").size(), 1U);
  EXPECT_TRUE(std::isinf(layer.reals("p.big")[0]));
  EXPECT_EQ(seen.failure(), "");
}

TEST(CaffeLayer, ValuesOfTheWrongKindAreErrors) {
  const auto failure = [](std::string_view parameters, auto&& ask) {
    const Seen seen(parameters);
    ask(seen.layer_seen);
    return seen.failure();
  };
  EXPECT_EQ(failure("x: 1.5", [](const Layer& l) { EXPECT_EQ(l.integer("p.x", 7), 7); }), "MO-FRONT-0003");
  EXPECT_EQ(failure("x: [1, 2]", [](const Layer& l) { (void)l.integer("p.x", 7); }), "MO-FRONT-0003");
  EXPECT_EQ(failure("x: 'a'", [](const Layer& l) { (void)l.real("p.x", 7); }), "MO-FRONT-0003");
  EXPECT_EQ(failure("x: 2", [](const Layer& l) { (void)l.flag("p.x", true); }), "MO-FRONT-0003");
  EXPECT_EQ(failure("x: 2", [](const Layer& l) { (void)l.text("p.x", ""); }), "MO-FRONT-0003");
  EXPECT_EQ(failure("x: 2.5", [](const Layer& l) { (void)l.integers("p.x"); }), "MO-FRONT-0003");
  EXPECT_EQ(failure("x: much", [](const Layer& l) { (void)l.reals("p.x"); }), "MO-FRONT-0003");
}

TEST(CaffeLayer, ParametersOfTrainingAreKnown) {
  const Seen seen("weight_filler { type: 'xavier' } engine: CAFFE scale_filler { value: 1 } x: 1");
  EXPECT_EQ(seen.view.unread_attributes(), (std::vector<std::string>{"p.x"}));
}

}  // namespace
}  // namespace mo::caffe::testing
