// Bonds: "from -> to".
#include "engine/front/read/declarations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

constexpr std::string_view arrow = "->";

std::size_t length_of(std::string_view text) { return std::max<std::size_t>(1, text.size()); }

[[noreturn]] void fail(std::size_t offset, std::size_t length, const std::string& message) {
    throw ExpressionError(static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length), message);
}

// Where an arrow begins, from `at` on; what stands in an index is none.
std::size_t find_arrow(std::string_view text, std::size_t at) {
    int depth = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '[') ++depth;
        if (text[at] == ']') --depth;
        if (depth <= 0 && text.substr(at, arrow.size()) == arrow) return at;
    }
    return std::string_view::npos;
}

// What people write instead of the arrow.
[[noreturn]] void fail_without_arrow(std::string_view text) {
    for (const std::string_view wrong : {"<-", "=>", "-->", "--", "→", "-", ">"}) {
        const std::size_t at = text.find(wrong);
        if (at != std::string_view::npos)
            fail(at, wrong.size(), fmt::format("unexpected \"{}\"; a bond is written \"from -> to\"", wrong));
    }
    fail(0, length_of(text), "a bond is written \"from -> to\"");
}

std::string_view trimmed(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

BondDeclaration read_bond(const Value& value) {
    const std::string_view text = value.text;
    const std::size_t at = find_arrow(text, 0);
    if (at == std::string_view::npos) fail_without_arrow(text);
    const std::size_t second = find_arrow(text, at + arrow.size());
    if (second != std::string_view::npos)
        fail(second, arrow.size(), "a bond has two ends; write one bond for each arrow");
    const BondDeclaration bond{&value, trimmed(text.substr(0, at)), trimmed(text.substr(at + arrow.size()))};
    if (bond.from.empty()) fail(at, arrow.size(), "the element that the bond begins at is missing");
    if (bond.to.empty()) fail(at, arrow.size(), "the element that the bond ends at is missing");
    return bond;
}

// The text of a bond: itself, or the key "bond" of a table.
const Value* text_of(BlockDeclaration& bond, Report& report) {
    const Value& value = *bond.value;
    if (value.kind == Value::Kind::string) return &value;
    if (value.kind != Value::Kind::table) {
        report.add(value.place, fmt::format("a bond is written \"from -> to\", not {}", kind_name(value)));
        return nullptr;
    }
    if (!check_keys(value, {"bond", "count"}, "of a bond", report)) return nullptr;
    if (const Entry* count = find(value, "count")) bond.count = &count->value;
    const Entry* text = find(value, "bond");
    if (text && text->value.kind == Value::Kind::string) return &text->value;
    report.add(text ? text->value.place : bond.place,
               fmt::format("\"{}\" lacks its \"bond\", such as \"from -> to\"", bond.name));
    return nullptr;
}

}  // namespace

void link_bond(BlockDeclaration& bond, Report& report) {
    const Value* text = text_of(bond, report);
    if (!text) return;
    try {
        bond.bond = read_bond(*text);
        bond.kind = BlockDeclaration::Kind::bond;
    } catch (const ExpressionError& e) {
        report.add(*text, e);
    }
}

}  // namespace deltaflow::front
