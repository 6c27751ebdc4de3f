#include "cli/program.hpp"

int main(int argc, char** argv) { return mo::cli::program(argc, argv); }
