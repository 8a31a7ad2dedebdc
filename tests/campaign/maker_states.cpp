// Parts of random models that remember: integrators, delays, samplers, linear systems, and what strikes them.
#include "tests/campaign/maker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::campaign {

Term Maker::event(int depth) {
    if (draw_.percent(40)) return impulse_source();
    const Term c = term(jumps, depth);
    const std::string level = number();
    const char* const direction = draw_.word({"falling", "rising", "both"});
    return define(
        table("crossing", fmt::format("in = \"{} - {}\", direction = \"{}\"", c.text, level, direction)),
        impulsive);
}

Term Maker::sampled(int depth) {
    const Term u = term(jumps, depth);
    const bool late = draw_.percent(40);
    const std::string period = duration(4, 16), phase = draw_.percent(40) ? time() : "0", initial = number();
    const std::string rest = fmt::format("in = \"{}\", period = \"{}\", phase = {}, initial = {}", u.text,
                                         period, moment(phase), setting(initial));
    return define(table(late ? "unit_delay" : "hold", rest), jumps);
}

Term Maker::delayed(int least, int depth) {
    const Term u = term(std::max(least, -4), depth);
    const std::string by = duration(2, 12), initial = draw_.percent(50) ? number() : "0";
    if (least > jumps) return u;
    return define(
        table("delay", fmt::format("in = \"{}\", by = \"{}\", initial = {}", u.text, by, setting(initial))),
        std::min(u.r, jumps), u.held);
}

Term Maker::derivative(int least, int depth) {
    const Term u = term(std::max(least + 1, -3), depth);
    if (u.held || u.r - 1 < least || (u.r < smooth && u.r - 1 < -4)) return u;
    const int r = u.r == smooth ? smooth : u.r - 1;
    if (form_.percent(50)) return {fmt::format("der({})", u.text), r, false};
    const std::string h = helper();
    draft_[blocks_].push_back(h + " = " + table("derivative", "in = " + quoted(u.text)));
    return {h, r, false};
}

Term Maker::dynamic(int least, int depth) {
    const Term u = term(std::max(least - 1, -4), depth);
    const int up = u.r == smooth ? smooth : u.r + 1;
    const std::string w = rate();
    switch (draw_.weighted({40, profile_.polynomial ? 0 : 25, profile_.polynomial ? 0 : 20, 15})) {
        case 0: {
            const std::string initial = draw_.percent(60) ? number() : "0";
            const std::string in = fmt::format("{}({})", w, u.text);
            if (initial == "0" && form_.percent(20))
                return define(table("transfer_function",
                                    fmt::format("in = \"{}\", numerator = [1], denominator = [1, 0]", in)),
                              up, u.held);
            return define(table("integrator", fmt::format("in = \"{}\", initial = {}", in, setting(initial))),
                          up, u.held);
        }
        case 1: {  // b / (s^2 + a1 s + a0), as it is or as a state space
            const std::string a1 = positive(4 / span_), a0 = positive(16 / span_ / span_),
                              b = number(16 / span_ / span_);
            const int rise = u.r == smooth ? smooth : u.r + 2;
            const bool proper = draw_.percent(70);
            if (!proper && u.r - 1 >= std::max(least, -4) && !u.held)
                return define(
                    table("transfer_function",
                          fmt::format("in = \"{}\", numerator = [1, {}, {}], denominator = [{}, {}]", u.text,
                                      setting(a1), setting(b), setting(a1), setting(a0))),
                    u.r == smooth ? smooth : u.r - 1);
            if (form_.percent(50))
                return define(table("transfer_function",
                                    fmt::format("in = \"{}\", numerator = [{}], denominator = [1, {}, {}]",
                                                u.text, setting(b), setting(a1), setting(a0))),
                              rise, u.held);
            return define(
                table("state_space",
                      fmt::format("in = [\"{}\"], A = [[0, 1], [\"-{}\", \"-{}\"]], B = [[0], [{}]], "
                                  "C = [[1, 0]]",
                                  u.text, a0, a1, setting(b))),
                rise, u.held);
        }
        case 2: {
            const std::string a = positive(3 / span_), b = number(3 / span_), c = number(), d = number();
            const std::string initial = number();
            return define(table("state_space",
                                fmt::format("in = [\"{}\"], A = \"-{}\", B = {}, C = {}, D = {}, "
                                            "initial = [{}]",
                                            u.text, a, setting(b), setting(c), setting(d), setting(initial))),
                          u.r, u.held);
        }
        default: {
            const std::string kp = number(), ki = number(1 / span_);
            const bool may = u.r - 1 >= std::max(least, -4) && !u.held;
            const std::string kd = may ? number(span_ / 4) : "0";
            return define(table("pid", fmt::format("in = \"{}\", kp = {}, ki = {}, kd = {}", u.text,
                                                   setting(kp), setting(ki), setting(kd))),
                          may && u.r != smooth ? u.r - 1 : u.r, u.held);
        }
    }
}

