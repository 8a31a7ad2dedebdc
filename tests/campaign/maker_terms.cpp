// Expressions of random models: arithmetic, functions, corners and jumps.
#include "tests/campaign/maker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::campaign {

Term Maker::known(int least) {
    std::vector<Term> fit;
    for (const Term& t : pool_)
        if (t.r >= least) fit.push_back(t);
    if (fit.empty()) return {tau(), smooth, false};
    return draw_.one_of(fit);
}

Term Maker::leaf(int least) {
    switch (draw_.weighted({70, 15, 15})) {
        case 0:
            return known(least);
        case 1:
            return {number(), smooth, false};
        default:
            return {tau(), smooth, false};
    }
}

Term Maker::term(int least, int depth) {
    if (depth <= 0 || draw_.percent(20)) return leaf(least);
    const Profile& p = profile_;
    const int jumpy = least <= jumps ? p.events : 0, kinks = least <= continuous ? p.events : 0;
    switch (draw_.weighted({40, p.polynomial ? 0 : p.functions, 25, kinks / 2, jumpy / 2,
                            least <= impulsive ? p.events / 3 + p.impulses / 3 : 0,
                            least <= jumps ? p.clocks : 0, p.delays, p.states / 3, 6})) {
        case 0:
            return arithmetic(least, depth - 1);
        case 1:
            return function(depth - 1);
        case 2:
            return product(least, depth - 1);
        case 3:
            return kink(depth - 1);
        case 4:
            return decision(depth - 1);
        case 5:
            return event(depth - 1);
        case 6:
            return sampled(depth - 1);
        case 7:
            return delayed(least, depth - 1);
        case 8:
            return dynamic(least, depth - 1);
        default:
            return derivative(least, depth - 1);
    }
}

Term Maker::arithmetic(int least, int depth) {
    const Term u = term(least, depth), v = term(least, depth);
    const Term sum{"", std::min(u.r, v.r), u.held || v.held};
    const std::string a = number(), b = number();
    switch (draw_.weighted({40, 20, 15})) {
        case 0:
            if (form_.percent(30)) {
                const std::string h = helper();
                draft_[blocks_].push_back(
                    h + " = " +
                    table("sum", fmt::format("in = [\"{}*({})\", \"-({})\"]", a, u.text, v.text)));
                return {h, sum.r, sum.held};
            }
            return {fmt::format("({}*({}) - ({}))", a, u.text, v.text), sum.r, sum.held};
        case 1:
            return {fmt::format("(({}) + {}*({}) + {})", u.text, b, v.text, a), sum.r, sum.held};
        default:
            if (form_.percent(50)) {
                const std::string h = helper();
                draft_[blocks_].push_back(
                    h + " = " + table("gain", fmt::format("in = \"{}\", k = {}", u.text, setting(a))));
                return {h, u.r, u.held};
            }
            return {fmt::format("({}*({}))", a, u.text), u.r, u.held};
    }
}

// u v is defined where the regularities add up to -2 or more.
Term Maker::product(int least, int depth) {
    const Term u = term(std::max(least, profile_.polynomial ? impulsive : least), depth);
    const bool risky = draw_.percent(profile_.risk);
    const int other = risky ? least : std::max(least, -2 - std::min(u.r, 0));
    const Term v = u.r <= impulsive && !risky ? term(std::max(other, 1), depth) : term(other, depth);
    const int r = std::min(u.r, v.r);
    const bool held = u.held || v.held;
    if (!profile_.polynomial && draw_.percent(20) && v.r >= jumps)
        return {fmt::format("(({})/(1 + ({})^2))", u.text, v.text), r, held};
    if (draw_.percent(15) && u.r >= jumps) {
        const int n = draw_.percent(5) ? draw_.integer(9, 30) : draw_.integer(2, 4);
        const std::string whole = n > 4 ? "tanh(" + u.text + ")" : u.text;
        const std::string base = n > 4 && profile_.polynomial ? tau() : whole;
        return {fmt::format("(({})^{})", base, n), u.r, u.held};
    }
    if (form_.percent(30)) {
        const std::string h = helper();
        draft_[blocks_].push_back(h + " = " +
                                  table("product", fmt::format("in = [\"{}\", \"{}\"]", u.text, v.text)));
        return {h, r, held};
    }
    return {fmt::format("(({})*({}))", u.text, v.text), r, held};
}

// Functions within their domains, but for a few that may leave them.
Term Maker::guarded(const std::string& f, const Term& u) {
    const bool raw = draw_.percent(profile_.risk);
    std::string inside = u.text;
    if (!raw && (f == "log" || f == "sqrt")) inside = fmt::format("1 + ({})^2", u.text);
    if (!raw && (f == "asin" || f == "acos")) inside = fmt::format("0.9*sin({})", u.text);
    if (!raw && f == "tan") inside = fmt::format("1.2*tanh({})", u.text);
    if (!raw && (f == "exp" || f == "sinh" || f == "cosh")) {
        const char* const bound = draw_.word({"sin", "tanh", "atan", "-abs"});
        inside = fmt::format("{}({})", bound, u.text);
    }
    const bool kinked = inside.rfind("-abs", 0) == 0;
    const int r = kinked ? std::min(u.r, continuous) : u.r;
    // As a block of its own it is computed also where a decision does not take it.
    if (form_.percent(40) && !raw) {
        const std::string h = helper();
        draft_[blocks_].push_back(h + " = " + table(f, "in = " + quoted(inside)));
        return {h, r, u.held};
    }
    return {fmt::format("{}({})", f, inside), r, u.held};
}

