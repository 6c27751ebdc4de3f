#pragma once

// Everything that a file which defines an op needs.
#include "core/op/eval_context.hpp"
#include "core/op/infer_context.hpp"
#include "core/op/op.hpp"
#include "core/op/op_registry.hpp"
