#include "tools/diff/compare.hpp"

int main(int argc, char** argv) { return mo::tools::compare_main(argc, argv); }
