#include "extensions/library/library.hpp"

#include "core/diagnostics/assert.hpp"

namespace mo::library {

// Defined by the generated manifests of the drop-in folders.
namespace cleanup {
void register_all(PassLibrary& library);
}
namespace control_flow {
void register_all(PassLibrary& library);
}
namespace decompositions {
void register_all(PassLibrary& library);
}
namespace fusions {
void register_all(PassLibrary& library);
}
namespace offline {
void register_all(PassLibrary& library);
}
namespace op_versions {
void register_all(PassLibrary& library);
}
namespace pipelines {
void register_all(PassLibrary& library);
}
namespace precision {
void register_all(PassLibrary& library);
}
namespace reshaping {
void register_all(PassLibrary& library);
}

void register_transformations(PassLibrary& library) {
  cleanup::register_all(library);
  control_flow::register_all(library);
  decompositions::register_all(library);
  fusions::register_all(library);
  offline::register_all(library);
  op_versions::register_all(library);
  pipelines::register_all(library);
  precision::register_all(library);
  reshaping::register_all(library);
}

const PassLibrary& transformations() {
  static const PassLibrary kLibrary = [] {
    PassLibrary library;
    register_transformations(library);
    const auto sound = library.check();
    const std::string why = sound ? std::string() : sound.error().first().message;
    MO_ASSERT(sound.has_value(), why.c_str());
    return library;
  }();
  return kLibrary;
}

}  // namespace mo::library
