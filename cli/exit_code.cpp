#include "cli/exit_code.hpp"

#include <array>

namespace mo::cli {
namespace {

struct Row {
  std::string_view prefix;  ///< a whole code, or the beginning of one that ends with '-'
  ExitCode exit_code;
};

/// Areas first, then the codes that differ from their area. tests/lint/error_codes.py checks that each row is the one of some code, that each
/// code of mo has a row, and that docs/cli.md says the same.
constexpr std::array kRows = {
    Row{"MO-CLI-", ExitCode::usage},
    Row{"MO-CLI-0021", ExitCode::unsupported},  // framework that this version cannot read
    Row{"MO-CLI-0090", ExitCode::resource_limit},
    Row{"MO-CLI-0091", ExitCode::conversion_failed},

    Row{"MO-CORE-", ExitCode::conversion_failed},
    Row{"MO-CORE-0001", ExitCode::resource_limit},
    Row{"MO-CORE-0020", ExitCode::extension_failed},  // what a plugin registers is there already
    Row{"MO-CORE-0021", ExitCode::extension_failed},
    Row{"MO-IO-0001", ExitCode::input_unreadable},
    Row{"MO-IO-0002", ExitCode::input_unreadable},
    Row{"MO-IO-0003", ExitCode::input_unreadable},
    Row{"MO-IO-", ExitCode::input_malformed},  // external data: a path or a range that no model may ask for

    Row{"MO-PB-", ExitCode::input_malformed},
    Row{"MO-ONNX-", ExitCode::input_malformed},
    Row{"MO-ONNX-0402", ExitCode::unsupported},  // operators, types and modes that an IR cannot express
    Row{"MO-ONNX-0405", ExitCode::unsupported},
    Row{"MO-ONNX-0408", ExitCode::unsupported},
    Row{"MO-ONNX-0411", ExitCode::unsupported},
    Row{"MO-ONNX-0422", ExitCode::unsupported},
    Row{"MO-ONNX-0423", ExitCode::unsupported},
    Row{"MO-ONNX-0470", ExitCode::unsupported},
    Row{"MO-ONNX-0472", ExitCode::unsupported},
    Row{"MO-TF-", ExitCode::input_malformed},
    Row{"MO-TF-0010", ExitCode::resource_limit},  // nodes, nesting, sizes
    Row{"MO-TF-0011", ExitCode::resource_limit},
    Row{"MO-TF-0015", ExitCode::resource_limit},
    Row{"MO-TF-0023", ExitCode::resource_limit},
    Row{"MO-TF-0030", ExitCode::input_unreadable},  // no SavedModel in the folder
    Row{"MO-TF-0014", ExitCode::unsupported},       // recursion, state, files, strings, queues, Python: what an IR does not have
    Row{"MO-TF-0040", ExitCode::unsupported},
    Row{"MO-TF-0042", ExitCode::unsupported},
    Row{"MO-TF-0740", ExitCode::unsupported},
    Row{"MO-TF-0741", ExitCode::unsupported},
    Row{"MO-TF-0742", ExitCode::unsupported},
    Row{"MO-TF-0743", ExitCode::unsupported},
    Row{"MO-CAFFE-", ExitCode::input_malformed},
    Row{"MO-CAFFE-0009", ExitCode::resource_limit},
    Row{"MO-CAFFE-0020", ExitCode::input_unreadable},  // no topology beside the weights
    Row{"MO-CAFFE-0021", ExitCode::usage},
    Row{"MO-CAFFE-0031", ExitCode::usage},  // no weights were given
    Row{"MO-CAFFE-0036", ExitCode::usage},
    Row{"MO-CAFFE-0040", ExitCode::extension_failed},  // the mapping of custom layers
    Row{"MO-CAFFE-0041", ExitCode::extension_failed},
    Row{"MO-CAFFE-0042", ExitCode::extension_failed},
    Row{"MO-IR-", ExitCode::input_malformed},
    Row{"MO-IR-0010", ExitCode::unsupported},  // an IR with operations that are not known
    Row{"MO-GRAPH-", ExitCode::conversion_failed},
    Row{"MO-GRAPH-0010", ExitCode::input_malformed},  // a cycle: whoever reads a model makes it, our passes do not
    Row{"MO-TEXT-", ExitCode::conversion_failed},
    Row{"MO-CUT-", ExitCode::conversion_failed},
    Row{"MO-PRE-", ExitCode::conversion_failed},
    Row{"MO-HALF-", ExitCode::conversion_failed},
    Row{"MO-OPS-", ExitCode::conversion_failed},
    Row{"MO-EXEC-", ExitCode::conversion_failed},
    Row{"MO-LAYOUT-", ExitCode::conversion_failed},
    Row{"MO-PASS-", ExitCode::conversion_failed},
    Row{"MO-PASS-0022", ExitCode::extension_failed},  // settings of --transform
    Row{"MO-PASS-0023", ExitCode::extension_failed},
    Row{"MO-FRONT-", ExitCode::conversion_failed},
    Row{"MO-FRONT-0001", ExitCode::unsupported},  // operations that have no extractor
    Row{"MO-FRONT-0002", ExitCode::unsupported},  // …or none for the version of the op set

    Row{"MO-DRIVER-0001", ExitCode::usage},  // --dump-after is no regular expression
    Row{"MO-DRIVER-0002", ExitCode::output_unwritable},
    Row{"MO-DRIVER-0003", ExitCode::output_unwritable},
    Row{"MO-DRIVER-0005", ExitCode::unsupported},

    Row{"MO-BACK-", ExitCode::conversion_failed},
    Row{"MO-BACK-0001", ExitCode::unsupported},  // the IR version cannot express the model
    Row{"MO-BACK-0002", ExitCode::unsupported},
    Row{"MO-BACK-0004", ExitCode::unsupported},
    Row{"MO-EMIT-", ExitCode::conversion_failed},
    Row{"MO-EMIT-0007", ExitCode::unsupported},
    Row{"MO-EMIT-0001", ExitCode::output_unwritable},
    Row{"MO-EMIT-0002", ExitCode::output_unwritable},
    Row{"MO-EMIT-0003", ExitCode::output_unwritable},  // the model itself would be overwritten
    Row{"MO-EMIT-0012", ExitCode::output_unwritable},

    Row{"MO-CONFIG-", ExitCode::extension_failed},
    Row{"MO-PLUGIN-", ExitCode::extension_failed},
};

}  // namespace

ExitCode exit_code_of(std::string_view diagnostic_code) {
  std::size_t longest = 0;
  ExitCode found = ExitCode::conversion_failed;  // codes of plugins have no rows
  for (const Row& row : kRows) {
    const bool matches = row.prefix.back() == '-' ? diagnostic_code.starts_with(row.prefix) : diagnostic_code == row.prefix;
    if (!matches || row.prefix.size() <= longest) continue;
    longest = row.prefix.size();
    found = row.exit_code;
  }
  return found;
}

ExitCode exit_code_of(const Error& error) { return exit_code_of(error.first().code); }

}  // namespace mo::cli
