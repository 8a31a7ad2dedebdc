// Germs as texts and back: `2 + 3 delta - 1/2 delta''`, with a jump `1 | 2 + 3 delta`.
#pragma once

#include "signal/germ.hpp"

#include <fmt/format.h>

#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace deltaflow {

// The shortest digits that give this double again; a fraction.
std::string print_scalar(double x);
std::string print_scalar(const Rational& x);

// impulses[i] is the coefficient of delta^(i). A value of zero beside impulses is left out.
std::string print_germ(double left, double right, std::span<const double> impulses);
std::string print_germ(const Rational& left, const Rational& right, std::span<const Rational> impulses);

// All that is known: (2, 3, 1/2 | 2, 4, 1/2) + 3 delta
std::string print_rungs(const Germ<double>& u);
std::string print_rungs(const Germ<Rational>& u);

// Reads what print_germ prints, into germs of one rung. Throws std::invalid_argument.
Germ<Rational> parse_germ(std::string_view text);

// Each rung to the nearest double.
Germ<double> to_double(const Germ<Rational>& u);

template <class S>
std::string print_germ(const Germ<S>& u) {
    const std::span<const S> impulses(u.impulses);
    return u.left.empty() ? print_germ(S(0), S(0), impulses) : print_germ(u.left[0], u.right[0], impulses);
}

template <class S>
std::ostream& operator<<(std::ostream& out, const Germ<S>& u) {
    return out << print_germ(u);
}

}  // namespace deltaflow

// {} prints value and impulses, {:#} all rungs.
template <class S>
struct fmt::formatter<deltaflow::Germ<S>> {
    bool all_rungs = false;

    constexpr auto parse(format_parse_context& context) {
        auto it = context.begin();
        if (it != context.end() && *it == '#') all_rungs = true, ++it;
        return it;
    }
    template <class Context>
    auto format(const deltaflow::Germ<S>& u, Context& context) const {
        return fmt::format_to(context.out(), "{}", all_rungs ? print_rungs(u) : print_germ(u));
    }
};
