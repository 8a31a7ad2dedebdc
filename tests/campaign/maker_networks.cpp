// Random circuits and mechanics: two-poles between a few nodes, bodies in a row and what touches them.
#include "tests/campaign/maker.hpp"

#include <fmt/format.h>

namespace deltaflow::campaign {

void Maker::add_pole(const char* section, const char* type, const std::string& rest,
                     std::initializer_list<const char*> signals) {
    const std::string x = name();
    draft_[section].push_back(x + " = " + table(type, rest));
    for (const char* const signal : signals) recordable_.push_back(x + signal);
}

// A signal of time alone, which goes to and fro.
std::string Maker::drive(double size) {
    const std::string a = positive(size), w = positive(12 / span_);
    switch (draw_.weighted({50, 20, 15, 15})) {
        case 0:
            return fmt::format("{}*sin({}*t + 0.1)", a, w);
        case 1:
            return a;
        case 2:
            return fmt::format("{}*sign(sin({}*t + 0.2))", a, w);
        default:
            return fmt::format("{}*heaviside(t - {}) - 0.3", a, decimal(span_ * draw_.integer(1, 7) / 8));
    }
}

// What stands between two nodes; times of it are a part of the run.
void Maker::add_two_pole(const std::string& between) {
    const std::string at = fmt::format("between = \"{}\", ", between);
    const std::string value = positive(), slow = positive(span_ / 6);
    const std::string initial = draw_.percent(40) ? ", initial = " + decimal(draw_.integer(-4, 4) / 4.0) : "";
    switch (draw_.weighted({30, 15, 15, 30, 12, 4})) {
        case 0:
            return add_pole("circuit", "resistor", at + "value = " + setting(value), {".current"});
        case 1:
            return add_pole("circuit", "capacitor", at + "value = " + setting(slow) + initial, {".voltage"});
        case 2:
            return add_pole("circuit", "inductor", at + "value = " + setting(slow) + initial, {".current"});
        case 3: {
            const bool drop = draw_.percent(30);
            return add_pole("circuit", "diode", drop ? at + "drop = 0.25" : at.substr(0, at.size() - 2),
                            {".current", ".voltage", ".on"});
        }
        case 4:
            return add_pole("circuit", "switch", at + fmt::format("closed = \"{}\"", drive(1)), {".current"});
        default:
            return add_pole("circuit", "current", at + fmt::format("value = \"{}\"", drive(0.5)),
                            {".voltage"});
    }
}

void Maker::add_circuit() {
    std::vector<std::string> nodes{"ground"};
    const int n = draw_.integer(2, 4);
    for (int i = 0; i < n; ++i) {
        nodes.push_back(name());
        recordable_.push_back(nodes.back() + ".voltage");
    }
    const auto pair = [&] {
        const std::string from = draw_.one_of(nodes);
        std::string to = draw_.one_of(nodes);
        if (to == from) to = from == nodes[0] ? nodes[1] : nodes[0];
        return from + " " + to;
    };
    const bool grounded = draw_.percent(80);
    add_pole("circuit", "voltage",
             fmt::format("between = \"{} {}\", value = \"{}\"", nodes[1], nodes[grounded ? 0 : 2], drive(2)),
             {".current"});
    for (std::size_t i = 1; i + 1 < nodes.size(); ++i) add_two_pole(nodes[i] + " " + nodes[i + 1]);
    const int more = draw_.integer(1, 4);
    for (int i = 0; i < more; ++i) add_two_pole(pair());
    if (draw_.percent(80) || !grounded) {  // in a diagram a network without ground is not held
        const std::string value = positive();
        add_pole("circuit", "resistor",
                 fmt::format("between = \"{} ground\", value = {}", nodes.back(), setting(value)),
                 {".current"});
    }
}

// What acts on a body, or between it and another point.
void Maker::add_touch(const std::string& a, const std::string& b, bool above) {
    const std::string between = fmt::format("between = \"{} {}\", ", above ? a : b, above ? b : a);
    const double acceleration = 4 / span_ / span_;
    const std::string k = positive(20 / span_ / span_), c = positive(1 / span_),
                      level = positive(acceleration);
    switch (draw_.weighted({25, 15, 30, 20, 10})) {
        case 0:
            return add_pole("mechanics", "spring", between + "value = " + k, {".force"});
        case 1:
            return add_pole("mechanics", "damper", between + "value = " + c, {".force"});
        case 2:
            return add_pole("mechanics", "contact",
                            between + fmt::format("restitution = {}", decimal(draw_.integer(0, 9) / 10.0)),
                            {".force", ".on"});
        case 3: {
            const bool grip = draw_.percent(40);
            return add_pole("mechanics", "friction",
                            between + fmt::format("level = {}{}", level,
                                                  grip ? fmt::format(", static = \"1.5*{}\"", level) : ""),
                            {".force", ".on"});
        }
        default:
            return add_pole("mechanics", "stop",
                            fmt::format("between = \"{} {}\", low = -3, high = 3, restitution = {}", a, b,
                                        decimal(draw_.integer(0, 8) / 10.0)),
                            {".force"});
    }
}

void Maker::add_bodies() {
    const int n = draw_.integer(1, 3);
    std::string below = "ground";
    for (int i = 0; i < n; ++i) {
        const std::string x = name(), m = positive();
        const std::string speed = decimal(draw_.integer(-8, 8) / 4.0 / span_);
        add_pole("mechanics", "mass",
                 fmt::format("at = \"{}\", value = {}, position = {}, velocity = {}", x, setting(m),
                             decimal(i + draw_.integer(0, 4) / 4.0), speed),
                 {});
        recordable_.insert(recordable_.end(), {x + ".position", x + ".velocity"});
        add_touch(x, below, true);
        if (draw_.percent(50)) add_touch(x, draw_.percent(60) ? "ground" : below, true);
        if (draw_.percent(70))
            add_pole("mechanics", "force",
                     fmt::format("at = \"{}\", value = \"{}{}\"", x, draw_.percent(50) ? "-" : "",
                                 drive(8 / span_ / span_)),
                     {});
        below = x;
    }
    if (draw_.percent(15)) {
        const std::string belt = name();
        add_pole("mechanics", "velocity", fmt::format("at = \"{}\", value = \"{}\"", belt, drive(1 / span_)),
                 {});
        add_pole("mechanics", "friction",
                 fmt::format("between = \"{} {}\", level = {}", below, belt, positive(4 / span_ / span_)),
                 {".force"});
    }
}

// Choices of their own: bond graphs of other seeds stay what they were.
bool Maker::wants_network() const { return graph_ && draw_.branch(37).percent(40); }

Draft Maker::network_model() {
    draw_ = draw_.branch(41);
    add_simulation();
    if (draw_.percent(55))
        add_circuit();
    else
        add_bodies();
    add_words();
    finish();
    return draft_;
}

}  // namespace deltaflow::campaign
