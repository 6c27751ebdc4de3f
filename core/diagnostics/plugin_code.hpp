#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace mo {

struct OpType;

/// While it lives, this thread runs code of a plugin. Only the code that explains the sudden end of the process reads
/// it (plugins/loader/sudden_end.hpp): a crash and a call of `exit` leave no other trace of who was at work. Costs two
/// stores.
class PluginCode {
 public:
  /// `who`, for messages ("pass Fuse of plugin acme"), must outlive the object.
  explicit PluginCode(const std::string& who);
  /// The inference or evaluation of an op, which may be mo's own: then it is not recorded.
  explicit PluginCode(const OpType& op);
  ~PluginCode();
  /// The plugin whose op this is; null when it is mo's, or code of another kind.
  const char* of_op_of_plugin() const;
  PluginCode(const PluginCode&) = delete;
  PluginCode& operator=(const PluginCode&) = delete;

 private:
  const char* who_before_;
  const OpType* op_before_;
};

/// Remembers, for the life of the process, that a plugin brought the op of that name. There is room for 512 of them.
void remember_op_of_plugin(const OpType& op, std::string_view name, const std::string& plugin);

/// Whether this thread runs code of a plugin.
bool runs_plugin_code() noexcept;
/// The same as a text, empty when it runs none: "pass Fuse of plugin acme", "op FancyNorm of plugin acme".
std::string plugin_code_at_work();

/// What this thread runs of a plugin, cut off at the size of `text` and not terminated; 0 bytes when it runs none. May
/// be called from a signal handler.
std::size_t running_plugin_code(std::span<char> text) noexcept;

}  // namespace mo
