#pragma once

#include <cstdint>

#include "plugins/sdk/version.hpp"

/// The one thing that mo looks up in a plugin by name: `extern "C" const mo_plugin_description* mo_plugin_describe()`.
/// Everything else goes through `mo::Registry`, whose layout the build tag stands for. Written by MO_PLUGIN
/// (<mo/plugin.hpp>).

namespace mo {
class Registry;
}

/// Layout and meaning of mo_plugin_description. Members are never reordered; a change raises the number.
#define MO_PLUGIN_ABI_VERSION 1U

/// flags: what the plugin registers may take the place of what is built in under the same name.
#define MO_PLUGIN_OVERRIDES 1U

// What the same sources can be compiled to: the layout of std::string and the checked containers of the standard
// library differ.
#if defined(_GLIBCXX_DEBUG)
#define MO_PLUGIN_STANDARD_LIBRARY "libstdc++ with debug containers"
#elif defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI == 0
#define MO_PLUGIN_STANDARD_LIBRARY "libstdc++ with the old string"
#elif defined(__GLIBCXX__)
#define MO_PLUGIN_STANDARD_LIBRARY "libstdc++"
#elif defined(_LIBCPP_VERSION)
#define MO_PLUGIN_STANDARD_LIBRARY "libc++"
#else
#define MO_PLUGIN_STANDARD_LIBRARY "another standard library"
#endif

/// Plugin and mo must have been compiled from the same SDK headers: C++ objects cross the border.
#define MO_PLUGIN_BUILD_TAG "mo " MO_SDK_VERSION ", SDK " MO_SDK_FINGERPRINT ", " MO_PLUGIN_STANDARD_LIBRARY

extern "C" {

typedef struct mo_plugin_description {
  std::uint32_t abi_version;  ///< MO_PLUGIN_ABI_VERSION; looked at before anything else
  std::uint32_t flags;
  const char* build_tag;  ///< MO_PLUGIN_BUILD_TAG; equal to that of mo
  /// letters, digits, '-', '_', '.'; at most 64 of them; the owner of what the plugin registers
  const char* name;
  const char* version;
  void (*register_everything)(mo::Registry& registry);
} mo_plugin_description;

typedef const mo_plugin_description* (*mo_plugin_describe_function)();
}
