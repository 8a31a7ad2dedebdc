// What may be a name, and what may be a formula.
#include "blocks/function_table.hpp"
#include "engine/front/read/declarations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace deltaflow::front {
namespace {

bool is_taken(std::string_view name) {
    const Function* function = find_function(name);
    return name == "t" || name == "pi" || name == "and" || name == "or" || name == "not" ||
           (function && !function->is_free);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier(std::string_view name) {
    const auto fits = [](char c) { return is_letter(c) || is_digit(c); };
    return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), fits);
}

}  // namespace

bool check_identifier(std::string_view name, const Place& place, std::string_view what, Report& report) {
    if (is_identifier(name)) return true;
    report.add(place, fmt::format("\"{}\" cannot be the name of {}: letters, digits and _ make a name, "
                                  "and no digit begins it",
                                  name, what));
    return false;
}

bool check_name(std::string_view name, const Place& place, std::string_view what, Report& report) {
    if (!check_identifier(name, place, what, report)) return false;
    if (!is_taken(name)) return true;
    report.add(place,
               fmt::format("\"{}\" cannot be the name of {}: it means something in expressions", name, what));
    return false;
}

Formula read_formula(const Value& value, std::string_view wanted, Report& report) {
    if (value.is_number()) {
        if (std::isfinite(value.real)) return {&value, {}};
        report.add(value.place, "a finite number is wanted here");
        return {};
    }
    if (value.kind != Value::Kind::string) {
        report.add(value.place, fmt::format("{} is wanted here, not {}", wanted, kind_name(value)));
        return {};
    }
    try {
        return {&value, parse_expression(value.text)};
    } catch (const ExpressionError& e) {
        report.add(value, e);
        return {};
    }
}

namespace {

std::uint32_t hash_of(std::string_view name) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>()(name));
}

}  // namespace

// The slot that has the name, or the one where it belongs.
NameTable::Slot& NameTable::slot_of(std::string_view name, std::uint32_t hash) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
        Slot& slot = slots_[at];
        if (slot.item == 0 || (slot.hash == hash && items_[slot.item - 1].first == name)) return slot;
    }
}

const NameTable::Item* NameTable::find(std::string_view name) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = const_cast<NameTable*>(this)->slot_of(name, hash_of(name));
    return slot.item == 0 ? nullptr : &items_[slot.item - 1];
}

std::pair<const NameTable::Item*, bool> NameTable::emplace(std::string_view name, Symbol symbol) {
    if (2 * items_.size() >= slots_.size()) reserve(std::max<std::size_t>(8, 2 * items_.size()));
    const std::uint32_t hash = hash_of(name);
    Slot& slot = slot_of(name, hash);
    const bool fresh = slot.item == 0;
    if (fresh) {
        items_.emplace_back(name, symbol);
        slot = {hash, static_cast<std::uint32_t>(items_.size())};
    }
    return {&items_[slot.item - 1], fresh};
}

void NameTable::reserve(std::size_t names) {
    std::size_t size = 16;
    while (size <= 2 * names) size *= 2;
    if (size <= slots_.size()) return;
    items_.reserve(names);
    slots_.assign(size, {});
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const std::uint32_t hash = hash_of(items_[i].first);
        slot_of(items_[i].first, hash) = {hash, static_cast<std::uint32_t>(i + 1)};
    }
}

}  // namespace deltaflow::front
