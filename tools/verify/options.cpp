#include "tools/verify/options.hpp"

#include <array>

#include "tools/verify/engine.hpp"

namespace mo::tools {
namespace {

using VerifyRow = OptionOf<VerifyOptions>;

constexpr SubcommandText kVerifyText = {
    "MO-VERIFY-0007", "MODEL [IR|MODEL]",
    "Runs a model as its framework would, and its IR (or another model) with the same inputs, and compares. Where "
    "the outputs differ, it finds the "
    "first\n"
    "layer whose numbers part. Without a second model, it converts and checks what it wrote.\n"
    "All options of mo that say how a model is read and converted are understood as well.\n"
    "Exit code 0: the same; 8: different; others: could not tell."};

constexpr std::array kVerifyRows = {
    VerifyRow{{.name = "checked",
               .takes = Takes::value,
               .metavar = "IR|MODEL",
               .help = "the same as a second model on the line"},
              set_text<&VerifyOptions::request, &VerifyRequest::checked>},
    VerifyRow{{.name = "weights",
               .takes = Takes::value,
               .metavar = "FILE.bin",
               .is_path = true,
               .help = "of an IR: the .bin file; default: beside the .xml file, with the same name"},
              set_text<&VerifyOptions::request, &VerifyRequest::weights>},
    VerifyRow{
        {.name = "reference",
         .takes = Takes::value,
         .metavar = "DIR",
         .is_path = true,
         .help = "arrays that are right: one NAME.npy for each input and for whatever else is known, by tensor name"},
        set_text<&VerifyOptions::request, &VerifyRequest::reference>},
    VerifyRow{
        {.name = "engine",
         .takes = Takes::value,
         .metavar = "NAME[@VERSION]",
         .help = "who computes the truth, instead of mo itself: onnxruntime, opencv (Caffe) and tensorflow compute the "
                 "model, openvino the IR; "
                 "openvino@2024.6: that release"},
        set_text<&VerifyOptions::engine>},
    VerifyRow{{.name = "python",
               .takes = Takes::value,
               .metavar = "PATH",
               .is_path = true,
               .help = "the Python that has the engine; default: MO_ENGINE_PYTHON, else python3"},
              set_text<&VerifyOptions::request, &VerifyRequest::engine, &EngineRequest::python>},
    VerifyRow{{.name = "array",
               .takes = Takes::list,
               .metavar = "[NAME=]SOURCE",
               .is_path = true,
               .help = "value of one input, as mo run reads it: a .npy file, a .npz archive, a .png or .jpg, "
                       "random[:SEED] or zeros, by tensor name or friendly name; default: random numbers"},
              add_value<&VerifyOptions::request, &VerifyRequest::arrays>},
    VerifyRow{{.name = "seed", .takes = Takes::value, .metavar = "N", .help = "of the random numbers; default: 1"},
              set_number<Sign::any, &VerifyOptions::request, &VerifyRequest::seed>},
    VerifyRow{{.name = "seeds",
               .takes = Takes::value,
               .metavar = "N",
               .help = "compare with so many sets of random numbers; default: 1"},
              set_number<Sign::positive, &VerifyOptions::request, &VerifyRequest::seeds>},
    VerifyRow{{.name = "rtol",
               .takes = Takes::value,
               .metavar = "X",
               .help = "relative tolerance; default: 0.001, with half types 0.02"},
              set_number<Sign::not_negative, &VerifyOptions::request, &VerifyRequest::relative>},
    VerifyRow{{.name = "atol",
               .takes = Takes::value,
               .metavar = "X",
               .help = "absolute tolerance; default: 0.000001, with half types 0.001"},
              set_number<Sign::not_negative, &VerifyOptions::request, &VerifyRequest::absolute>},
    VerifyRow{{.name = "bisect", .help = "find the pass of the conversion after which the numbers differ"},
              set_flag<&VerifyOptions::request, &VerifyRequest::bisect>},
    VerifyRow{{.name = "portable", .help = "use only the portable kernels: slower, the same numbers on every machine"},
              set_flag<&VerifyOptions::request, &VerifyRequest::portable>},
    VerifyRow{{.name = "report",
               .takes = Takes::value,
               .metavar = "FILE",
               .is_path = true,
               .help = "write a report: .html (a page with both graphs) or .json (docs/schemas/report.schema.json)"},
              set_text<&VerifyOptions::report>},
    VerifyRow{{.name = "json", .help = "the result as JSON (docs/schemas/verify.schema.json)"},
              set_flag<&VerifyOptions::json>},
};

}  // namespace

Expected<VerifyOptions> parse_verify_options(const Invocation& invocation) {
  VerifyOptions options;
  VerifyRequest& request = options.request;
  MO_TRY(parse_subcommand_line(kVerifyText, kVerifyRows, invocation, options, {&options.model, &request.checked}));
  if (options.engine.empty()) return options;
  std::string python = std::move(request.engine.python);
  MO_ASSIGN(request.engine, parse_engine(options.engine));
  request.engine.python = std::move(python);
  if (!request.reference.empty())
    return error("MO-VERIFY-0007", "--engine and --reference both say what is right").hint("give one of them");
  return options;
}

}  // namespace mo::tools
