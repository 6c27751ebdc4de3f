#include "tools/common/picture.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "core/support/printable.hpp"
#include "core/support/static_program.hpp"
#include "tools/common/environment.hpp"
#include "tools/common/picture_page.hpp"
#include "tools/common/write_file.hpp"

namespace mo::tools {
namespace {

/// The six functions of Graphviz that draw. They are found by name: no header of it is needed to build, nor the library
/// to run without pictures.
struct Graphviz {
  void* (*new_context)();
  void* (*read)(const char*);
  int (*layout)(void*, void*, const char*);
  int (*render)(void*, void*, const char*, char**, unsigned*);
  int (*free_layout)(void*, void*);
  void (*free_data)(char*);
  int (*close)(void*);

  static Expected<Graphviz> load() {
    if (is_static_program())
      return error("MO-DRAW-0001", "this mo is one static file, which cannot load Graphviz's library")
          .hint("use the mo of the package model-optimizer, or give the picture a name that ends in .dot");
    void* const gvc = dlopen("libgvc.so.6", RTLD_NOW | RTLD_GLOBAL);
    void* const cgraph = dlopen("libcgraph.so.6", RTLD_NOW | RTLD_GLOBAL);
    if (gvc == nullptr || cgraph == nullptr)
      return error("MO-DRAW-0001", "Graphviz's library is not there")
          .hint("install it (Debian: apt install libgvc6), or give the picture a name that ends in .dot");
    Graphviz made{};
    const auto find = [&](auto& function, void* library, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    const bool all = find(made.new_context, gvc, "gvContext") && find(made.read, cgraph, "agmemread") &&
                     find(made.layout, gvc, "gvLayout") && find(made.render, gvc, "gvRenderData") &&
                     find(made.free_layout, gvc, "gvFreeLayout") && find(made.free_data, gvc, "gvFreeRenderData") &&
                     find(made.close, cgraph, "agclose");
    if (!all)
      return error("MO-DRAW-0001", "Graphviz's library is another one than expected")
          .hint("install libgvc6 of Graphviz 2.42 to 12");
    return made;
  }
};

std::string html_text(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else
      escaped += c;
  }
  return escaped;
}

/// A page with the drawing, without what comes before the element <svg>: HTML has no XML declaration.
std::string page_of(std::string_view svg, const std::string& path) {
  svg.remove_prefix(std::min(svg.find("<svg"), svg.size()));
  std::string page(kPicturePageHead);
  page += html_text(std::filesystem::path(path).stem().string());
  page += kPicturePageMiddle;
  page += svg;
  page += kPicturePageTail;
  return page;
}

}  // namespace

Expected<VisualizeOptions> visualize_options(VisualizeOptions options) {
  const auto flag = [](std::initializer_list<const char*> names, bool& option) -> Expected<void> {
    MO_ASSIGN(option, environment_flag(names, option));
    return {};
  };
  MO_TRY(flag({"OV_VISUALIZE_TREE_OUTPUT_SHAPES", "NGRAPH_VISUALIZE_TREE_OUTPUT_SHAPES"}, options.shapes));
  MO_TRY(flag({"OV_VISUALIZE_TREE_OUTPUT_TYPES", "NGRAPH_VISUALIZE_TREE_OUTPUT_TYPES"}, options.types));
  MO_TRY(flag({"OV_VISUALIZE_TREE_IO", "NGRAPH_VISUALIZE_TREE_IO"}, options.ports));
  MO_TRY(flag({"OV_VISUALIZE_TREE_MEMBERS_NAME", "NGRAPH_VISUALIZE_TREE_MEMBERS_NAME"}, options.member_names));
  MO_TRY(flag({"OV_VISUALIZE_TREE_RUNTIME_INFO", "NGRAPH_VISUALIZE_TREE_RUNTIME_INFO"}, options.runtime_info));
  MO_TRY(
      flag({"OV_VISUALIZE_TREE_MIN_MAX_DENORMAL", "NGRAPH_VISUALIZE_TREE_MIN_MAX_DENORMAL"}, options.min_max_denormal));
  MO_TRY(flag({"OV_VISUALIZE_TREE_EDGE_LABELS", "NGRAPH_VISUALIZE_EDGE_LABELS"}, options.edge_labels));
  MO_TRY(flag({"OV_VISUALIZE_TREE_EDGE_JUMP_DISTANCE", "NGRAPH_VISUALIZE_EDGE_JUMP_DISTANCE"}, options.edge_jumps));
  MO_ASSIGN(const std::int64_t elements,
            environment_number({"OV_VISUALIZE_TREE_CONST_MAX_ELEMENTS", "NGRAPH_VISUALIZE_TREE_CONST_MAX_ELEMENTS"},
                               static_cast<std::int64_t>(options.constant_elements)));
  options.constant_elements = static_cast<std::size_t>(std::max<std::int64_t>(elements, 0));
  return options;
}

bool is_drawn(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return !ending.empty() && ending != ".dot";
}

Expected<void> write_picture(const std::string& path, const std::string& dot, const InputFiles* inputs) {
  if (!is_drawn(path)) return write_file(path, dot, inputs);
  const std::string ending = std::filesystem::path(path).extension().string();
  MO_ASSIGN(const Graphviz graphviz, Graphviz::load());
  static void* const kContext = graphviz.new_context();  // one for the process, as the library wants it
  void* const graph = graphviz.read(dot.c_str());
  const bool is_page = ending == ".html";
  const std::string format = is_page ? "svg" : ending.substr(1);
  char* data = nullptr;
  unsigned length = 0;
  const bool laid_out = graph != nullptr && graphviz.layout(kContext, graph, "dot") == 0;
  const bool drawn = laid_out && graphviz.render(kContext, graph, format.c_str(), &data, &length) == 0;
  const std::string picture = drawn ? std::string(data, length) : std::string();
  if (drawn) graphviz.free_data(data);
  if (laid_out) graphviz.free_layout(kContext, graph);
  if (graph != nullptr) graphviz.close(graph);
  if (!drawn)
    return error("MO-DRAW-0002", "Graphviz cannot draw '{}' as {}", path, format)
        .hint("choose .html, .svg, .png, .pdf or .dot");
  return write_file(path, is_page ? page_of(picture, path) : picture, inputs);
}

}  // namespace mo::tools
