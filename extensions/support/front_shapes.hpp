#pragma once

#include "extensions/support/front.hpp"
