#include "tools/run/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/files/output_set.hpp"
#include "core/tensor/convert.hpp"
#include "core/tensor/visit.hpp"
#include "tools/common/npy.hpp"

namespace mo::tools {
namespace {

std::string name_of(const Value& value) {
  const auto names = value.data().tensor_names();
  if (!names.empty()) return std::string(*names.begin());
  const std::string node(value.node().name());
  return value.index() == 0 ? node : fmt::format("{}.{}", node, value.index());
}

/// One file name, which decodes to the name of the tensor.
std::string file_name_of(const std::string& name) {
  std::string made;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool is_hidden = c == '.' && i == 0;
    if (c == '/' || c == '%' || c < 0x20 || is_hidden)
      made += fmt::format("%{:02X}", c);
    else
      made += name[i];
  }
  return made + ".npy";
}

struct Oddities {
  std::int64_t nans = 0;
  std::int64_t infinities = 0;
  std::int64_t first = -1;
};

Oddities oddities_in(const Tensor& tensor) {
  Oddities found;
  visit_type(tensor.element_type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (!std::is_integral_v<T>) {
      const auto values = tensor.values<T>();
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto number = static_cast<float>(values[i]);
        // A double beyond the range of float is finite.
        const bool odd =
            std::is_same_v<T, double> ? !std::isfinite(static_cast<double>(values[i])) : !std::isfinite(number);
        if (!odd) continue;
        if (found.first < 0) found.first = static_cast<std::int64_t>(i);
        ++(std::isnan(number) ? found.nans : found.infinities);
      }
    }
  });
  return found;
}

}  // namespace

Expected<TensorDump> TensorDump::create(const std::string& folder, const InputFiles& inputs) {
  MO_ASSIGN(std::unique_ptr<OutputFolder> made, OutputFolder::create(folder));
  return TensorDump(folder, std::move(made), inputs);
}

Expected<void> TensorDump::add(const Value& value, const Tensor& tensor) {
  const std::string name = name_of(value);
  if (name.empty() || tensor.element_type() == ElementType::string) return {};
  const std::string file_name = file_name_of(name);
  MO_ASSIGN(const std::unique_ptr<OutputSet> set, OutputSet::create(path_, "mo_run", {file_name}, {.inputs = inputs_}));
  MO_ASSIGN(OutputFile* const file, set->open(0));
  MO_TRY(write_npy(*file, tensor));
  MO_TRY(file->close());
  return set->commit();
}

Expected<void> NumberCheck::add(const Value& value, const Tensor& tensor) {
  if (!is_real(tensor.element_type()) || !tensor.in_memory()) return {};
  const Oddities found = oddities_in(tensor);
  if (found.first < 0) return {};
  bad_[value.id().index] = true;
  const Node node = value.node();
  if (node.is<Const>()) return {};
  for (const InPort& port : node.in_ports())
    if (const Value source = port.get_source(); source && bad_[source.id().index]) return {};
  return node
      .error("MO-RUN-0014",
             "'{}' is the first to make numbers that are none: output {} has {} NaN and {} infinite of {} elements, "
             "the first at {}",
             node.name(), value.index(), found.nans, found.infinities, tensor.element_count(), found.first)
      .hint("--dump DIR writes what it read");
}

std::string Profile::table() const {
  std::vector<const Row*> rows;
  std::map<std::string, double> by_op;
  double total = 0;
  std::uint64_t most = 0;
  for (const Row& row : steps_) {
    rows.push_back(&row);
    total += row.step.seconds;
    by_op[row.op] += row.step.seconds;
    most = std::max(most, row.step.live_bytes);
  }
  const auto share = [&](double seconds) { return total > 0 ? 100 * seconds / total : 0; };
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row* a, const Row* b) { return a->step.seconds > b->step.seconds; });
  std::string text = fmt::format("{:>10}  {:>6}  {:>12}  layer\n", "ms", "%", "bytes");
  for (const Row* row : rows)
    text += fmt::format("{:10.3f}  {:6.2f}  {:12}  {} {}\n", row->step.seconds * 1e3, share(row->step.seconds),
                        row->step.output_bytes, row->op, row->name);
  std::vector<std::pair<std::string, double>> ops(by_op.begin(), by_op.end());
  std::stable_sort(ops.begin(), ops.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  text += fmt::format("{:>10}  {:>6}  op\n", "ms", "%");
  for (const auto& [op, seconds] : ops)
    text += fmt::format("{:10.3f}  {:6.2f}  {}\n", seconds * 1e3, share(seconds), op);
  return text + fmt::format("{:.3f} ms in {} layers; at most {} bytes of tensors in memory\n", total * 1e3,
                            steps_.size(), most);
}

}  // namespace mo::tools
