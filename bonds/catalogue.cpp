#include "bonds/catalogue.hpp"

#include <algorithm>
#include <array>

namespace deltaflow::bonds {

namespace {

constexpr std::array<std::string_view, 8> names{"effort", "flow",  "momentum", "displacement",
                                                "energy", "power", "on",       "gap"};
constexpr std::size_t reserved = 6;
constexpr std::array bond_list{Signal::effort, Signal::flow, Signal::power};

const std::vector<Signal> port_signals{Signal::effort, Signal::flow};
const std::vector<Signal> storage_signals{Signal::effort, Signal::flow, Signal::momentum,
                                          Signal::displacement, Signal::energy};

ElementParameter law(std::string_view about) {
    return {.name = "law", .takes = Takes::law, .required = false, .about = about};
}

ElementParameter momentum() {
    return {.name = "momentum",
            .fallback = "0",
            .about = "at the start: the integral of the effort",
            .dimensions = 1};
}

ElementParameter displacement() {
    return {.name = "displacement",
            .fallback = "0",
            .about = "at the start: the integral of the flow",
            .dimensions = 1};
}

ElementParameter value_or_matrix(std::string_view about) {
    return {.name = "value", .about = about, .dimensions = 2};
}

std::vector<ElementParameter> control(std::string_view off) {
    return {{.name = "automaton",
             .takes = Takes::automaton,
             .required = false,
             .about = "switches the junction on and off"},
            {.name = "off",
             .takes = Takes::off,
             .fallback = off,
             .about = "what an inactive junction imposes on its bonds: no effort or no flow"}};
}

std::vector<ElementType> storages_and_resistors() {
    return {
        {
            .type = "R",
            .kind = Type::R,
            .about = "A resistor: dissipates.",
            .rule = "e = R f, or e = law(f), or f = law(e) (002: 4.2)",
            .parameters = {{.name = "value", .about = "R"}, law("e as an expression of f, or f as one of e")},
            .signals = port_signals,
            .variable = "f",
            .modulated = "MR",
            .example = R"toml(damper = { type = "R", value = 0.5 })toml",
        },
        {
            .type = "C",
            .kind = Type::C,
            .about = "A capacitor or spring: stores displacement; a field of several has a matrix, and ports "
                     "x[0], "
                     "x[1], ...",
            .rule = "e = q / C, or e = law(q); dq/dt = f; E = q^2 / (2 C) (002: 4.3)",
            .parameters = {value_or_matrix("C; of a field a symmetric matrix [[c00, c01], [c01, c11]]"),
                           displacement(), momentum(), law("e as an expression of q")},
            .signals = storage_signals,
            .variable = "q",
            .example = R"toml(spring = { type = "C", value = "1/k", displacement = 0.1 })toml",
        },
        {
            .type = "I",
            .kind = Type::I,
            .about =
                "A mass or coil: stores momentum; a field of several has a matrix, and ports x[0], x[1], ...",
            .rule = "f = p / I, or f = law(p); dp/dt = e; E = p^2 / (2 I) (002: 4.3)",
            .parameters = {value_or_matrix("I; of a field a symmetric matrix [[l00, l01], [l01, l11]]"),
                           momentum(), displacement(), law("f as an expression of p")},
            .signals = storage_signals,
            .variable = "p",
            .example = R"toml(body = { type = "I", value = "m", momentum = 1 })toml",
        },
    };
}

std::vector<ElementType> sources() {
    return {
        {
            .type = "Se",
            .kind = Type::Se,
            .about = "A source of effort.",
            .rule = "e = effort (002: 4.4)",
            .parameters = {{.name = "effort", .about = "a number"}},
            .signals = port_signals,
            .modulated = "MSe",
            .example = R"toml(weight = { type = "Se", effort = "m*g" })toml",
        },
        {
            .type = "Sf",
            .kind = Type::Sf,
            .about = "A source of flow.",
            .rule = "f = flow (002: 4.4)",
            .parameters = {{.name = "flow", .about = "a number"}},
            .signals = port_signals,
            .modulated = "MSf",
            .example = R"toml(pump = { type = "Sf", flow = 2 })toml",
        },
    };
}

std::vector<ElementType> converters() {
    return {
        {
            .type = "TF",
            .kind = Type::TF,
            .about = "A transformer: a lever, a gear, a piston.",
            .rule = "e_from = ratio e_to, f_to = ratio f_from (002: 4.7)",
            .joins = Joins::in_and_out,
            .parameters = {{.name = "ratio", .about = "of the efforts"}},
            .modulated = "MTF",
            .example = R"toml(gear = { type = "TF", ratio = 3 })toml",
        },
        {
            .type = "GY",
            .kind = Type::GY,
            .about = "A gyrator: a motor, a pump.",
            .rule = "e_from = ratio f_to, e_to = ratio f_from (002: 4.7)",
            .joins = Joins::in_and_out,
            .parameters = {{.name = "ratio", .about = "effort here for flow there"}},
            .modulated = "MGY",
            .example = R"toml(motor = { type = "GY", ratio = 0.1 })toml",
        },
    };
}

// The same element with a signal for its number: that of `plain` which is called `type` then.
ElementType modulated(const std::vector<ElementType>& plain, std::string_view type, std::string_view about,
                      std::string_view example) {
    ElementType made =
        *std::find_if(plain.begin(), plain.end(), [&](const ElementType& e) { return e.modulated == type; });
    made.type = type;
    made.about = about;
    made.parameters.resize(1);
    made.parameters[0].takes = Takes::signal;
    made.parameters[0].about = "an expression of signals";
    made.variable = made.modulated = {};
    made.example = example;
    return made;
}

std::vector<ElementType> junctions() {
    return {
        {
            .type = "0",
            .kind = Type::zero,
            .about = "A junction with one effort; the flows add up to zero. Controlled: 0/E or 0/F.",
            .rule = "e_i = e_j, sum of +-f_i = 0 (002: 4.5, 4.6)",
            .joins = Joins::some,
            .parameters = control("effort"),
            .signals = {Signal::effort},
            .example = R"toml(contact = { type = "0", automaton = "touch" })toml",
        },
        {
            .type = "1",
            .kind = Type::one,
            .about = "A junction with one flow; the efforts add up to zero. Controlled: 1/E or 1/F.",
            .rule = "f_i = f_j, sum of +-e_i = 0 (002: 4.5, 4.6)",
            .joins = Joins::some,
            .parameters = control("flow"),
            .signals = {Signal::flow},
            .example = R"toml(v = { type = "1" })toml",
        },
        {
            .type = "Sw",
            .kind = Type::Sw,
            .about = "A switch: on, it has no effort; off, it has no flow.",
            .rule = "on: e = 0; off: f = 0 (002: 4.6)",
            .parameters = {{.name = "automaton",
                            .takes = Takes::automaton,
                            .about = "switches it on and off"}},
            .signals = port_signals,
            .example = R"toml(key = { type = "Sw", automaton = "hand" })toml",
        },
    };
}

ElementParameter given(std::string_view name, Takes takes, std::string_view about) {
    return {.name = name, .takes = takes, .required = false, .about = about};
}

ElementParameter restitution() {
    return {.name = "restitution",
            .fallback = "0",
            .about = "at an impact: flow after = -restitution times flow before"};
}

// Their states follow from the network; nobody writes an automaton.
std::vector<ElementType> ideal_elements() {
    return {
        {
            .type = "D",
            .kind = Type::D,
            .about = "An ideal diode, check valve or one-way clutch: conducts along a half arrow that points "
                     "at it.",
            .rule = "f >= 0, e <= drop, f (drop - e) = 0",
            .joins = Joins::one_or_two,
            .parameters = {{.name = "drop",
                            .takes = Takes::signal,
                            .fallback = "0",
                            .about = "effort while it conducts"}},
            .signals = {Signal::effort, Signal::flow, Signal::on},
            .example = R"toml(valve = { type = "D" })toml",
        },
        {
            .type = "contact",
            .kind = Type::contact,
            .about = "Bodies that may touch and never overlap: the effort pushes them apart.",
            .rule = "gap' = -f, gap >= 0, e >= 0, e gap = 0; impact: f after = -restitution f before",
            .joins = Joins::one_or_two,
            .parameters = {{.name = "gap", .fallback = "0", .about = "at the start"}, restitution()},
            .signals = {Signal::effort, Signal::flow, Signal::on, Signal::gap},
            .example = R"toml(floor = { type = "contact", gap = 1, restitution = 0.5 })toml",
        },
        {
            .type = "friction",
            .kind = Type::friction,
            .about = "Dry friction: sticks, or slides either way; brakes and clutches by a level that is a "
                     "signal.",
            .rule = "e = level sign(f) while it slides; sticks while |e| <= static",
            .joins = Joins::one_or_two,
            .parameters = {given("level", Takes::signal, "the effort of sliding"),
                           given("mu", Takes::signal, "instead of a level: its ratio to the normal effort"),
                           given("normal", Takes::signal, "with mu: a contact, or a signal"),
                           given("static", Takes::signal,
                                 "of the same kind as level or mu: what it sticks up to")},
            .signals = {Signal::effort, Signal::flow, Signal::on},
            .example = R"toml(brake = { type = "friction", level = "0.3*m*g" })toml",
        },
        {
            .type = "stop",
            .kind = Type::stop,
            .about = "Hard limits of a displacement.",
            .rule = "displacement' = f within [low, high]; e >= 0 only at high, e <= 0 only at low",
            .joins = Joins::one_or_two,
            .parameters = {{.name = "low", .about = "the least displacement"},
                           {.name = "high", .about = "the largest one"},
                           restitution(),
                           {.name = "displacement",
                            .fallback = "0",
                            .about = "at the start: the integral of the flow"}},
            .signals = {Signal::effort, Signal::flow, Signal::displacement, Signal::on, Signal::gap},
            .example = R"toml(ends = { type = "stop", low = -1, high = 1 })toml",
        },
    };
}

void append(std::vector<ElementType>& all, std::vector<ElementType> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

std::vector<ElementType> all_elements() {
    std::vector<ElementType> all = storages_and_resistors();
    append(all, sources());
    append(all, converters());
    append(all, {
                    modulated(all, "MR", "A resistor whose value is a signal.",
                              R"toml(valve = { type = "MR", value = "1 + opening" })toml"),
                    modulated(all, "MSe", "A source whose effort is a signal.",
                              R"toml(drive = { type = "MSe", effort = "sin(t)" })toml"),
                    modulated(all, "MSf", "A source whose flow is a signal.",
                              R"toml(bounce = { type = "MSf", flow = "e * pre(v1.flow - v2.flow)" })toml"),
                    modulated(all, "MTF", "A transformer whose ratio is a signal.",
                              R"toml(arm = { type = "MTF", ratio = "l*cos(theta)" })toml"),
                    modulated(all, "MGY", "A gyrator whose ratio is a signal.",
                              R"toml(field = { type = "MGY", ratio = "k*current" })toml"),
                });
    append(all, junctions());
    append(all, ideal_elements());
    return all;
}

}  // namespace

std::string_view name_of(Signal signal) { return names[static_cast<std::size_t>(signal)]; }

std::span<const std::string_view> signal_names() { return std::span(names).first(reserved); }

std::span<const Signal> bond_signals() { return bond_list; }

std::span<const ElementType> elements() {
    static const std::vector<ElementType> all = all_elements();
    return all;
}

const ElementType* find_element_type(std::string_view type) {
    const auto all = elements();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const ElementType& e) { return e.type == type; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace deltaflow::bonds
