#include <algorithm>
#include <utility>

#include "core/command_line/option_text.hpp"
#include "driver/option_grammar.hpp"

namespace mo {
namespace {

constexpr std::string_view kCode = "MO-CLI-0028";
constexpr std::string_view kArrow = "->";
constexpr std::string_view kScalar = "**SCALAR**";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_character(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; }

/// Reads one layout, dimension by dimension.
class LayoutReader {
 public:
  explicit LayoutReader(OptionText& in) : in_(in) {}

  Expected<Layout> read() {
    if (in_.accept(kScalar)) return Layout();
    if (in_.peek() == '[') {
      MO_TRY(read_words());
    } else {
      while (is_letter(in_.peek()) || in_.peek() == '?' || in_.peek() == '.') MO_TRY(add(in_.position(), 1));
    }
    return Layout(std::move(names_), gap_);
  }

 private:
  /// The next dimension: "?", "...", or a name of at most `limit` characters (0: as many as there are).
  Expected<void> add(std::size_t start, std::size_t limit) {
    if (in_.accept("...")) {
      if (gap_)
        return in_.error_at(start, kCode, "a second ...").hint("... may stand once, for any number of dimensions");
      gap_ = names_.size();
      return {};
    }
    if (in_.accept("?")) {
      names_.emplace_back();
      return {};
    }
    while (is_name_character(in_.peek()) && (limit == 0 || in_.position() - start < limit)) in_.advance();
    const std::string_view word = in_.text().substr(start, in_.position() - start);
    if (word.find_first_not_of('_') == std::string_view::npos)
      return in_.error_at(start, kCode, "{} where the name of a dimension should be", in_.found())
          .hint("write nhwc, ?c??, n...c or [batch,channels,...]");
    std::string name = Layout::normalized(word);
    if (std::find(names_.begin(), names_.end(), name) != names_.end())
      return in_.error_at(start, kCode, "dimension {} occurs twice", name).hint("a dimension without a meaning is ?");
    names_.push_back(std::move(name));
    return {};
  }

  /// At '['.
  Expected<void> read_words() {
    const std::size_t open_at = in_.position();
    do {
      in_.advance();
      in_.skip_spaces();
      MO_TRY(add(in_.position(), 0));
      in_.skip_spaces();
    } while (in_.peek() == ',');
    if (in_.at_end())
      return in_.error_at(open_at, kCode, "this bracket is not closed").hint("add ']' after the last dimension");
    if (!in_.accept("]"))
      return in_.error_here(kCode, "{} after a dimension", in_.found())
          .hint("separate dimensions by commas, and close with ']'");
    return {};
  }

  OptionText& in_;
  std::vector<std::string> names_;
  std::optional<std::size_t> gap_;
};

/// Characters that end a layout.
bool ends_layout(const OptionText& in) {
  return in.at_end() || in.peek() == ',' || in.peek() == ')' || in.starts_with(kArrow);
}

/// `nhwc`, `nhwc->nchw`, `->nchw`, `nhwc->`.
Expected<void> read_pair(OptionText& in, LayoutSpec& spec) {
  const auto read_one = [&](std::optional<Layout>& layout) -> Expected<void> {
    in.skip_spaces();
    if (ends_layout(in)) return {};
    MO_ASSIGN(layout, LayoutReader(in).read());
    in.skip_spaces();
    if (!ends_layout(in))
      return in.error_here(kCode, "{} in a layout", in.found()).hint("write nhwc, ?c??, n...c or [batch,channels,...]");
    return {};
  };
  const std::size_t start = in.position();
  MO_TRY(read_one(spec.source));
  const std::size_t arrow = in.position();
  if (in.accept(kArrow)) {
    if (in.option() != "--layout")
      return in.error_at(arrow, kCode, "an arrow").hint("only --layout takes two layouts: --layout \"nhwc->nchw\"");
    MO_TRY(read_one(spec.target));
  }
  if (!spec.source && !spec.target)
    return in.error_at(start, kCode, "a layout is missing").hint("write nhwc, name(nhwc) or name(nhwc->nchw)");
  if (in.option() == "--target_layout") std::swap(spec.source, spec.target);
  return {};
}

/// How long the name at the current place is; nothing when a layout stands here without one. A name is what stands
/// before the bracket, unless that begins with a bracket itself or is a layout already.
std::optional<std::size_t> name_length(const OptionText& in) {
  const std::string_view rest = in.text().substr(in.position());
  const std::size_t end = rest.find_first_of("([,");
  if (end == std::string_view::npos || end == 0 || rest[end] == ',') return std::nullopt;
  return rest.substr(0, end).find(kArrow) == std::string_view::npos ? std::optional(end) : std::nullopt;
}

Expected<LayoutSpec> read_item(OptionText& in) {
  LayoutSpec spec;
  const auto length = name_length(in);
  if (length) {
    spec.name = trimmed(in.text().substr(in.position(), *length));
    in.advance(*length);
  }
  const std::size_t open_at = in.position();
  const bool parenthesis = in.accept("(");
  MO_TRY(read_pair(in, spec));
  if (parenthesis && !in.accept(")"))
    return in.error_at(open_at, kCode, "this bracket is not closed").hint("write name(nhwc) or name(nhwc->nchw)");
  return spec;
}

}  // namespace

Expected<std::vector<LayoutSpec>> parse_layouts(std::string_view option, std::string_view text) {
  OptionText in(option, text);
  std::vector<LayoutSpec> specs;
  if (trimmed(text).empty()) return specs;
  while (true) {
    in.skip_spaces();
    const std::size_t start = in.position();
    MO_ASSIGN(LayoutSpec spec, read_item(in));
    for (const LayoutSpec& other : specs) {
      if (other.name.has_value() != spec.name.has_value())
        return in.error_at(start, kCode, "layouts with and without a name are mixed").hint("name all inputs, or none");
      if (spec.name && other.name == spec.name)
        return in.error_at(start, "MO-CLI-0014", "{} is listed twice", in_quotes(*spec.name)).hint("keep one of them");
    }
    specs.push_back(std::move(spec));
    in.skip_spaces();
    if (in.at_end()) return specs;
    if (!in.accept(","))
      return in.error_here(kCode, "{} where a comma or the end should be", in.found())
          .hint("separate the layouts by commas");
  }
}

}  // namespace mo
