#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/c/mo.h"
#include "core/diagnostics/expected.hpp"
#include "core/files/memory_file.hpp"

/// What a program asks of libmo. Options stay words until the request is used: the command line's grammar is the only
/// one.
struct mo_request {
  /// The content of a file that an option names.
  struct Bytes {
    std::string option;
    std::string name;
    std::shared_ptr<const mo::MemoryFile> file;
  };
  struct Setting {
    std::string option;                ///< as the table spells it, or with '-' for '_'
    std::optional<std::string> value;  ///< none: a flag
  };

  std::vector<std::string> given_words;
  std::vector<Setting> settings;
  std::vector<Bytes> bytes;
  bool keeps_in_memory = false;
  mo_progress progress = nullptr;
  void* context = nullptr;
  std::atomic<bool> cancelled = false;

  void set(const std::string& option, std::optional<std::string> value);
  /// Error MO-LIMIT-0006.
  mo::Expected<void> set_bytes(const std::string& option, const std::string& name, std::span<const std::byte> data);

  const Bytes* bytes_of(std::string_view option) const;
  /// The words of a command line, without those options.
  std::vector<std::string> words_without(std::initializer_list<std::string_view> options) const;
  const Setting* setting(std::string_view option) const;
  /// `text` with the names of what was given as bytes, where it has the paths by which the bytes are read.
  std::string with_names(std::string text) const;
};
