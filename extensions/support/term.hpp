#pragma once

#include "extensions/support/front.hpp"
#include "ops/build/term.hpp"