Term Maker::function(int depth) {
    const Term u = term(jumps, depth);
    if (draw_.percent(8)) {
        const Term v = term(jumps, depth);
        return {fmt::format("atan2({}, 2 + sin({}))", u.text, v.text), std::min(u.r, v.r), u.held || v.held};
    }
    if (draw_.percent(6)) {
        const std::string c = positive();
        return {fmt::format("((1 + ({})^2)^{})", u.text, c), u.r, u.held};
    }
    return guarded(draw_.word({"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp",
                               "log", "sqrt", "sin", "cos", "tanh", "exp"}),
                   u);
}

Term Maker::kink(int depth) {
    const Term u = term(jumps, depth);
    const int r = std::min(u.r, continuous);
    switch (draw_.weighted({20, 20, 20, 20})) {
        case 0: {
            const char* const text[] = {"abs({})", "max({}, -({}))", "-min({}, -({}))"};
            const auto i = static_cast<std::size_t>(form_.integer(0, 2));
            return {"(" +
                        (i == 0 ? fmt::format("abs({})", u.text)
                                : fmt::format(fmt::runtime(text[i]), u.text, u.text)) +
                        ")",
                    r, u.held};
        }
        case 1: {
            const Term v = term(jumps, depth);
            const bool least = draw_.percent(50), other = form_.percent(30);
            const int both = std::min({u.r, v.r, continuous});
            if (other)
                return {fmt::format("(-{}(-({}), -({})))", least ? "max" : "min", u.text, v.text), both,
                        u.held || v.held};
            return {fmt::format("{}({}, {})", least ? "min" : "max", u.text, v.text), both, u.held || v.held};
        }
        case 2: {
            const double low = -draw_.integer(0, 8) / 4.0, high = low + draw_.integer(1, 8) / 4.0;
            const std::string h = helper();
            const std::string block =
                form_.percent(50)
                    ? table("saturate", fmt::format("in = \"{}\", low = {}, high = {}", u.text, decimal(low),
                                                    decimal(high)))
                    : quoted(fmt::format("min(max({}, {}), {})", u.text, decimal(low), decimal(high)));
            draft_[blocks_].push_back(h + " = " + block);
            return {h, r, u.held};
        }
        default: {
            std::string xs, ys;
            const int n = draw_.integer(2, 4);
            for (int k = 0; k < n; ++k) {
                xs += fmt::format("{}{}", k > 0 ? ", " : "", k - 1 + draw_.integer(0, 3) / 4.0);
                ys += fmt::format("{}{}", k > 0 ? ", " : "", draw_.integer(-8, 8) / 4.0);
            }
            const char* const outside = draw_.percent(50) ? "hold" : "extend";
            const std::string h = helper();
            draft_[blocks_].push_back(
                h + " = " +
                table("table", fmt::format("in = \"{}\", x = [{}], y = [{}], outside = \"{}\"", u.text, xs,
                                           ys, outside)));
            return {h, r, u.held};
        }
    }
}

Term Maker::decision(int depth) {
    const Term c = term(jumps, depth);
    const std::string shift = number();
    const std::string condition = fmt::format("{} - {}", c.text, shift);
    switch (draw_.weighted({40, 20, 20, 20})) {
        case 0: {
            const Term u = term(jumps, depth), v = term(jumps, depth);
            if (form_.percent(50))
                return {fmt::format("if({}, {}, {})", condition, u.text, v.text), jumps, u.held || v.held};
            const std::string h = helper();
            draft_[blocks_].push_back(
                h + " = " +
                table("decision",
                      fmt::format("if = \"{}\", then = \"{}\", else = \"{}\"", condition, u.text, v.text)));
            return {h, jumps, u.held || v.held};
        }
        case 1:
            if (form_.percent(50)) return {fmt::format("heaviside({})", condition), jumps, false};
            {
                const std::string h = helper();
                draft_[blocks_].push_back(h + " = " + table("switch", "in = " + quoted(condition)));
                return {h, jumps, false};
            }
        case 2:
            return {fmt::format("sign({})", condition), jumps, false};
        default: {
            const double low = -draw_.integer(0, 6) / 4.0, high = low + draw_.integer(1, 6) / 4.0;
            const int initial = draw_.integer(0, 1);
            return define(table("hysteresis", fmt::format("in = \"{}\", low = {}, high = {}, initial = {}",
                                                          c.text, decimal(low), decimal(high), initial)),
                          jumps);
        }
    }
}

}  // namespace deltaflow::campaign
