#include "reader.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <sstream>

namespace tiny {
namespace {

constexpr std::uint64_t kLargestModel = 16 * 1024 * 1024;

/// The whole number or real that `word` is, and nothing else.
template <class T>
std::optional<T> number(const std::string& word) {
  T value{};
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failed != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

class Reader {
 public:
  mo::Expected<std::unique_ptr<mo::Graph>> read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      std::istringstream words(line.substr(0, line.find('#')));
      words_.assign(std::istream_iterator<std::string>(words), {});
      if (!words_.empty()) MO_TRY(statement());
    }
    if (graph_->results().empty())
      return mo::error("TINY-0003", "the model has no output").hint("add a line: output <name>");
    return std::move(graph_);
  }

 private:
  template <class... Args>
  mo::Diagnostic malformed(fmt::format_string<Args...> text, Args&&... args) const {
    return mo::error("TINY-0001", "line {}: {}", line_, fmt::format(text, std::forward<Args>(args)...))
        .hint("see the example model.tiny");
  }

  mo::Expected<mo::Value> find(const std::string& name) const {
    if (const auto it = values_.find(name); it != values_.end()) return it->second;
    std::vector<std::string> known;
    for (const auto& [other, value] : values_) known.push_back(other);
    return mo::error("TINY-0002", "line {}: there is no '{}' above", line_, name)
        .hint("did you mean '{}'?", mo::nearest(name, known));
  }

  mo::Expected<void> statement() {
    if (words_.size() < 2) return malformed("expected a word and a name");
    if (words_[0] == "output") {
      MO_ASSIGN(const mo::Value value, find(words_[1]));
      graph_->create_result(value, words_[1] + "/result");
      return {};
    }
    if (values_.contains(words_[1])) return malformed("'{}' is there already", words_[1]);
    if (words_[0] == "input") return input();
    if (words_[0] == "const") return constant();
    return op();
  }

  /// Element type and dimensions, from word 2 up to `end`.
  mo::Expected<mo::TensorType> type(std::size_t end) const {
    const auto element = words_.size() > 2 ? mo::element_type_from(words_[2]) : std::nullopt;
    if (!element) return malformed("expected an element type such as f32");
    std::vector<mo::Dimension> dims;
    for (std::size_t i = 3; i < end; ++i) {
      const auto size = number<std::int64_t>(words_[i]);
      if (words_[i] != "?" && (!size || *size < 0)) return malformed("'{}' is not a dimension", words_[i]);
      dims.push_back(size ? mo::Dimension(*size) : mo::Dimension());
    }
    return mo::TensorType{*element, mo::PartialShape(std::move(dims))};
  }

  mo::Expected<void> input() {
    MO_ASSIGN(const mo::TensorType type, this->type(words_.size()));
    add(graph_->create_parameter(type, words_[1]));
    return {};
  }

  mo::Expected<void> constant() {
    const auto colon = static_cast<std::size_t>(std::find(words_.begin(), words_.end(), ":") - words_.begin());
    MO_ASSIGN(const mo::TensorType type, this->type(colon));
    const auto shape = type.shape.to_shape();
    const auto count = type.shape.element_count();
    std::vector<double> values;
    for (std::size_t i = colon + 1; i < words_.size(); ++i) {
      const auto value = number<double>(words_[i]);
      if (!value) return malformed("'{}' is not a number", words_[i]);
      values.push_back(*value);
    }
    if (!shape || !count || static_cast<std::size_t>(*count) != values.size())
      return malformed("{} values do not fill the shape", values.size());
    MO_ASSIGN(mo::Tensor tensor, mo::from_reals(type.element_type, *shape, values));
    add(graph_->create_constant(std::move(tensor), words_[1]));
    return {};
  }

  /// What an argument is and what a number, the words tell: names do not begin like numbers.
  mo::Expected<void> op() {
    std::vector<mo::Value> arguments;
    std::vector<double> numbers;
    for (std::size_t i = 2; i < words_.size(); ++i) {
      if (const auto value = number<double>(words_[i])) {
        numbers.push_back(*value);
        continue;
      }
      MO_ASSIGN(const mo::Value argument, find(words_[i]));
      arguments.push_back(argument);
    }
    const mo::Node node =
        graph_->create_node(mo::Op("tiny::" + words_[0], {{"numbers", std::move(numbers)}}), arguments, 1, words_[1]);
    node.set_origin({.framework = "Tiny", .op = words_[0]});
    add(node);
    return {};
  }

  void add(const mo::Node& node) {
    node.add_source(words_[1]);
    node.output().data().add_tensor_name(words_[1]);
    values_.emplace(words_[1], node.output());
  }

  std::unique_ptr<mo::Graph> graph_ = std::make_unique<mo::Graph>();
  std::map<std::string, mo::Value> values_;
  std::vector<std::string> words_;
  std::size_t line_ = 0;
};

}  // namespace

mo::Expected<std::unique_ptr<mo::Graph>> read(const std::string& path, const mo::Settings&, mo::DiagnosticSink&) {
  MO_ASSIGN(const mo::FilePtr file, mo::File::open(path));
  if (file->size() > kLargestModel)
    return mo::error("TINY-0001", "the file has {} bytes, which is not tiny", file->size());
  std::string text(file->size(), '\0');
  MO_TRY(file->read(0, std::as_writable_bytes(std::span(text))));
  return Reader().read(text);
}

}  // namespace tiny
