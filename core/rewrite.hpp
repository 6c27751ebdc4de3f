#pragma once

// Everything that a file which defines a pass or a replacer needs.
#include "core/pass/pass.hpp"
#include "core/pattern/pattern.hpp"
#include "core/registry/pass_registry.hpp"
