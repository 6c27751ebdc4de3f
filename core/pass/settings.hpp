#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/attributes/declaration.hpp"
#include "core/op/runtimes.hpp"

namespace mo {

/// Structs of settings, at most one of each type: code that needs one requests it by its type, so that there is no name
/// to misspell and no kind to mistake.
class SettingsByType {
 public:
  /// Null when none are set.
  template <class S>
  const S* find() const {
    const auto it = values_.find(&kKey<S>);
    return it == values_.end() ? nullptr : static_cast<const S*>(it->second.get());
  }
  /// The defaults of the struct when none are set.
  template <class S>
  const S& get() const {
    static const S defaults{};
    const S* found = find<S>();
    return found ? *found : defaults;
  }
  template <class S>
  void set(S value) {
    values_[&kKey<S>] = std::make_shared<const S>(std::move(value));
  }

 private:
  /// Its address stands for the type. A type belongs to one library: mo, or one plugin.
  template <class S>
  static inline char kKey = 0;
  std::map<const void*, std::shared_ptr<const void>> values_;
};

/// What one conversion was asked for, as passes and readers see it; the driver makes it of the user's options. Here are
/// the settings that every framework has; `find`, `get` and `set` give those that single readers and passes declare
/// (`settings.get<caffe::ModelSource>()`).
struct Settings {
  std::string input_model;  ///< path of the model, for messages
  /// what --input named; empty: the inputs are those of the model
  std::vector<std::string> inputs;
  /// what --output named; empty: the outputs are those of the model
  std::vector<std::string> outputs;
  int ir_version = 11;                   ///< 10 (op sets up to 7, static shapes) or 11
  int op_set = newest_runtime().op_set;  ///< the newest one that is written
  /// the user named a release: an op of a newer op set is an error
  bool op_set_is_fixed = false;
  /// the runtime that reads the IR: forms that it, or a later one, computes wrongly are not written
  std::string release = "latest";
  bool static_shape = false;      ///< shapes of inputs are final: ShapeOf is folded
  bool compress_to_fp16 = false;  ///< constants become f16
  bool disable_fusing = false;    ///< nothing is fused into weights
  /// nodes in whose name one of these expressions (RE2) occurs are not fused
  std::vector<std::string> finegrain_fusing;
  /// inputs and outputs keep their layout; only ops that need another one get Transposes
  bool disable_nhwc_to_nchw = false;
  bool allow_links = false;  ///< files that the model names may be links
  SettingsByType others;

  /// The newest op set that the IR may have by its version and by what was asked for.
  int newest_op_set() const { return ir_version == 10 ? std::min(op_set, kNewestOpSetOfVersion10) : op_set; }
  /// Whether the runtime that reads the IR has op `type` of `its_op_set`: some ops came after their op set.
  bool is_read(int its_op_set, std::string_view type) const {
    if (its_op_set > newest_op_set()) return false;
    const std::string_view late = late_release_of(its_op_set, type);
    return late.empty() || !is_older(release, late);
  }

  /// Names for tests and texts.
  static constexpr auto attributes = Attributes{attr("input_model", &Settings::input_model),
                                                attr("inputs", &Settings::inputs),
                                                attr("outputs", &Settings::outputs),
                                                attr("ir_version", &Settings::ir_version),
                                                attr("op_set", &Settings::op_set),
                                                attr("op_set_is_fixed", &Settings::op_set_is_fixed),
                                                attr("release", &Settings::release),
                                                attr("static_shape", &Settings::static_shape),
                                                attr("compress_to_fp16", &Settings::compress_to_fp16),
                                                attr("disable_fusing", &Settings::disable_fusing),
                                                attr("finegrain_fusing", &Settings::finegrain_fusing),
                                                attr("disable_nhwc_to_nchw", &Settings::disable_nhwc_to_nchw)};

  template <class S>
  const S* find() const {
    return others.find<S>();
  }
  template <class S>
  const S& get() const {
    return others.get<S>();
  }
  template <class S>
  void set(S value) {
    others.set(std::move(value));
  }
};

/// Sets declared members of `record` by name. Errors: MO-PASS-0022 (no such setting), MO-PASS-0023 (a value of another
/// kind), all of them at once.
Expected<void> set_by_name(const std::vector<AttributeInfo>& declared, void* record, const AttributeMap& given);

template <class S>
Expected<void> set_by_name(S& record, const AttributeMap& given) {
  return set_by_name(attribute_infos<S>(), &record, given);
}

}  // namespace mo
