#include "driver/depfile.hpp"

#include <filesystem>

namespace mo {
namespace {

namespace fs = std::filesystem;

/// As rules of make write a name: what would end it has a backslash in front, and a dollar is two.
std::string in_rule(std::string_view path) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == '\t') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

std::string rule(const std::vector<std::string>& outputs, const InputFiles& inputs) {
  std::string text;
  for (const std::string& output : outputs) text += (text.empty() ? "" : " ") + in_rule(output);
  text += ':';
  std::error_code ignored;
  for (const std::string& path : inputs.paths())
    if (fs::is_regular_file(path, ignored))
      text += " \\\n  " + in_rule(fs::absolute(path, ignored).lexically_normal().string());
  return text + '\n';
}

}  // namespace

Expected<Depfile> Depfile::write(const std::string& path, const std::vector<std::string>& outputs,
                                 const InputFiles& inputs) {
  const fs::path where(path);
  const std::string name = where.filename().string();
  MO_ASSIGN(std::unique_ptr<OutputSet> set,
            OutputSet::create(where.parent_path().string(), name, {name}, {.inputs = &inputs}));
  MO_ASSIGN(OutputFile* const file, set->open(0));
  const std::string text = rule(outputs, inputs);
  MO_TRY(file->write(std::as_bytes(std::span(text.data(), text.size()))));
  MO_TRY(file->close());
  return Depfile(std::move(set));
}

}  // namespace mo
