#include "tools/inspect/summarize.hpp"

int main(int argc, char** argv) { return mo::tools::summarize_main(argc, argv) == mo::ExitCode::ok ? 0 : 255; }
