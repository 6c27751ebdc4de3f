#include "tools/opt/options.hpp"

#include <CLI/CLI.hpp>

namespace mo::tools {
Expected<OptOptions> parse_opt_options(const Invocation& invocation) {
  OptOptions options;
  CLI::App app{
      "Runs transformations on a model: an IR (.xml), a text form, or anything that mo converts.\n"
      "All options of mo that say how a model is read are understood as well."};
  begin_subcommand_options(app, invocation, "", options);
  app.add_option("--passes", options.passes, "transformations in order: \"GeluFusion moc(use_shapes=false)\"")
      ->type_name("LIST");
  app.add_option("-o,--output", options.output,
                 "write there: .xml (with .bin), .mo or .txt (text form); default: text form on the terminal")
      ->type_name("FILE");
  const auto names = [&](const char* option, std::vector<std::string>& to, const char* what) {
    app.add_option(option, to, what)->type_name("NAME,…")->delimiter(',')->allow_extra_args(false);
  };
  names("--enable", options.enable, "run what is off by default inside of pipelines");
  names("--disable", options.disable, "do not run these");
  names("--only", options.only, "of what pipelines have, run only these");
  names("--describe", options.describe, "say what these transformations do, and end");
  app.add_option("--leave", options.leave, "nodes whose name contains this regular expression (RE2) stay as they are")
      ->type_name("EXPRESSION");
  app.add_option("--stage", options.stage,
                 "of a framework's model: inferred (as it was read, with types) or converted; default: converted")
      ->check(CLI::IsMember({"inferred", "converted"}));
  app.add_flag("--print-passes", options.print_passes, "list all transformations, and end");
  app.add_flag("--dump-changes", options.dump_changes, "print what each transformation changed in the text form");
  app.add_flag("--time-passes", options.time_passes, "print the time of each transformation");
  app.add_option("--trace", options.trace, "write the times as a trace that chrome://tracing and Perfetto show")
      ->type_name("FILE.json");
  app.add_option("--visualize", options.visualize, "write a picture after each transformation")->type_name("DIR");
  app.add_option("--verify-each", options.verify,
                 "check the graph after each transformation; numbers: and that it computes the same")
      ->expected(0, 1)
      ->default_str("graph")
      ->check(CLI::IsMember({"graph", "numbers"}));
  app.add_option("--bisect-limit", options.bisect_limit, "run only the first N transformations")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--json", options.json, "with --print-passes and --describe: as JSON");
  MO_TRY(parse_subcommand_line(app, invocation, "MO-OPT-0002", options));
  return options;
}

}  // namespace mo::tools
