#include "transformations/fusions/support/random_numbers.hpp"

namespace mo::transformations {

void replace_random(Rewriter& rw, const Node& random, const Value& by) {
  rw.replace_uses(random.output(), by);
  std::vector<Node> sources;
  for (const InPort& port : random.in_ports())
    if (const Value source = port.get_source()) sources.push_back(source.node());
  rw.graph().erase(random);
  for (const Node& source : sources) erase_if_dead(source);
}

}  // namespace mo::transformations
