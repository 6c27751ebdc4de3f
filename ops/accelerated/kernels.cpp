#include "core/op/kernel_table.hpp"
#include "ops/accelerated/engine.hpp"

/// The entry that the executor looks up after loading this library.
extern "C" __attribute__((visibility("default"))) void mo_accelerated_kernels(mo::KernelTable* table) {
  mo::ops::accelerated::add_convolutions(*table);
  mo::ops::accelerated::add_mat_mul(*table);
}
