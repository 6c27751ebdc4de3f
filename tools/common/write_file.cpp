#include "tools/common/write_file.hpp"

#include <filesystem>

#include "core/files/output_set.hpp"

namespace mo::tools {

Expected<void> write_file(const std::string& path, std::string_view text, const InputFiles* inputs) {
  const std::filesystem::path where(path);
  const std::string folder = where.has_parent_path() ? where.parent_path().string() : ".";
  const std::string name = where.filename().string();
  MO_ASSIGN(const std::unique_ptr<OutputSet> set, OutputSet::create(folder, name, {name}, {.inputs = inputs}));
  MO_ASSIGN(OutputFile* const file, set->open(0));
  MO_TRY(file->write(std::as_bytes(std::span(text.data(), text.size()))));
  MO_TRY(file->close());
  return set->commit();
}

}  // namespace mo::tools
