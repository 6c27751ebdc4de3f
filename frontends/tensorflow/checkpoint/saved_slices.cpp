#include "frontends/tensorflow/checkpoint/saved_slices.hpp"

#include <map>

#include "frontends/tensorflow/checkpoint/saved_values.hpp"
#include "frontends/tensorflow/checkpoint/stored_tensor.hpp"
#include "frontends/tensorflow/checkpoint/table.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/tensor_reader.hpp"

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

constexpr std::uint64_t kMostVariables = 10'000'000;
constexpr std::uint64_t kLongestSliceName = 64 * 1024;
/// Values up to this size stay in memory when they were decompressed or decoded; larger ones are read again when they
/// are needed.
constexpr std::uint64_t kKept = std::uint64_t{1} << 20;

using TablePtr = std::shared_ptr<const Table>;

/// SavedSliceMeta: a variable, and which slices of it a table has.
struct Variable {
  std::string name;
  std::int64_t data_type = 0;
  PartialShape shape = PartialShape(std::vector<Dimension>{});
  struct Slice {
    std::vector<Extent> extents;
    std::size_t table = 0;
  };
  std::vector<Slice> slices;
};

class SavedSlices final : public Checkpoint {
 public:
  Expected<void> add_table(FilePtr file);

  bool contains(std::string_view key) const override { return variables_.contains(key); }
  std::vector<std::string> keys() const override;
  Expected<TensorType> type_of(std::string_view key) const override;
  Expected<Tensor> read(std::string_view key) const override { return read_extents_of(key, std::nullopt); }
  Expected<Tensor> read_slice(std::string_view key, const std::vector<Extent>& slice) const override {
    return read_extents_of(key, slice);
  }

 private:
  Expected<void> add_variable(Variable variable);
  Expected<Tensor> read_extents_of(std::string_view key, const std::optional<std::vector<Extent>>& slice) const;

  std::vector<TablePtr> tables_;
  std::map<std::string, Variable, std::less<>> variables_;
  mutable std::vector<Table::Cache> caches_;
};

Expected<Variable> read_variable(WireSource& source, const WireField& message, std::size_t table) {
  Variable variable;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == slice_meta_field::kName) {
      MO_ASSIGN(variable.name, text_of(source, field, kLongestSliceName));
    } else if (field.number == slice_meta_field::kShape) {
      MO_ASSIGN(variable.shape, read_shape(source, field));
    } else if (field.number == slice_meta_field::kDataType) {
      MO_ASSIGN(variable.data_type, integer_of(field));
    } else if (field.number == slice_meta_field::kSlice) {
      MO_ASSIGN(std::vector<Extent> extents, read_extents(source, field));
      if (variable.slices.size() == kMostSlices)
        return error("MO-TF-0409", "a variable is stored in more than {} slices", kMostSlices)
            .hint("save it in fewer slices");
      variable.slices.push_back({std::move(extents), table});
    }
    return {};
  }));
  return variable;
}

Expected<void> SavedSlices::add_variable(Variable variable) {
  if (variables_.size() == kMostVariables)
    return error("MO-TF-0409", "the checkpoint has more than {} variables", kMostVariables).hint("{}", kDamaged);
  const auto [at, is_new] = variables_.try_emplace(variable.name, variable);
  if (is_new) return {};
  // Several tables have slices of one variable.
  Variable& known = at->second;
  if (known.data_type != variable.data_type || known.shape != variable.shape)
    return error("MO-TF-0423", "the variable '{}' has several types or shapes in the files of the checkpoint",
                 known.name.substr(0, 400))
        .hint("the files belong to different checkpoints");
  if (known.slices.size() + variable.slices.size() > kMostSlices)
    return error("MO-TF-0409", "a variable is stored in more than {} slices", kMostSlices)
        .hint("save it in fewer slices");
  known.slices.insert(known.slices.end(), variable.slices.begin(), variable.slices.end());
  return {};
}

Expected<void> SavedSlices::add_table(FilePtr file) {
  MO_ASSIGN(TablePtr table, Table::open(std::move(file), Table::LargeBlocks::in_place));
  const std::size_t index = tables_.size();
  tables_.push_back(table);
  caches_.emplace_back();
  MO_ASSIGN(const std::optional<TableRecord> list, table->find(""));
  if (!list)
    return error("MO-TF-0423", "there is no list of variables in the table")
        .hint("give the prefix of a checkpoint; is this another table?");
  WireSource& source = *list->source;
  MO_ASSIGN(WireReader record, message_of(source, list->message()));
  return record.each([&](const WireField& field) -> Expected<void> {
    if (field.number != saved_slices_field::kMeta) return {};
    MO_ASSIGN(WireReader meta, message_of(source, field));
    return meta.each([&](const WireField& part) -> Expected<void> {
      if (part.number != slices_meta_field::kTensor) return {};
      MO_ASSIGN(Variable variable, read_variable(source, part, index));
      return add_variable(std::move(variable));
    });
  });
}

