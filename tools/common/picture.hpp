#pragma once

#include <string>
#include <string_view>

#include "core/text/visualize_tree.hpp"

namespace mo {
class InputFiles;
}

namespace mo::tools {

/// What the original's environment variables OV_VISUALIZE_TREE_… and NGRAPH_VISUALIZE_… ask for, over `defaults`. Error
/// MO-OPT-0004.
Expected<VisualizeOptions> visualize_options(VisualizeOptions defaults = {});

/// Whether a picture of that name has to be drawn; otherwise it is text in the dot language.
bool is_drawn(const std::string& path);

/// Writes a picture of a graph in the dot language: as it is for ".dot", otherwise drawn by Graphviz's library (svg,
/// png, pdf …, or a page around the svg for ".html"), which is loaded now. Errors: MO-DRAW-0001 (the library is not
/// there), MO-DRAW-0002 (it cannot draw this), those of write_file.
Expected<void> write_picture(const std::string& path, const std::string& dot, const InputFiles* inputs = nullptr);

}  // namespace mo::tools
