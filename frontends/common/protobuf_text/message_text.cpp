#include "frontends/common/protobuf_text/message_text.hpp"

#include <google/protobuf/arena.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/support/budget.hpp"
#include "frontends/common/protobuf_text/element_scanner.hpp"

namespace mo::frontends {
namespace {

namespace pb = google::protobuf;

/// Characters that are parsed at once. Of the smallest messages, five megabytes come of them.
constexpr std::size_t kPiece = std::size_t{128} << 10;
constexpr std::size_t kListedErrors = 20;
/// Parsing and writing, in the unit of Budget::spend.
constexpr std::uint64_t kWorkPerCharacter = 40;

/// Where something stands; both count from 0.
struct Place {
  int line = 0;
  int column = 0;
};

/// Keeps what the parser has to say instead of printing it.
class Collector final : public pb::io::ErrorCollector {
 public:
  Collector(const TextRules& rules, Place start) : rules_(rules), start_(start) {}
  void AddError(int line, pb::io::ColumnNumber column, const std::string& message) override {
    if (errors.size() >= kListedErrors) return;
    errors.push_back(error(rules_.code, "line {}, column {}: {}", start_.line + line + 1,
                           column + (line == 0 ? start_.column : 0) + 1, message)
                         .hint("the text form is that of {}", rules_.message));
  }
  void AddWarning(int, pb::io::ColumnNumber, const std::string&) override {}

  std::vector<Diagnostic> errors;

