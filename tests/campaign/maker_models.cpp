// Random block models as wholes: what they are made of, patterns that people write, hierarchy.
#include "tests/campaign/generate.hpp"
#include "tests/campaign/maker.hpp"

#include <fmt/format.h>

namespace deltaflow::campaign {

Maker::Maker(std::uint64_t seed, std::uint64_t form) : draw_(seed), form_(draw_.branch(form + 1)) {
    choose();
}

void Maker::choose() {
    graph_ = draw_.percent(18);
    profile_.polynomial = draw_.percent(25);
    profile_.weird = draw_.percent(20);
    profile_.shifted = !graph_ && draw_.percent(40);
    profile_.events = draw_.integer(0, 60);
    profile_.impulses = draw_.percent(50) ? draw_.integer(0, 50) : 0;
    profile_.clocks = draw_.percent(35) ? draw_.integer(5, 30) : 0;
    profile_.delays = draw_.percent(35) ? draw_.integer(5, 20) : 0;
    profile_.functions = draw_.integer(5, 60);
    profile_.states = draw_.integer(10, 60);
    profile_.risk = draw_.percent(25) ? draw_.integer(1, 20) : 0;
    span_ = draw_.percent(75) ? draw_.integer(1, 10)
                              : draw_.one_of(std::vector<double>{0.5, 0.1, 1e-3, 50, 1000, 1e6, 1e-9});
}

// A ball on a floor, with what else may pull at it.
void Maker::add_ball() {
    const std::string v = name(), y = name(), hit = name(), height = positive(),
                      e = decimal(draw_.integer(50, 95) / 100.0);
    const double g = 8 / span_ / span_;
    const std::string pull =
        draw_.percent(30) && !profile_.polynomial ? fmt::format(" - {}*{}", positive(0.2 / span_), v) : "";
    const std::string weight = decimal(g * draw_.integer(2, 5));
    auto& lines = draft_["blocks"];
    lines.push_back(fmt::format("{} = {}", hit,
                                table("crossing", fmt::format("in = \"{}\", direction = \"falling\"", y))));
    lines.push_back(fmt::format(
        "{} = {}", v,
        table("integrator", fmt::format("in = \"-{}{} - (1 + {})*pre({})*{}\"", weight, pull, e, v, hit))));
    lines.push_back(fmt::format(
        "{} = {}", y, table("integrator", fmt::format("in = \"{}\", initial = {}", v, setting(height)))));
    publish({v, jumps, false});
    publish({y, continuous, false});
    recordable_.insert(recordable_.end(), {v, y, hit});
}

// A room that is heated by a relay.
void Maker::add_relay() {
    const std::string x = name(), on = name(), k = positive(3 / span_), level = positive();
    const double low = draw_.integer(0, 3) / 4.0, high = low + draw_.integer(1, 3) / 4.0;
    auto& lines = draft_["blocks"];
    lines.push_back(fmt::format("{} = {}", on,
                                table("hysteresis", fmt::format("in = \"-{}\", low = {}, high = {}", x,
                                                                decimal(-high), decimal(-low)))));
    lines.push_back(fmt::format(
        "{} = {}", x,
        table("integrator", fmt::format("in = \"{}*((1 + {})*{} - {})\", initial = {}", k, level, on,
                                        profile_.polynomial ? "0.5" : x, draw_.integer(0, 4) / 4.0))));
    publish({x, continuous, false});
    publish({on, jumps, false});
    recordable_.insert(recordable_.end(), {x, on});
}

// Blocks that need each other at the same time; they contract, so there is one solution.
void Maker::add_loop() {
    const Term u = term(jumps, 1);
    const std::string a = name(), b = name(), k = decimal(draw_.integer(1, 8) / 10.0), l = number();
    auto& lines = draft_["blocks"];
    if (profile_.polynomial || draw_.percent(50)) {
        lines.push_back(fmt::format("{} = \"{} - {}*{}\"", a, u.text, k, b));
        lines.push_back(fmt::format("{} = \"{} + {}\"", b, a, l));
    } else {
        const std::string f = draw_.word({"cos", "sin", "tanh", "atan"});
        lines.push_back(fmt::format("{} = \"{}*{}({}) + {}\"", a, k, f, b, u.text));
        lines.push_back(fmt::format("{} = \"{} + {}\"", b, a, l));
    }
    publish({a, std::min(u.r, jumps), u.held});
    publish({b, std::min(u.r, jumps), u.held});
    recordable_.insert(recordable_.end(), {a, b});
}

// A diagram of its own, used once or as an array.
void Maker::add_diagrams() {
    const std::string d = "D" + std::to_string(names_++), u = "u" + std::to_string(names_++);
    const std::string k = "k" + std::to_string(names_++), y = name();
    const std::vector<Term> outside = std::move(pool_);
    pool_ = {{u, jumps, false}, {k, smooth, false}};
    blocks_ = "diagrams." + d + ".blocks";
    const std::string standard = number();
    draft_["diagrams." + d] = {fmt::format("inputs = [\"{}\"]", u), fmt::format("outputs = [\"{}\"]", y),
                               fmt::format("parameters = {{ {} = {} }}", k, setting(standard))};
    const Term inside = term(jumps, 2);
    draft_[blocks_].push_back(fmt::format("{} = \"{} + {}*{}\"", y, inside.text, k, u));
    blocks_ = "blocks";
    pool_ = outside;
    const bool array = draw_.percent(40);
    const Term drive = term(jumps, 1);
    const std::string value = number(), instance = name();
    const std::string rest =
        array ? fmt::format("{} = \"{} + 0.1*i\", {} = \"{} + i\", count = 3", u, drive.text, k, value)
              : fmt::format("{} = \"{}\", {} = {}", u, drive.text, k, setting(value));
    draft_["blocks"].push_back(instance + " = " + table(d, rest));
    const std::string out = array ? instance + "[1]" : instance;
    publish({out, jumps, true});
    recordable_.push_back(out);
    if (array) recordable_.push_back(instance + "[2]");
}

void Maker::add_simulation() {
    std::string zero = "0";
    if (profile_.shifted) {
        zero = draw_.percent(60) ? "0" : draw_.word({"5", "-3", "0.1", "100", "(1/3)"});
        draft_["parameters"].push_back("T0 = " + quoted(zero));
    }
    const bool late = !profile_.shifted && draw_.percent(10);
    const std::string start = late ? decimal(span_ / 4) : "0";
    draft_.set("simulation", "start", moment(start));
    draft_.set("simulation", "stop", moment(decimal(span_)));
    draft_.set("simulation", "every", quoted(fmt::format("{}/{}", decimal(span_), draw_.integer(19, 24))));
}

void Maker::finish() {
    std::vector<std::string> record;
    if (recordable_.size() > 7) {
        draw_.shuffle(recordable_);
        recordable_.resize(7);
    }
    draft_.set("simulation", "record", list_of(recordable_));
}

Draft Maker::block_model() {
    add_simulation();
    open_states();
    for (const Open& open : open_) recordable_.push_back(open.name);
    const int sources = draw_.integer(1, 3), blocks = draw_.integer(1, 4);
    for (int i = 0; i < sources; ++i) source();
    if (draw_.percent(12)) add_ball();
    if (draw_.percent(10)) add_relay();
    if (draw_.percent(12)) add_loop();
    if (draw_.percent(20)) add_diagrams();
    for (int i = 0; i < blocks; ++i) {
        const int least = draw_.percent(25) ? -4 : jumps;
        const Term made = term(least, 2);
        define(quoted(made.text), made.r, made.held);
    }
    close_states();
    if (draw_.percent(4)) {
        const Term u = term(jumps, 1);
        define(table("assert", fmt::format("in = \"{} + 3\", message = \"low\"", u.text)), u.r, u.held);
    }
    add_words();
    finish();
    return draft_;
}

Draft generate(std::uint64_t seed, std::uint64_t form) {
    Maker maker(seed, form);
    if (maker.wants_network()) return maker.network_model();
    return maker.wants_graph() ? maker.graph_model() : maker.block_model();
}

}  // namespace deltaflow::campaign
