#pragma once

#include <initializer_list>
#include <optional>

#include "core/attributes/attribute_value.hpp"
#include "extensions/config/json_document.hpp"

namespace mo::config {

/// What is wrong with one config file: everything is collected, each with its place and the path of keys that leads
/// there.
class JsonProblems {
 public:
  explicit JsonProblems(std::string file) : file_(std::move(file)) {}

  /// At most kListed problems are kept, the others are counted.
  static constexpr std::size_t kListed = 40;
  void add(Diagnostic problem, Place place, std::string_view key_path);
  bool empty() const { return items_.empty(); }
  const std::string& file() const { return file_; }
  Expected<void> finish();

 private:
  std::string file_;
  std::vector<Diagnostic> items_;
  std::size_t more_ = 0;
};

/// A value that is expected to have a certain form, and the way to it from the root ("[1].instances.start_points").
/// What does not fit is reported, and reading goes on with nothing.
class JsonView {
 public:
  JsonView(const JsonValue& value, JsonProblems& problems, std::string path = {})
      : value_(&value), problems_(&problems), path_(std::move(path)) {}

  const JsonValue& value() const { return *value_; }
  const std::string& path() const { return path_; }
  JsonKind kind() const { return value_->kind; }
  JsonProblems& problems() const { return *problems_; }

  /// Error MO-CONFIG-0003 unless the value is of that kind; an integer is a real too.
  bool expect(JsonKind kind) const;

  /// Members of an object. `require` reports MO-CONFIG-0004 for a missing key.
  std::optional<JsonView> find(std::string_view key) const;
  std::optional<JsonView> require(std::string_view key) const;
  /// Error MO-CONFIG-0005 for each other key, with the nearest one.
  void allow_keys(std::initializer_list<std::string_view> keys) const;

  /// Elements of a list, members of an object in their order; empty when it is something else, which is reported.
  std::vector<JsonView> items() const;
  std::vector<std::pair<std::string, JsonView>> members() const;

  std::optional<std::string> text() const;
  std::optional<std::int64_t> integer() const;
  std::optional<double> real() const;
  std::optional<bool> boolean() const;
  std::optional<std::vector<std::string>> texts() const;
  /// A string out of a few.
  std::optional<std::string> one_of(std::initializer_list<std::string_view> choices) const;

  /// The value as an attribute: lists of equal kind become vectors, objects records.
  AttributeValue attribute() const;

  /// Reports what only the caller can know.
  void problem(Diagnostic problem) const { problems_->add(std::move(problem), value_->place, path_); }

 private:
  const JsonValue* value_;
  JsonProblems* problems_;
  std::string path_;
};

/// An attribute for each member of an object.
AttributeMap to_attributes(const JsonView& object);

}  // namespace mo::config
