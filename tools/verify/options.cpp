#include "tools/verify/options.hpp"

#include <CLI/CLI.hpp>
#include "tools/verify/engine.hpp"

namespace mo::tools {

Expected<VerifyOptions> parse_verify_options(const Invocation& invocation) {
  VerifyOptions options;
  VerifyRequest& request = options.request;
  std::string engine;
  CLI::App app{
      "Runs a model as its framework would, and its IR (or another model) with the same inputs, and compares. Where "
      "the outputs differ, it finds the "
      "first\n"
      "layer whose numbers part. Without a second model, it converts and checks what it wrote.\n"
      "All options of mo that say how a model is read and converted are understood as well.\n"
      "Exit code 0: the same; 8: different; others: could not tell."};
  begin_subcommand_options(app, invocation, "MODEL [IR|MODEL]", options);
  app.add_option("--checked", request.checked, "the same as a second model on the line")->type_name("IR|MODEL");
  app.add_option("--weights", request.weights,
                 "of an IR: the .bin file; default: beside the .xml file, with the same name")
      ->type_name("FILE.bin");
  app.add_option("--reference", request.reference,
                 "arrays that are right: one NAME.npy for each input and for whatever else is known, by tensor name")
      ->type_name("DIR");
  app.add_option("--engine", engine,
                 "who computes the truth, instead of mo itself: onnxruntime, opencv (Caffe) and tensorflow compute the "
                 "model, openvino the IR; "
                 "openvino@2024.6: that release")
      ->type_name("NAME[@VERSION]");
  app.add_option("--python", request.engine.python,
                 "the Python that has the engine; default: MO_ENGINE_PYTHON, else python3")
      ->type_name("PATH");
  app.add_option("--array", request.arrays,
                 "array for one input, by tensor name or friendly name; default: random numbers")
      ->type_name("[NAME=]FILE.npy")
      ->allow_extra_args(false);
  app.add_option("--seed", request.seed, "of the random numbers; default: 1")->type_name("N");
  app.add_option("--seeds", request.seeds, "compare with so many sets of random numbers; default: 1")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  app.add_option("--rtol", request.relative, "relative tolerance; default: 0.001, with half types 0.02")
      ->type_name("X")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--atol", request.absolute, "absolute tolerance; default: 0.000001, with half types 0.001")
      ->type_name("X")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--bisect", request.bisect, "find the pass of the conversion after which the numbers differ");
  app.add_flag("--portable", request.portable,
               "use only the portable kernels: slower, the same numbers on every machine");
  app.add_option("--report", options.report,
                 "write a report: .html (a page with both graphs) or .json (docs/schemas/report.schema.json)")
      ->type_name("FILE");
  app.add_flag("--json", options.json, "the result as JSON (docs/schemas/verify.schema.json)");
  MO_TRY(parse_subcommand_line(app, invocation, "MO-VERIFY-0007", options, {&options.model, &request.checked}));
  if (engine.empty()) return options;
  std::string python = std::move(request.engine.python);
  MO_ASSIGN(request.engine, parse_engine(engine));
  request.engine.python = std::move(python);
  if (!request.reference.empty())
    return error("MO-VERIFY-0007", "--engine and --reference both say what is right").hint("give one of them");
  return options;
}

}  // namespace mo::tools
