// Collects what is wrong with a model.
#include "engine/front/read/report.hpp"

#include "blocks/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace deltaflow::front {
namespace {

constexpr int most_hints = 50;
constexpr std::size_t most_errors = 50, most_places = 1000;

auto key(const Diagnostic& d) { return std::tie(d.place.file, d.place.line, d.place.column, d.message); }

}  // namespace

void Report::add(const Place& place, std::string message, std::vector<std::string> notes) {
    found_.list.push_back({place, std::move(message), std::move(notes)});
}

void Report::add(const Value& string, const ExpressionError& error, std::vector<std::string> notes) {
    const bool told = found_.list.size() < most_places;  // finding a place means reading up to it
    add(told ? place_in(sources_, string, error.offset, error.length) : string.place, error.what(),
        std::move(notes));
}

std::string Report::hint(std::string_view name, const std::vector<std::string_view>& known) {
    return ++hints_ > most_hints ? "" : did_you_mean(name, known);
}

bool Report::gives_hints() const { return hints_ < most_hints; }

std::string Report::key_hint(std::string_view key, const std::vector<std::string_view>& known) {
    const std::string near = hint(key, known);
    if (!near.empty() || hints_ > most_hints || known.empty()) return near;
    return fmt::format("; known are {}", fmt::join(known, ", "));
}

std::vector<Diagnostic> Report::take() {
    std::vector<Diagnostic> list = std::move(found_.list);
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return key(a) < key(b); });
    const auto same = [](const auto& a, const auto& b) { return key(a) == key(b); };
    list.erase(std::unique(list.begin(), list.end(), same), list.end());
    if (list.size() > most_errors) {
        const std::string rest = fmt::format("and {} more errors", list.size() - most_errors);
        list.resize(most_errors);
        list.back().notes.push_back(rest);
    }
    return list;
}

}  // namespace deltaflow::front