// States are known before what drives them: that makes feedback.
void Maker::open_states() {
    const int n = draw_.integer(0, 3);
    for (int i = 0; i < n; ++i) {
        const bool plain = draw_.percent(75), jumpy = draw_.percent(35);
        if (profile_.polynomial && plain && !jumpy) continue;
        open_.push_back({name(), plain && !jumpy ? continuous : jumps, plain});
        publish({open_.back().name, open_.back().r, false});
    }
}

std::string Maker::rate_of(const std::string& x, int r) {
    std::string in;
    if (profile_.polynomial) {
        in = draw_.percent(50) ? number() : tau();
    } else {
        const Term u = term(std::max(r - 1, jumps), 2);
        const bool damped = draw_.percent(60);
        const std::string k = positive();
        in = damped              ? fmt::format("{} - {}*{}", u.text, k, x)
             : draw_.percent(60) ? "sin(" + u.text + ")"
                                 : u.text;
    }
    return rate().empty() ? in : fmt::format("{}({})", rate(), in);
}

void Maker::close_states() {
    for (const Open& open : open_) {
        const std::string initial = draw_.percent(70) ? number() : "0";
        if (open.plain) {
            std::string in = rate_of(open.name, open.r);
            if (open.r == jumps) {
                const Term c = term(jumps, 1);
                const std::string level = number(), e = positive(0.3), hit = helper();
                const char* const direction = draw_.word({"falling", "rising", "both"});
                draft_[blocks_].push_back(
                    hit + " = " +
                    table("crossing",
                          fmt::format("in = \"{} - {}\", direction = \"{}\"", c.text, level, direction)));
                in += draw_.percent(50) ? fmt::format(" - (1 + {})*pre({})*{}", e, open.name, hit)
                                        : fmt::format(" + ({} - pre({}))*{}", e, open.name, hit);
                if (draw_.percent(profile_.impulses)) in += " + " + impulse_source().text;
            }
            draft_[blocks_].push_back(
                open.name + " = " +
                table("integrator", fmt::format("in = \"{}\", initial = {}", in, setting(initial))));
        } else if (draw_.percent(50)) {
            const Term u = term(jumps, 2);
            const std::string by = duration(2, 10);
            draft_[blocks_].push_back(
                open.name + " = " +
                table("delay", fmt::format("in = \"sin({})\", by = \"{}\", initial = {}",
                                           profile_.polynomial ? "0" : u.text, by, setting(initial))));
        } else {
            const Term u = term(jumps, 1);
            const std::string period = duration(4, 12), k = number(0.25);
            draft_[blocks_].push_back(
                open.name + " = " +
                table("unit_delay",
                      fmt::format("in = \"{} + {}*{}\", period = \"{}\", phase = {}, initial = {}", u.text, k,
                                  open.name, period, moment("0"), setting(initial))));
        }
    }
    open_.clear();
}

}  // namespace deltaflow::campaign
