#include "bonds/poles.hpp"

#include <algorithm>

namespace deltaflow::bonds {

namespace {

const std::vector<std::string_view> electric{"voltage", "current"};
const std::vector<std::string_view> moving{"position", "velocity"};
const std::vector<std::string_view> driven{"position", "velocity", "force"};

PoleParameter number(std::string_view name, std::string_view becomes, std::string_view about) {
    return {{.name = name, .about = about}, becomes};
}

PoleParameter number(std::string_view name, std::string_view becomes, std::string_view fallback,
                     std::string_view about) {
    return {{.name = name, .fallback = fallback, .about = about}, becomes};
}

PoleParameter signal(std::string_view name, std::string_view becomes, std::string_view about) {
    return {{.name = name, .takes = Takes::signal, .about = about}, becomes};
}

PoleParameter optional(std::string_view name, Takes takes, std::string_view becomes, std::string_view about) {
    return {{.name = name, .takes = takes, .required = false, .about = about}, becomes};
}

std::vector<PoleType> pole_sources() {
    return {
        {
            .type = "voltage",
            .element = "MSe",
            .about = "A source of voltage.",
            .rule = "v = value",
            .parameters = {signal("value", "effort", "a number or an expression of signals")},
            .signals = electric,
            .example =
                R"toml(u = { type = "voltage", between = "a ground", value = "10*sin(100*pi*t)" })toml",
        },
        {
            .type = "current",
            .element = "MSf",
            .about = "A source of current: drives it through itself from the first node to the second.",
            .rule = "i = value",
            .parameters = {signal("value", "", "a number or an expression of signals")},
            .signals = electric,
            .example = R"toml(i = { type = "current", between = "ground a", value = 2 })toml",
        },
    };
}

std::vector<PoleType> linear_parts() {
    return {
        {
            .type = "resistor",
            .element = "MR",
            .about = "A resistor.",
            .rule = "v = R i",
            .parameters = {signal("value", "value", "R, a number or an expression of signals")},
            .signals = electric,
            .example = R"toml(r = { type = "resistor", between = "q ground", value = 10 })toml",
        },
        {
            .type = "capacitor",
            .element = "C",
            .about = "A capacitor.",
            .rule = "i = C dv/dt",
            .parameters = {number("value", "value", "C"), number("initial", "", "0", "voltage at the start")},
            .signals = electric,
            .example =
                R"toml(c = { type = "capacitor", between = "p ground", value = 1e-3, initial = 5 })toml",
        },
        {
            .type = "inductor",
            .element = "I",
            .about = "A coil.",
            .rule = "v = L di/dt",
            .parameters = {number("value", "value", "L"), number("initial", "", "0", "current at the start")},
            .signals = electric,
            .example = R"toml(l = { type = "inductor", between = "p q", value = 0.1 })toml",
        },
        {
            .type = "coupling",
            .element = "I",
            .about = "Two inductors share flux: a real transformer. Their first nodes are alike (the dots).",
            .rule = "v1 = L1 di1/dt + M di2/dt, v2 = M di1/dt + L2 di2/dt, M = value sqrt(L1 L2)",
            .ends = "coils",
            .parameters = {optional("value", Takes::number, "", "from -1 to 1: 1 leaves no stray flux"),
                           optional("mutual", Takes::number, "", "instead: M itself")},
            .example = R"toml(k = { type = "coupling", coils = "l1 l2", value = 0.98 })toml",
        },
    };
}

std::vector<PoleType> ideal_parts() {
    return {
        {
            .type = "diode",
            .element = "D",
            .about = "An ideal diode: conducts from the first node to the second.",
            .rule = "i >= 0, v <= drop, i (drop - v) = 0",
            .parameters = {number("drop", "drop", "0", "forward voltage")},
            .signals = electric,
            .example = R"toml(d = { type = "diode", between = "a p" })toml",
        },
        {
            .type = "switch",
            .element = "Sw",
            .about = "An ideal switch, closed by a signal or by an automaton that is on.",
            .rule = "closed: v = 0; open: i = 0",
            .parameters = {optional("closed", Takes::signal, "", "closed where this signal is >= 0.5"),
                           optional("automaton", Takes::automaton, "automaton", "instead: closed where on")},
            .signals = electric,
            .example = R"toml(k = { type = "switch", between = "a b", closed = "gate" })toml",
        },
        {
            .type = "transformer",
            .element = "TF",
            .about = "An ideal transformer; its voltage and current are the primary's.",
            .rule = "v(between) = ratio v(secondary), i(secondary) = -ratio i(between)",
            .parameters = {number("ratio", "ratio", "of the voltages")},
            .signals = electric,
            .example =
                R"toml(tr = { type = "transformer", between = "a ground", secondary = "s ground", ratio = 2 })toml",
        },
    };
}

std::vector<PoleType> movers() {
    return {
        {
            .type = "mass",
            .domain = Domain::mechanics,
            .element = "I",
            .about = "A mass at a point; several at one point add.",
            .rule = "force = m dv/dt",
            .ends = "at",
            .parameters = {number("value", "value", "m"), number("position", "", "0", "at the start"),
                           number("velocity", "", "0", "at the start")},
            .signals = moving,
            .example = R"toml(m = { type = "mass", at = "x1", value = 2, position = 0, velocity = 1 })toml",
        },
        {
            .type = "force",
            .domain = Domain::mechanics,
            .element = "MSe",
            .about = "A force on a point.",
            .rule = "force = value",
            .ends = "at",
            .parameters = {signal("value", "effort", "a number or an expression of signals")},
            .signals = {"force"},
            .example = R"toml(weight = { type = "force", at = "x1", value = "-9.81*2" })toml",
        },
        {
            .type = "velocity",
            .domain = Domain::mechanics,
            .element = "MSf",
            .about = "A prescribed motion of a point: a belt, a table.",
            .rule = "v = value",
            .ends = "at",
            .parameters = {signal("value", "flow", "a number or an expression of signals"),
                           number("position", "", "0", "at the start")},
            .signals = driven,
            .example = R"toml(belt = { type = "velocity", at = "x3", value = "sin(t)" })toml",
        },
        {
            .type = "spring",
            .domain = Domain::mechanics,
            .element = "C",
            .about = "A spring; at rest its points are its length apart.",
            .rule = "force = k (x1 - x2 - length)",
            .parameters = {number("value", "", "k"), number("length", "", "0", "at rest")},
            .signals = {"force"},
            .example = R"toml(s = { type = "spring", between = "x1 x2", value = 100, length = 0.5 })toml",
        },
        {
            .type = "damper",
            .domain = Domain::mechanics,
            .element = "MR",
            .about = "A damper.",
            .rule = "force = d (v1 - v2)",
            .parameters = {signal("value", "value", "d, a number or an expression of signals")},
            .signals = {"force"},
            .example = R"toml(d = { type = "damper", between = "x1 ground", value = 0.5 })toml",
        },
    };
}

std::vector<PoleType> touching() {
    return {
        {
            .type = "contact",
            .domain = Domain::mechanics,
            .element = "contact",
            .about = "Keeps the first point from going below the second; may rebound.",
            .rule = "x1 >= x2 + size, force >= 0, force (x1 - x2 - size) = 0",
            .parameters = {number("restitution", "restitution", "0", "of velocities at an impact"),
                           number("size", "", "0", "distance of the points when they touch")},
            .signals = {"force"},
            .example = R"toml(floor = { type = "contact", between = "x1 ground", restitution = 0.5 })toml",
        },
        {
            .type = "friction",
            .domain = Domain::mechanics,
            .element = "friction",
            .about = "Dry friction, by a level of force or by a coefficient and a normal force.",
            .rule = "force = level sign(v1 - v2), or any up to static while it sticks",
            .parameters = {optional("level", Takes::signal, "level", "force while it slides"),
                           optional("mu", Takes::number, "mu", "instead: a coefficient"),
                           optional("normal", Takes::signal, "normal", "with mu: a contact, or a signal"),
                           optional("static", Takes::signal, "static", "while it sticks: of the same kind")},
            .signals = {"force"},
            .example = R"toml(b = { type = "friction", between = "x1 ground", level = "0.3*9.81*2" })toml",
        },
        {
            .type = "stop",
            .domain = Domain::mechanics,
            .element = "stop",
            .about = "Hard limits of the distance between two points.",
            .rule = "low <= x1 - x2 <= high; force >= 0 only at high, <= 0 only at low",
            .parameters = {number("low", "low", "lower limit"), number("high", "high", "upper limit"),
                           number("restitution", "restitution", "0", "of velocities at an impact")},
            .signals = {"force"},
            .example = R"toml(rail = { type = "stop", between = "x1 ground", low = -1, high = 1 })toml",
        },
    };
}

std::vector<PoleType> all_poles() {
    std::vector<PoleType> all;
    for (auto make : {pole_sources, linear_parts, ideal_parts, movers, touching})
        for (PoleType& type : make()) all.push_back(std::move(type));
    return all;
}

}  // namespace

std::string_view table_of(Domain domain) { return domain == Domain::circuit ? "circuit" : "mechanics"; }

std::span<const PoleType> poles() {
    static const std::vector<PoleType> all = all_poles();
    return all;
}

const PoleType* find_pole_type(std::string_view type, Domain domain) {
    const auto all = poles();
    const auto found = std::find_if(all.begin(), all.end(), [&](const PoleType& pole) {
        return pole.type == type && pole.domain == domain;
    });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace deltaflow::bonds
