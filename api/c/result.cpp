#include "api/c/result.hpp"

#include "core/diagnostics/exit_code.hpp"

void mo_result::fail(const mo::Error& error) {
  status = static_cast<mo_status>(mo::exit_code_of(error));
  messages.insert(messages.end(), error.items().begin(), error.items().end());
}

void mo_result::finish(const mo_request& request) {
  for (const mo::Diagnostic& each : messages) {
    if (each.severity != mo::Severity::error) continue;
    if (error_code.empty()) error_code = each.code;
    error_text += (error_text.empty() ? "" : "\n") + each.format();
  }
  error_text = request.with_names(std::move(error_text));
  json = request.with_names(mo::api::json_of(*this));
}
