// Words of random models that round, compare, keep or slide, each also as what it is made of.
#include "tests/campaign/maker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::campaign {

// Between bounds of a few units, or as it is.
Term Maker::bounded(int least, int depth) {
    const Term u = term(least, depth);
    if (profile_.polynomial || draw_.percent(40)) return u;
    const char* const bound = draw_.word({"sin", "cos", "tanh", "atan"});
    return {fmt::format("{}*{}({})", draw_.integer(2, 5), bound, u.text), u.r, u.held};
}

Term Maker::rounded(int depth) {
    const Term u = bounded(jumps, depth);
    const std::string step = decimal(draw_.integer(1, 8) / 4.0);
    switch (draw_.weighted({30, 25, 25, 20})) {
        case 0: {
            const bool down = draw_.percent(50);
            if (form_.percent(30))
                return {fmt::format("(-{}(-({})))", down ? "ceil" : "floor", u.text), jumps, u.held};
            return {fmt::format("{}({})", down ? "floor" : "ceil", u.text), jumps, u.held};
        }
        case 1:
            if (form_.percent(40))
                return {fmt::format("(({0}) - {1}*floor(({0})/{1}))", u.text, step), jumps, u.held};
            return {fmt::format("mod({}, {})", u.text, step), jumps, u.held};
        case 2:
            return define(either(fmt::format("{0}*round(({1})/{0})", step, u.text),
                                 table("quantize", fmt::format("in = \"{}\", step = {}", u.text, step))),
                          jumps, u.held);
        default: {
            const double low = -draw_.integer(0, 6) / 4.0, high = low + draw_.integer(0, 8) / 4.0;
            return define(
                either(fmt::format("max(({0}) - ({1}), 0) + min(({0}) - ({2}), 0)", u.text, high, low),
                       table("deadzone", fmt::format("in = \"{}\", low = {}, high = {}", u.text, decimal(low),
                                                     decimal(high)))),
                std::min(u.r, continuous), u.held);
        }
    }
}

// A condition, as a comparison; what is false where it is true is another way to write it.
std::string Maker::comparison(int depth) {
    const Term u = bounded(jumps, depth);
    const std::string level = number();
    const bool at_least = draw_.percent(50);
    if (form_.percent(30)) return fmt::format("not ({} {} {})", u.text, at_least ? "<" : ">=", level);
    return fmt::format("{} {} {}", u.text, at_least ? ">=" : "<", level);
}

std::string Maker::condition(int depth) {
    const std::string a = comparison(depth);
    if (draw_.percent(60)) return a;
    const std::string b = comparison(depth);
    const bool both = draw_.percent(50);
    if (form_.percent(40)) return fmt::format("not (not ({}) {} not ({}))", a, both ? "or" : "and", b);
    return fmt::format("({}) {} ({})", a, both ? "and" : "or", b);
}

Term Maker::compared(int depth) {
    const std::string c = condition(depth);
    if (draw_.percent(50)) {
        if (form_.percent(40)) return {fmt::format("if({}, 1, 0)", c), jumps, false};
        return {fmt::format("({})", c), jumps, false};
    }
    const Term u = term(jumps, depth), v = term(jumps, depth);
    if (form_.percent(50)) return {fmt::format("if({}, {}, {})", c, u.text, v.text), jumps, u.held || v.held};
    const std::string h = helper();
    draft_[blocks_].push_back(
        h + " = " +
        table("decision", fmt::format("if = \"{}\", then = \"{}\", else = \"{}\"", c, u.text, v.text)));
    return {h, jumps, u.held || v.held};
}

// What strikes a block that keeps something.
std::string Maker::strike(int depth) { return draw_.percent(30) ? impulse_source().text : condition(depth); }

Term Maker::keeping(int depth) {
    const std::string initial = draw_.percent(50) ? number() : "0";
    switch (draw_.weighted({35, 25, 20, 20})) {
        case 0: {
            const std::string x = name(), in = rate_of(x, jumps);
            std::string rest = fmt::format("in = \"{}\", reset = \"{}\"", in, strike(depth));
            if (draw_.percent(60))
                rest += fmt::format(", to = \"{}\"", draw_.percent(50) ? number() : "-0.5*" + x);
            return define(x, table("reset_integrator", rest + ", initial = " + setting(initial)), jumps);
        }
        case 1: {
            const std::string x = name();
            const Term u = term(jumps, depth);
            const std::string in = draw_.percent(30) ? fmt::format("{} + 1", x) : u.text;
            return define(x,
                          table("triggered_hold", fmt::format("in = \"{}\", trigger = \"{}\", initial = {}",
                                                              in, strike(depth), setting(initial))),
                          jumps);
        }
        case 2: {
            const Term u = bounded(draw_.percent(70) ? continuous : jumps, depth);
            if (u.held) return u;
            return define(
                table("backlash", fmt::format("in = \"{}\", width = {}, initial = {}", u.text,
                                              decimal(draw_.integer(1, 6) / 4.0), setting(initial))),
                std::min(u.r, continuous));
        }
        default: {
            const double low = -draw_.integer(0, 6) / 4.0, high = low + draw_.integer(1, 8) / 4.0;
            const Term u = term(jumps, depth);
            return define(table("limited_integrator",
                                fmt::format("in = \"{}({})\", low = {}, high = {}, initial = {}", rate(),
                                            u.text, decimal(low), decimal(high), decimal((low + high) / 2))),
                          continuous, u.held);
        }
    }
}

