#include "tools/opt/library.hpp"

#include "driver/assembly.hpp"
#include "extensions/library/library.hpp"

namespace mo::tools {

Expected<PassLibrary> library_for(const Options& options, const std::string& framework) {
  PassLibrary all;
  library::register_transformations(all);
  MO_ASSIGN(const std::unique_ptr<Assembly> assembly, assemble_for(options, framework));
  for (const Pass& pass : assembly->registry.passes().passes())
    if (!all.find(pass.name)) all.add(pass);
  MO_TRY(all.check());
  return all;
}

}  // namespace mo::tools
