#include <mo/plugin.hpp>

#include "hard_swish_points.cpp"
#include "mvn.cpp"
#include "squared_difference.cpp"
#include "subtract.cpp"

MO_PLUGIN("example-replacers", "1.0.0", [](mo::Registry& registry) {
  namespace examples = mo::examples;
  registry.ops().add<examples::MvnWithAxes>();
  registry.passes().add(examples::squared_difference());
  registry.passes().add(examples::subtract());
  registry.passes().add(examples::mvn("MvnOfMoments", false));
  registry.passes().add(examples::mvn("MvnOfMomentsWithStopGradient", true));
  registry.passes().add(examples::mvn_without_axes());
  registry.passes().add(examples::hard_swish_points());
});