// x' = push - k sign(x - path): reaches the path, slides along it if k is enough, and may leave it.
void Maker::add_slide() {
    const std::string x = name(), s = name(), k = positive();
    const Term path = bounded(continuous, 1), push = draw_.percent(60) ? bounded(jumps, 1) : Term{"0"};
    const std::string law[] = {fmt::format("sign({} - ({}))", x, path.text),
                               fmt::format("2*heaviside({} - ({})) - 1", x, path.text),
                               fmt::format("if({} >= {}, 1, -1)", x, path.text)};
    draft_["blocks"].push_back(s + " = " + quoted(law[form_.integer(0, 2)]));
    draft_["blocks"].push_back(
        x + " = " +
        table("integrator", fmt::format("in = \"{}({} - {}*{})\", initial = {}", rate(), push.text, k, s,
                                        decimal(draw_.integer(-8, 8) / 4.0))));
    publish({x, continuous, false});
    recordable_.insert(recordable_.end(), {x, s});
}

// An automaton without elements: timers, values, transitions that happen once.
void Maker::add_machine() {
    const std::string a = "a" + std::to_string(names_++);
    const auto arrow = [&](const char* from, const char* to, bool timed) {
        std::string text = fmt::format("{{ from = \"{}\", to = \"{}\"", from, to);
        if (timed) text += fmt::format(", after = \"{}\"", duration(3, 9));
        if (!timed || draw_.percent(25)) text += fmt::format(", when = \"{}\"", condition(1));
        if (draw_.percent(30)) text += ", once = true";
        if (draw_.percent(50))
            text += draw_.percent(70) ? ", set = { n = \"n + 1\", m = \"n\" }"
                                      : fmt::format(", set = {{ m = \"{}\" }}", known(jumps).text);
        return text + " }";
    };
    const bool three = draw_.percent(40);
    std::string list = arrow("s0", "s1", draw_.percent(60)) + ", ";
    list += arrow("s1", three ? "s2" : "s0", draw_.percent(60));
    if (three) list += ", " + arrow("s2", "s0", draw_.percent(70));
    draft_["automata." + a] = {"initial = \"s0\"",
                               three ? "states = { s0 = \"off\", s1 = \"on\", s2 = \"off\" }"
                                     : "states = { s0 = \"off\", s1 = \"on\" }",
                               "transitions = [" + list + "]"};
    draft_["automata." + a + ".values"] = {"n = 0", "m = " + setting(number())};
    for (const char* const part : {".s1", ".n", ".m"}) {
        recordable_.push_back(a + part);
        publish({a + part, jumps, true});
    }
}

// What is added to some models, by choices of its own: those of other models stay what they were.
void Maker::add_words() {
    Random own = draw_.branch(31);
    if (!own.percent(35)) return;
    std::swap(draw_, own);
    if (draw_.percent(20)) add_slide();
    if (draw_.percent(25)) add_machine();
    if (!profile_.shifted && draw_.percent(10))
        define(table("noise", fmt::format("period = \"{}\", seed = {}, size = {}", duration(3, 20),
                                          draw_.integer(0, 99), setting(number()))),
               jumps);
    const int n = draw_.integer(1, 3);
    for (int i = 0; i < n; ++i) {
        const std::size_t kind = draw_.weighted({35, 30, 35});
        const Term made = kind == 0 ? rounded(1) : kind == 1 ? compared(1) : keeping(1);
        define(quoted(made.text), made.r, made.held);
    }
    if (draw_.percent(50)) define(quoted(term(jumps, 2).text), jumps, true);
    if (draw_.percent(8)) define(table("terminate", "in = " + quoted(condition(1))), jumps, true);
    std::swap(draw_, own);
}

}  // namespace deltaflow::campaign
