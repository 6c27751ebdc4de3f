#include "driver/usage.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <sstream>

#include "core/files/file.hpp"
#include "core/files/output_file.hpp"
#include "core/files/output_folder.hpp"
#include "core/graph/bodies.hpp"
#include "core/op/op_registry.hpp"
#include "driver/builtins.hpp"
#include "phases/front/framework_op.hpp"

namespace mo {
namespace {

/// A class of an op: "TopK-11".
std::string class_of(const OpType& type) { return fmt::format("{}-{}", type.name, type.version); }

std::string joined(const std::vector<std::string>& names) {
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, ","));
}

/// Lines of the record, each once and in order.
class UsageLines {
 public:
  explicit UsageLines(std::string_view text) {
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);) there_.insert(std::move(line));
    if (there_.empty())
      add("# What conversions used of mo: written by mo --record-usage, read by -DMO_SELECTIVE=FILE.");
  }
  void add(std::string line) {
    if (there_.insert(line).second) missing_ += line + '\n';
  }
  /// `thing` is "KIND NAME…" of a drop-in file.
  void add(std::string_view path, const std::string& thing, bool used) {
    add(fmt::format("known {} {}", path, thing));
    if (used) add(fmt::format("used {} {}", path, thing));
  }
  const std::string& missing() const { return missing_; }

 private:
  std::set<std::string> there_;
  std::string missing_;
};

void add_operators(UsageLines& record, const Part<OperatorTable>& part,
                   const std::function<bool(const std::string&)>& used) {
  OperatorTable table;
  part.add(table);
  for (const auto& [op, rows] : table.rows())
    for (const OperatorTable::Row& row : rows)
      record.add(part.path, fmt::format("operator {} {} {}", op, row.versions.first, row.versions.last), used(op));
}

void add_ops(UsageLines& record, const Part<OpRegistry>& part, const std::function<bool(const std::string&)>& used) {
  OpRegistry registry;
  part.add(registry);
  for (const OpType* type : registry.all())
    record.add(part.path, fmt::format("op {}", class_of(*type)), used(class_of(*type)));
}

/// Whether a pass must be there for models of these ops: what makes a graph fit for runtimes acts on attributes and
/// shapes, too, which the next model may have otherwise. What starts from other ops only has nothing to do.
bool may_be_needed(const Pass& pass, const std::set<std::string, std::less<>>& types) {
  if (pass.phase != Phase::back || !pass.enabled) return false;
  const std::vector<std::string>& starts = pass.looks_for.empty() ? pass.roots : pass.looks_for;
  return starts.empty() ||
         std::any_of(starts.begin(), starts.end(), [&](const std::string& type) { return types.contains(type); });
}

void add_passes(UsageLines& record, const Part<PassRegistry>& part, const std::function<bool(const Pass&)>& used) {
  PassRegistry registry;
  part.add(registry);
  for (const Pass& pass : registry.passes()) {
    std::string thing = fmt::format("pass {} {} {} {} {}", pass.name, to_string(pass.phase),
                                    pass.enabled ? "on" : "off", joined(pass.after), joined(pass.before));
    record.add(part.path, thing, used(pass));
  }
  for (const Pass& pass : registry.offers()) record.add(part.path, fmt::format("offer {}", pass.name), false);
}

Expected<void> append(const std::string& path, std::string_view text) {
  if (text.empty()) return {};
  const auto problem_of = [&](int number) {
    return cannot_write(path, number).hint("--record-usage names a file, which is made when it is not there");
  };
  MO_ASSIGN(const std::unique_ptr<OutputFolder> folder,
            OutputFolder::create(std::filesystem::path(path).parent_path().string()));
  const int descriptor = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return problem_of(errno);
  // In one piece, so that lines of two processes do not mix.
  const ssize_t written = write(descriptor, text.data(), text.size());
  const int problem = written == static_cast<ssize_t>(text.size()) ? 0 : written < 0 ? errno : ENOSPC;
  if (close(descriptor) != 0 || problem != 0) return problem_of(problem != 0 ? problem : errno);
  return folder->keep();
}

Expected<std::string> content_of(const std::string& path) {
  if (access(path.c_str(), F_OK) != 0) return std::string();
  MO_ASSIGN(const std::shared_ptr<const File> file, File::open(path));
  std::string text(file->size(), '\0');
  MO_TRY(file->read(0, std::as_writable_bytes(std::span(text))));
  return text;
}

}  // namespace

void Usage::see(Graph& graph) {
  for (const Graph* one : with_bodies(graph))
    for (const Node node : one->nodes()) {
      if (const auto op = phases::framework_op(node.op_type(), framework_)) {
        operators_.emplace(*op);
        continue;
      }
      ops_.insert(class_of(node.op_type()));
      types_.emplace(node.type());
    }
}

Expected<void> Usage::append_to(const std::string& path) const {
  if (is_selective_build())
    return error("MO-CLI-0094", "--record-usage: this build has left something out and does not know what")
        .hint("record with a mo built without MO_SELECTIVE");
  MO_ASSIGN(const std::string text, content_of(path));
  UsageLines record(text);
  const BuiltinParts parts = builtin_parts();
  const auto pass_used = [&](const Pass& pass) { return passes_.contains(pass.name) || may_be_needed(pass, types_); };
  for (const BuiltinFrontend& frontend : parts.frontends) {
    const bool read = frontend.name == framework_;
    record.add(frontend.folder, fmt::format("frontend {}", frontend.name), read);
    const auto used = [&](const std::string& op) { return read && operators_.contains(op); };
    for (const Part<OperatorTable>& part : frontend.operators) add_operators(record, part, used);
    for (const Part<PassRegistry>& part : frontend.passes) add_passes(record, part, pass_used);
  }
  for (const Part<PassRegistry>& part : parts.passes) add_passes(record, part, pass_used);
  for (const Part<OpRegistry>& part : parts.ops)
    add_ops(record, part, [&](const std::string& op) { return ops_.contains(op); });
  return append(path, record.missing());
}

}  // namespace mo
