#include "blocks/condition.hpp"

#include <algorithm>
#include <utility>

namespace deltaflow {

namespace {

Condition known(bool holds) { return {.kind = Condition::Kind::known, .holds = holds}; }

Condition negated(Condition c) {
    std::vector<Condition> parts;
    parts.push_back(std::move(c));
    return joined(Condition::Kind::none, std::move(parts));
}

// a and b: if a, then what b says. a or b: if not a, then what b says.
Ref choose_part(Composer& composer, std::span<const Condition> parts, bool all, Ref then, Ref otherwise) {
    Ref result = all ? then : otherwise;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
        result = all ? choose(composer, *part, result, otherwise) : choose(composer, *part, then, result);
    return result;
}

}  // namespace

Condition at_least_zero(const Affine& a, Composer* composer) {
    if (a.is_constant()) return known(sign(a.constant) >= 0);
    return {.kind = Condition::Kind::least, .signal = composer->signal(a)};
}

Condition compared(std::string_view relation, const Affine& difference, Composer* composer) {
    const auto least = [&] { return at_least_zero(difference, composer); };
    const auto most = [&] { return at_least_zero(Number{-1, Rational(-1)} * difference, composer); };
    if (relation == ">=") return least();
    if (relation == "<=") return most();
    if (relation == "<") return negated(least());
    if (relation == ">") return negated(most());
    Condition equal = joined(Condition::Kind::all, {least(), most()});
    return relation == "==" ? equal : negated(std::move(equal));
}

// What is known already is left out.
Condition joined(Condition::Kind kind, std::vector<Condition> parts) {
    if (kind == Condition::Kind::none) {
        if (parts.front().kind == Condition::Kind::known) return known(!parts.front().holds);
        return {.kind = kind, .parts = std::move(parts)};
    }
    const bool all = kind == Condition::Kind::all;
    const auto settles = [&](const Condition& c) {
        return c.kind == Condition::Kind::known && c.holds != all;
    };
    if (std::any_of(parts.begin(), parts.end(), settles)) return known(!all);
    std::erase_if(parts, [](const Condition& c) { return c.kind == Condition::Kind::known; });
    if (parts.empty()) return known(all);
    return {.kind = kind, .parts = std::move(parts)};
}

Ref choose(Composer& composer, const Condition& c, Ref then, Ref otherwise) {
    switch (c.kind) {
        case Condition::Kind::known:
            return c.holds ? then : otherwise;
        case Condition::Kind::least:
            return composer.decision(c.signal, then, otherwise);
        case Condition::Kind::none:
            return choose(composer, c.parts.front(), otherwise, then);
        case Condition::Kind::all:
        case Condition::Kind::any:
            return choose_part(composer, c.parts, c.kind == Condition::Kind::all, then, otherwise);
    }
    return then;
}

Ref choose(Composer& composer, const Condition& c, double yes, double no) {
    const auto number = [&](double x) { return composer.node(Primitive::constant, {}, {x}); };
    return choose(composer, c, number(yes), number(no));
}

}  // namespace deltaflow
