#include "core/diagnostics/plugin_code.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

namespace mo {
namespace {

struct Running {
  const char* who = nullptr;
  const OpType* op = nullptr;
};
constinit thread_local Running running;

/// A signal handler may read nothing that moves or is locked: hence a fixed table to which rows are only added.
struct OpOfPlugin {
  const OpType* op;
  char name[65];
  char plugin[65];
};
constexpr std::size_t kMostOps = 512;
OpOfPlugin ops_of_plugins[kMostOps];
std::atomic<std::size_t> op_count{0};
static_assert(std::atomic<std::size_t>::is_always_lock_free);

const OpOfPlugin* find_op(const OpType* op) {
  const OpOfPlugin* const end = ops_of_plugins + op_count.load(std::memory_order_acquire);
  const OpOfPlugin* const found = std::find_if(static_cast<const OpOfPlugin*>(ops_of_plugins), end,
                                               [&](const OpOfPlugin& row) { return row.op == op; });
  return found == end ? nullptr : found;
}

}  // namespace

PluginCode::PluginCode(const std::string& who) : who_before_(running.who), op_before_(running.op) {
  running = {who.c_str(), nullptr};
}

PluginCode::PluginCode(const OpType& op) : who_before_(running.who), op_before_(running.op) { running.op = &op; }

PluginCode::~PluginCode() { running = {who_before_, op_before_}; }

const char* PluginCode::of_op_of_plugin() const {
  const OpOfPlugin* const row = running.op ? find_op(running.op) : nullptr;
  return row ? row->plugin : nullptr;
}

void remember_op_of_plugin(const OpType& op, std::string_view name, const std::string& plugin) {
  static std::mutex adding;
  const std::lock_guard lock(adding);
  const std::size_t count = op_count.load(std::memory_order_relaxed);
  if (count == kMostOps || find_op(&op)) return;
  OpOfPlugin& row = ops_of_plugins[count];
  row.op = &op;
  name.copy(row.name, sizeof(row.name) - 1);
  plugin.copy(row.plugin, sizeof(row.plugin) - 1);
  op_count.store(count + 1, std::memory_order_release);
}

bool runs_plugin_code() noexcept { return running.who != nullptr || (running.op && find_op(running.op)); }

std::string plugin_code_at_work() {
  char text[512];
  return {text, running_plugin_code(text)};
}

std::size_t running_plugin_code(std::span<char> text) noexcept {
  std::size_t length = 0;
  const auto append = [&](std::string_view part) {
    const std::size_t fits = std::min(part.size(), text.size() - length);
    std::memcpy(text.data() + length, part.data(), fits);
    length += fits;
  };
  if (const OpOfPlugin* row = running.op ? find_op(running.op) : nullptr) {
    append("op ");
    append(row->name);
    append(" of plugin ");
    append(row->plugin);
  } else if (running.who) {
    append(running.who);
  }
  return length;
}

}  // namespace mo
