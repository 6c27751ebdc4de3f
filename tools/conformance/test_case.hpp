#pragma once

#include <string>
#include <vector>

#include "core/execution/executor.hpp"
#include "core/op/kernel_table.hpp"
#include "core/op/op_registry.hpp"
#include "tools/conformance/outcome.hpp"

namespace mo::conformance {

/// A folder of ONNX's test data: model.onnx and test_data_set_<i>/{input,output}_<j>.pb.
struct TestCase {
  std::string name;  ///< "<parent folder>/<folder>": "node/test_abs"
  std::string folder;
};

/// All test folders in `root` or in its sub-folders, sorted by name. Error MO-RUN-0020 when there is none.
Expected<std::vector<TestCase>> find_tests(const std::string& root);

struct TestOptions {
  int ir_version = 11;
  const OpRegistry* registry = nullptr;
  const KernelTable* kernels = nullptr;  ///< null: the portable ones
  /// folder in which the IR of each test stays, as <name>/model.xml and .bin; empty: none stays
  std::string keep;
};

/// Converts the model, reads the IR back, runs it on every data set and compares. Writes into `scratch` only, or into
/// `options.keep`.
Outcome run_test(const TestCase& test, const std::string& scratch, const TestOptions& options);

/// The order in which the test's inputs go to the model's Parameters: by the tensor names in the files when each
/// Parameter finds one, else by position when the numbers agree. Error MO-RUN-0022 otherwise.
Expected<std::vector<std::size_t>> input_order(const Graph& graph, const std::vector<std::string>& names);

}  // namespace mo::conformance
