#include "core/attributes/attribute_value.hpp"
#include "core/graph/graph.hpp"

namespace mo {

Body::Body() : graph_(std::make_unique<Graph>()) {}
Body::Body(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}
Body::~Body() = default;
Body::Body(Body&& other) noexcept = default;
Body& Body::operator=(Body&& other) noexcept = default;

Body Body::clone() const { return Body(graph_->clone()); }

}  // namespace mo