std::vector<std::string> SavedSlices::keys() const {
  std::vector<std::string> all;
  for (const auto& [name, variable] : variables_) all.push_back(name);
  return all;
}

/// Reads the values of one slice. SavedTensorSlices { data: SavedSlice { name, slice, data: TensorProto } }.
Expected<Tensor> read_record(const Table& table, const std::string& name, const std::vector<Extent>& raw,
                             std::int64_t data_type, const StoredType& stored, Table::Cache* cache) {
  MO_ASSIGN(const std::optional<TableRecord> record, table.find(encode_slice_key(name, raw), cache));
  if (!record)
    return error("MO-TF-0417", "slice {} of '{}' is missing", to_string(raw), name.substr(0, 400)).hint("{}", kDamaged);
  WireSource& source = *record->source;
  std::optional<WireField> values;
  std::string stored_name;
  MO_ASSIGN(WireReader reader, message_of(source, record->message()));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != saved_slices_field::kData) return {};
    MO_ASSIGN(WireReader slice, message_of(source, field));
    return slice.each([&](const WireField& part) -> Expected<void> {
      if (part.number == saved_slice_field::kName) {
        MO_ASSIGN(stored_name, text_of(source, part, kLongestSliceName));
      } else if (part.number == saved_slice_field::kData) {
        values = part;
      }
      return {};
    });
  }));
  if (!values || stored_name != name)
    return error("MO-TF-0423", "the record of '{}' holds '{}'{}", name.substr(0, 400), stored_name.substr(0, 400),
                 values ? "" : " without values")
        .hint("{}", kDamaged);
  return read_saved_values(source, *values, data_type, stored);
}

Expected<Tensor> SavedSlices::read_extents_of(std::string_view key,
                                              const std::optional<std::vector<Extent>>& slice) const {
  const auto known = variables_.find(key);
  if (known == variables_.end()) return missing_key(key);
  const Variable& variable = known->second;
  MO_ASSIGN(const StoredType whole, stored_type(variable.data_type, variable.shape));
  const auto wanted = whole.resolve(slice.value_or(std::vector<Extent>(variable.shape.size())));
  if (!wanted) return wrong_slice(key, whole.type(), *slice);
  std::vector<StoredPart> parts;
  for (const Variable::Slice& part : variable.slices) {
    auto extents = whole.resolve(part.extents);
    if (!extents)
      return error("MO-TF-0417", "slice {} of '{}' does not lie in the variable {}", to_string(part.extents),
                   key.substr(0, 400), whole.type().to_string())
          .hint("{}", kDamaged);
    StoredType stored = whole;
    for (std::size_t i = 0; i < extents->size(); ++i) stored.shape[i] = (*extents)[i].length;
    const auto make = [table = tables_[part.table], name = variable.name, raw = part.extents, type = variable.data_type,
                       stored](Table::Cache* cache) { return read_record(*table, name, raw, type, stored, cache); };
    const auto read_once = [make, stored, cache = &caches_[part.table]]() -> Expected<Tensor> {
      MO_ASSIGN(Tensor tensor, make(cache));
      if (!tensor.in_memory() || tensor.byte_size() <= kKept || stored.element_type == ElementType::string)
        return tensor;
      *cache = {};
      return deferred_tensor(stored.element_type, stored.shape, [make] { return make(nullptr); });
    };
    parts.push_back({*std::move(extents), read_once});
  }
  MO_TRY(check_disjoint(parts));
  return slice_of_parts(whole, *wanted, parts);
}

Expected<TensorType> SavedSlices::type_of(std::string_view key) const {
  const auto known = variables_.find(key);
  if (known == variables_.end()) return missing_key(key);
  MO_ASSIGN(const StoredType stored, stored_type(known->second.data_type, known->second.shape));
  return stored.type();
}

}  // namespace

Expected<std::unique_ptr<Checkpoint>> open_saved_slices(const CheckpointPlace& place) {
  auto checkpoint = std::make_unique<SavedSlices>();
  for (const std::string& name : place.files) {
    MO_ASSIGN(FilePtr file, place.folder->open_file(name));
    if (auto done = checkpoint->add_table(std::move(file)); !done) return std::move(done).error().in_file(name);
  }
  return std::unique_ptr<Checkpoint>(std::move(checkpoint));
}

}  // namespace mo::tensorflow
