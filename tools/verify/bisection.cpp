#include "tools/verify/bisection.hpp"

#include "tools/verify/models.hpp"

namespace mo::tools {
namespace {

class Bisection {
 public:
  Bisection(const Options& options, Replacers replacers, const std::function<Expected<Check>(const Graph&)>& check,
            DiagnosticSink& sink)
      : options_(options), replacers_(replacers), check_(check), sink_(sink) {}

  Expected<GuiltyPass> run(bool may_be_wrong_before) {
    MO_ASSIGN(const Outcome whole, look(kAll));
    if (whole != Outcome::wrong) return GuiltyPass{.when = GuiltyPass::When::after, .runs = runs_};
    if (may_be_wrong_before) {
      MO_ASSIGN(const Outcome start, look(0));
      if (start == Outcome::wrong)
        return GuiltyPass{.when = GuiltyPass::When::before, .runs = runs_, .layer = layers_[0]};
    }
    // Right after `right` passes, wrong after `wrong`.
    std::size_t right = 0;
    std::size_t wrong = changes_.size();
    while (wrong - right > 1) {
      // From the middle outwards to where the graph can be run.
      std::size_t middle = right + (wrong - right) / 2;
      MO_ASSIGN(Outcome outcome, look(middle));
      for (std::size_t next = middle + 1; outcome == Outcome::cannot_tell && next < wrong; ++next) {
        MO_ASSIGN(outcome, look(next));
        middle = next;
      }
      if (outcome == Outcome::right)
        right = middle;
      else
        wrong = outcome == Outcome::wrong ? middle : right + (wrong - right) / 2;
    }
    return GuiltyPass{GuiltyPass::When::during, changes_[wrong - 1], runs_, layers_[wrong]};
  }

 private:
  enum class Outcome { right, wrong, cannot_tell };
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);

  /// Converts with the first `count` passes that change something; with kAll also notes which those are.
  Expected<Outcome> look(std::size_t count) {
    ++runs_;
    std::size_t changed = 0;
    LoadOptions how;
    how.watch.read = [&](Conversion& conversion) {
      PassManager& manager = *conversion.manager;
      manager.may_run = [&](const Pass& pass) { return makes_truth(pass, replacers_) || changed < count; };
      manager.also_after_pass([&](const PassEvent& event) {
        if (makes_truth(event.pass, replacers_) || !event.changed) return;
        ++changed;
        if (count == kAll) changes_.push_back(event.pass.name);
      });
    };
    MO_ASSIGN(const ModelGraph model, load_model(options_, how, sink_));
    const auto check = check_(*model.graph);
    if (!check) return Outcome::cannot_tell;
    if (check->verdict != Verdict::different) return Outcome::right;
    layers_[count == kAll ? changes_.size() : count] = check->layer;
    return Outcome::wrong;
  }

  const Options& options_;
  Replacers replacers_;
  const std::function<Expected<Check>(const Graph&)>& check_;
  DiagnosticSink& sink_;
  std::vector<std::string> changes_;
  std::map<std::size_t, std::optional<LayerCheck>> layers_;
  std::size_t runs_ = 0;
};

}  // namespace

Expected<GuiltyPass> find_guilty_pass(const Options& options, Replacers replacers,
                                      const std::function<Expected<Check>(const Graph&)>& check,
                                      bool may_be_wrong_before, DiagnosticSink& sink) {
  return Bisection(options, replacers, check, sink).run(may_be_wrong_before);
}

}  // namespace mo::tools
