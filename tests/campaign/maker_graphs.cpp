// Random bond graphs: trees of junctions with elements, switches and automata; bodies that collide; diodes.
#include "tests/campaign/maker.hpp"

#include <fmt/format.h>

namespace deltaflow::campaign {

// A junction; a controlled one has an automaton.
std::string Maker::junction(char type, bool controlled) {
    const std::string j = name();
    std::string rest;
    if (controlled) rest = fmt::format("automaton = \"{}\"", automaton(draw_.percent(40)));
    draft_["elements"].push_back(j + " = " + table(std::string(1, type), rest));
    return j;
}

// Switches at a time, or where a signal passes a threshold, and back at another one.
std::string Maker::automaton(bool on_time_only) {
    const std::string a = "a" + std::to_string(names_++);
    const bool starts_on = draw_.percent(50);
    const double first = span_ * draw_.integer(1, 4) / 8, second = span_ * draw_.integer(5, 8) / 8;
    std::string close = fmt::format("t >= {}", decimal(first)),
                open = fmt::format("t >= {}", decimal(second));
    if (!on_time_only && !thresholds_.empty()) {
        const std::string& x = draw_.one_of(thresholds_);
        const double low = draw_.integer(-4, 2) / 4.0, high = low + draw_.integer(1, 4) / 4.0;
        close = fmt::format("{} > {}", x, decimal(high));
        open = fmt::format("{} < {}", x, decimal(low));
    }
    auto& lines = draft_["automata." + a];
    lines = {
        fmt::format("initial = \"s{}\"", starts_on ? 1 : 0), "states = { s0 = \"off\", s1 = \"on\" }",
        fmt::format(
            "transitions = [{{ from = \"s0\", to = \"s1\", when = \"{}\" }}, {{ from = \"s1\", to = \"s0\", "
            "when = \"{}\" }}]",
            close, open)};
    if (on_time_only && starts_on) {  // once off, off for good
        lines[2] = fmt::format("transitions = [{{ from = \"s1\", to = \"s0\", when = \"{}\" }}]", close);
    } else if (on_time_only) {
        lines[2] = fmt::format("transitions = [{{ from = \"s0\", to = \"s1\", when = \"{}\" }}]", close);
    }
    return a;
}

void Maker::add_port(const std::string& at, const std::string& element, const std::string& value) {
    draft_["elements"].push_back(element + " = " + value);
    const std::string bond = name();
    const bool out = draw_.percent(80);
    const bool source =
        value.find("\"Se\"") != std::string::npos || value.find("\"MSe\"") != std::string::npos ||
        value.find("\"Sf\"") != std::string::npos || value.find("\"MSf\"") != std::string::npos;
    const bool towards = out != source;
    draft_["bonds"].push_back(
        fmt::format("{} = \"{} -> {}\"", bond, towards ? at : element, towards ? element : at));
    if (draw_.percent(40)) recordable_.push_back(bond + ".effort");
    if (draw_.percent(40)) recordable_.push_back(bond + ".flow");
}

void Maker::add_ports(const std::string& at, char type) {
    const int n = draw_.integer(1, 2);
    for (int i = 0; i < n; ++i) {
        const std::string x = name(), size = positive(), start = number();
        switch (draw_.weighted({30, 30, 30, 20})) {
            case 0:
                if (draw_.percent(15))
                    add_port(at, x, table("R", fmt::format("law = \"{}*f + 0.1*f^3\"", size)));
                else if (draw_.percent(15))
                    add_port(at, x, table("MR", fmt::format("value = \"{} + 0.5*sin({})\"", "1", tau())));
                else
                    add_port(at, x, table("R", fmt::format("value = {}", size)));
                break;
            case 1:
                add_port(
                    at, x,
                    table("C", draw_.percent(10)
                                   ? fmt::format("law = \"{}*q + 0.1*q^3\", displacement = {}", size,
                                                 setting(start))
                                   : fmt::format("value = {}, displacement = {}", size, setting(start))));
                thresholds_.push_back(x + ".displacement");
                recordable_.push_back(x + ".displacement");
                break;
            case 2:
                add_port(at, x, table("I", fmt::format("value = {}, momentum = {}", size, setting(start))));
                thresholds_.push_back(x + ".momentum");
                recordable_.push_back(x + ".momentum");
                break;
            default: {
                if (sources_taken_) break;
                sources_taken_ = true;
                const bool effort = draw_.percent(75) == (type == '1');
                const std::string w = positive(4 / span_);
                const std::string signal = draw_.percent(50) ? fmt::format("{}*sin({}*t)", start, w) : start;
                const bool modulated = signal != start || draw_.percent(30);
                add_port(at, x,
                         modulated
                             ? table(effort ? "MSe" : "MSf",
                                     fmt::format("{} = \"{}\"", effort ? "effort" : "flow", signal))
                             : table(effort ? "Se" : "Sf",
                                     fmt::format("{} = {}", effort ? "effort" : "flow", setting(start))));
            }
        }
    }
    if (draw_.percent(20) && !thresholds_.empty()) {
        const std::string x = name();
        add_port(at, x, table("Sw", fmt::format("automaton = \"{}\"", automaton(draw_.percent(40)))));
    }
}

void Maker::grow(const std::string& at, char type, int depth) {
    add_ports(at, type);
    if (depth <= 0) return;
    const int children = draw_.integer(1, 2);
    for (int i = 0; i < children; ++i) {
        const std::size_t way = draw_.weighted({60, 20, 20});
        const char other = (way == 2) == (type == '1') ? '1' : '0';
        const char child_type = way == 1 ? type : other;  // through a transformer junctions stay of a kind
        const bool controlled = draw_.percent(25);
        const std::string child = junction(child_type, controlled && !thresholds_.empty());
        if (way == 0) {
            const std::string bond = name();
            draft_["bonds"].push_back(fmt::format("{} = \"{} -> {}\"", bond, at, child));
            recordable_.push_back(bond + (draw_.percent(50) ? ".effort" : ".flow"));
        } else {
            const std::string two = name(), in = name(), out = name(), ratio = positive();
            const bool modulated = draw_.percent(15);
            const std::string kind = way == 1 ? "TF" : "GY";
            draft_["elements"].push_back(
                two + " = " +
                (modulated ? table("M" + kind, fmt::format("ratio = \"{} + 0.3*sin({})\"", "1", tau()))
                           : table(kind, fmt::format("ratio = {}", setting(ratio)))));
            draft_["bonds"].push_back(fmt::format("{} = \"{} -> {}\"", in, at, two));
            draft_["bonds"].push_back(fmt::format("{} = \"{} -> {}\"", out, two, child));
        }
        grow(child, child_type, depth - 1);
    }
}

// Two or three bodies in a row; a contact between neighbours.
void Maker::add_collision() {
    const int n = draw_.integer(2, 3);
    std::vector<std::string> bodies, nodes;
    const std::string e = decimal(draw_.integer(0, 10) / 10.0);
    for (int i = 0; i < n; ++i) {
        bodies.push_back(name());
        nodes.push_back(name());
        const std::string m = positive();
        const double speed = (i == 0 ? 4 : i == n - 1 ? -2 : draw_.integer(-1, 1)) / span_;
        draft_["elements"].push_back(
            bodies.back() + " = " +
            table("I", fmt::format("value = {0}, momentum = \"{0}*({1})\", displacement = {2}", m,
                                   decimal(speed), decimal(i))));
        draft_["elements"].push_back(nodes.back() + " = " + table("1", ""));
        draft_["bonds"].push_back(fmt::format("{} = \"{} -> {}\"", name(), nodes.back(), bodies.back()));
        if (draw_.percent(30)) {
            const std::string x = name(), size = number(1 / span_);
            add_port(nodes.back(), x, table("Se", "effort = " + setting(size)));
        }
        if (draw_.percent(20)) {
            const std::string x = name(), size = positive(1 / span_);
            add_port(nodes.back(), x, table("R", "value = " + size));
        }
        recordable_.push_back(nodes.back() + ".flow");
    }
    for (int i = 0; i + 1 < n; ++i) {
        const std::string c = name(), bounce = name(), a = "a" + std::to_string(names_++);
        const std::string &left = nodes[static_cast<std::size_t>(i)],
                          &right = nodes[static_cast<std::size_t>(i) + 1];
        const std::string &b1 = bodies[static_cast<std::size_t>(i)],
                          &b2 = bodies[static_cast<std::size_t>(i) + 1];
        draft_["elements"].push_back(c + " = " +
                                     table("0", fmt::format("off = \"effort\", automaton = \"{}\"", a)));
        draft_["elements"].push_back(
            bounce + " = " +
            table("MSf", fmt::format("flow = \"{}*pre({}.flow - {}.flow)\"", e, left, right)));
        const std::string from = name(), to = name(), own = name();
        draft_["bonds"].push_back(fmt::format("{} = \"{} -> {}\"", from, left, c));
        draft_["bonds"].push_back(fmt::format("{} = \"{} -> {}\"", to, c, right));
        draft_["bonds"].push_back(fmt::format("{} = \"{} -> {}\"", own, bounce, c));
        draft_["automata." + a] = {"initial = \"s0\"", "states = { s0 = \"off\", s1 = \"on\" }",
                                   fmt::format("transitions = [{{ from = \"s0\", to = \"s1\", when = "
                                               "\"{0}.displacement >= {1}.displacement and "
                                               "pre({2}.flow - {3}.flow) > 0\" }}, {{ from = \"s1\", to = "
                                               "\"s0\", when = \"pre({2}.flow - {3}.flow) "
                                               "< 0\" }}]",
                                               b1, b2, left, right)};
        recordable_.push_back(from + ".effort");
    }
}

// A coil behind a diode, fed by an alternating source.
void Maker::add_diode() {
    const std::string source = name(), node = name(), d = name(), coil = name(), r = name(),
                      a = "a" + std::to_string(names_++);
    const std::string w = positive(8 / span_), u = positive(), value = positive(), size = positive();
    const bool coiled = draw_.percent(50);
    auto& elements = draft_["elements"];
    elements.push_back(source + " = " + table("MSe", fmt::format("effort = \"{}*sin({}*t + 0.1)\"", u, w)));
    elements.push_back(node + " = " + table("1", ""));
    elements.push_back(d + " = " + table("Sw", fmt::format("automaton = \"{}\"", a)));
    elements.push_back(coil + " = " +
                       (coiled ? table("I", "value = " + value) : table("C", "value = " + value)));
    elements.push_back(r + " = " + table("R", "value = " + size));
    for (const std::string& line :
         {source + " -> " + node, node + " -> " + d, node + " -> " + coil, node + " -> " + r})
        draft_["bonds"].push_back(name() + " = " + quoted(line));
    draft_["automata." + a] = {"initial = \"s0\"", "states = { s0 = \"off\", s1 = \"on\" }",
                               fmt::format("transitions = [{{ from = \"s0\", to = \"s1\", when = "
                                           "\"{0}.effort > 0\" }}, {{ from = \"s1\", to = "
                                           "\"s0\", when = \"{0}.flow < 0\" }}]",
                                           d)};
    recordable_.insert(recordable_.end(),
                       {node + ".flow", coil + (coiled ? ".momentum" : ".displacement"), d + ".effort"});
}

Draft Maker::graph_model() {
    add_simulation();
    const std::size_t kind = draw_.weighted({60, 25, 15});
    if (kind == 0) {
        const char type = draw_.percent(50) ? '0' : '1';
        grow(junction(type, false), type, draw_.integer(1, 2));
    } else if (kind == 1) {
        add_collision();
    } else {
        add_diode();
    }
    if (draw_.percent(30) && !recordable_.empty()) {
        const std::string& x = recordable_[recordable_.size() / 2];
        if (x.find(".displacement") != std::string::npos || x.find(".momentum") != std::string::npos)
            publish({x, jumps, true});
        const Term made = term(jumps, 2);
        define(quoted(made.text), made.r, made.held);
    }
    finish();
    return draft_;
}

}  // namespace deltaflow::campaign