 private:
  const TextRules& rules_;
  Place start_;  ///< of the text that is parsed
};

/// The entries of maps come in one order: the same text is the same message.
void append_bytes(const pb::Message& message, std::string& out) {
  pb::io::StringOutputStream stream(&out);
  // The destructor writes what is left, which would end the process after a std::bad_alloc: it is not called. The
  // object owns nothing.
  union Coded {
    explicit Coded(pb::io::StringOutputStream& to) : stream(&to) {}
    ~Coded() {}  // NOLINT(modernize-use-equals-default): of a union with such a member
    pb::io::CodedOutputStream stream;
  } coded(stream);
  coded.stream.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded.stream);
  coded.stream.Trim();
}

void append_varint(std::uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

class TextReader {
 public:
  TextReader(std::string_view text, const TextRules& rules) : text_(text), rules_(rules) {}

  /// Appends the wire form of the fields in `range`. The messages of its type come of `prototype`; `depth` of them are
  /// around it.
  Expected<void> read(TextRange range, const pb::Message& prototype, int depth) {
    if (range.size() <= kPiece) return read_piece(range, prototype, depth, nullptr);
    MO_TRY(spend(range.size()));
    std::set<int> single;  // fields that may not come again
    std::size_t begin = range.begin;
    TextElement element;
    for (ElementScanner scanner(text_, range, kPiece); scanner.next(element);) {
      if (element.inner.size() > kPiece)
        if (const pb::FieldDescriptor* field = message_field(element, prototype, depth)) {
          MO_TRY(read_piece({begin, element.name.begin}, prototype, depth, &single));
          if (!field->is_repeated() && !single.insert(field->number()).second)
            return comes_twice(*field, element.name.begin);
          MO_TRY(read_long(element, *field, depth));
          begin = element.end;
          continue;
        }
      // a list may turn out to be the name of an extension
      if (element.end - begin < kPiece || text_[element.open] == '[') continue;
      MO_TRY(read_piece({begin, element.end}, prototype, depth, &single));
      begin = element.end;
    }
    return read_piece({begin, range.end}, prototype, depth, &single);
  }

  std::string take() { return std::move(bytes_); }

 private:
  /// The field of an element if it can be taken apart: it is known, and a message or a list of them.
  const pb::FieldDescriptor* message_field(const TextElement& element, const pb::Message& prototype, int depth) const {
    if (depth + 1 >= rules_.depth) return nullptr;
    const std::string name(text_.substr(element.name.begin, element.name.size()));
    const pb::FieldDescriptor* field = prototype.GetDescriptor()->FindFieldByName(name);
    if (!field || field->type() != pb::FieldDescriptor::TYPE_MESSAGE || field->is_map()) return nullptr;
    return text_[element.open] != '[' || field->is_repeated() ? field : nullptr;
  }

  /// A message or a list of messages.
  Expected<void> read_long(const TextElement& element, const pb::FieldDescriptor& field, int depth) {
    if (!element.closed) return fail(element.open, "this bracket is not closed, or is closed by a different one");
    if (text_[element.open] != '[') return read_value(element.inner, field, depth);
    ElementScanner items(text_, element.inner, kPiece);
    TextElement item;
    std::size_t behind = element.inner.begin;
    while (items.next(item)) {
      if (ElementScanner::skip_blank(text_, behind, element.inner.end) != item.open || !item.closed ||
          text_[item.open] == '[')
        break;
      MO_TRY(read_value(item.inner, field, depth));
      behind = item.end;
    }
    const std::size_t rest = ElementScanner::skip_blank(text_, behind, element.inner.end);
    if (rest < element.inner.end)
      return fail(rest, fmt::format("a list of {} contains something else here", field.name()));
    return {};
  }

  /// Reads one message and puts its tag and length before it.
  Expected<void> read_value(TextRange range, const pb::FieldDescriptor& field, int depth) {
    const std::size_t start = bytes_.size();
    MO_TRY(read(range, *pb::MessageFactory::generated_factory()->GetPrototype(field.message_type()), depth + 1));
    std::string head;
    append_varint(static_cast<std::uint64_t>(field.number()) << 3 | 2, head);  // wire type 2: length-delimited
    append_varint(bytes_.size() - start, head);
    bytes_.insert(start, head);
    return {};
  }

  /// Fields that are parsed at once. `single`: what earlier pieces of the same message have.
  Expected<void> read_piece(TextRange range, const pb::Message& prototype, int depth, std::set<int>* single) {
    if (range.size() == 0) return {};
    MO_TRY(spend(range.size() * kWorkPerCharacter));
    // when memory fails, it frees what it gave: messages by themselves would free a part that was never made
    pb::Arena arena;
    pb::Message& message = *prototype.New(&arena);
    Collector collector(rules_, place_of(range.begin));
    pb::TextFormat::Parser parser;
    parser.RecordErrorsTo(&collector);
    parser.SetRecursionLimit(rules_.depth - depth);
    parser.AllowUnknownField(rules_.skips_unknown_fields);
    pb::io::ArrayInputStream input(text_.data() + range.begin, static_cast<int>(range.size()));
    const bool parsed = parser.Parse(&input, &message);
    if (!collector.errors.empty()) return Error(std::move(collector.errors));
    if (!parsed) return fail(range.begin, fmt::format("this is not a {}", rules_.message));
    if (single) MO_TRY(check_single(message, range, *single));
    append_bytes(message, bytes_);
    return {};
  }

  Expected<void> check_single(const pb::Message& message, TextRange range, std::set<int>& single) {
    std::vector<const pb::FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    for (const pb::FieldDescriptor* field : fields)
      if (!field->is_repeated() && !single.insert(field->number()).second) return comes_twice(*field, range.begin);
    return {};
  }

  Expected<void> comes_twice(const pb::FieldDescriptor& field, std::size_t position) {
    return fail(position, fmt::format("duplicate field \"{}\", which is not repeated", field.name()));
  }
  Error fail(std::size_t position, const std::string& what) {
    const Place place = place_of(position);
    Collector collector(rules_, {});
    collector.AddError(place.line, place.column, what);
    return Error(std::move(collector.errors));
  }
  /// Lines are counted once: pieces come from the beginning to the end, apart from the place of an error.
  Place place_of(std::size_t position) {
    if (position < counted_) counted_ = line_start_ = 0, line_ = 0;
    for (; counted_ < position; ++counted_)
      if (text_[counted_] == '\n') {
        ++line_;
        line_start_ = counted_ + 1;
      }
    return {line_, static_cast<int>(position - line_start_)};
  }

  std::string_view text_;
  const TextRules& rules_;
  std::string bytes_;
  std::size_t counted_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 0;
};

}  // namespace

Expected<std::string> message_from_text(std::string_view text, const pb::Message& prototype, const TextRules& rules) {
  if (const Budget* budget = Budget::current()) MO_TRY(budget->room_for(text.size() * 2));
  TextReader reader(text, rules);
  MO_TRY(reader.read({0, text.size()}, prototype, 0));
  return reader.take();
}

}  // namespace mo::frontends
