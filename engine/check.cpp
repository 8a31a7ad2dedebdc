// What can be said of a model before it runs: counts, loops, regularity, and meetings that may be undefined.
#include "bonds/complement.hpp"
#include "engine/compile/system.hpp"
#include "engine/course/report.hpp"
#include "engine/modes/modes.hpp"
#include "engine/run/rounded/island.hpp"
#include "engine/simulate.hpp"
#include "engine/solve/instant_solver.hpp"
#include "signal/regularity.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow {

namespace {

struct Checker {
    const FlatModel& model;
    CheckReport& report;

    std::string name(const System& s, NodeId n) const { return model.naming->name(s.origin[n]); }

    // From a block back to the source of its impulses: the least regular input, each time.
    std::string path(const System& s, NodeId n) const {
        std::vector<std::string> names;
        std::vector<bool> seen(s.d.nodes.size(), false);
        while (!seen[n]) {
            seen[n] = true;
            if (std::string here = name(s, n); names.empty() || names.back() != here)
                names.push_back(std::move(here));
            const auto in = s.d.inputs_of(n);
            if (in.empty() || s.d.nodes[n].op == Primitive::crossing) break;
            n = *std::min_element(in.begin(), in.end(),
                                  [&](NodeId a, NodeId b) { return s.regularity[a].r < s.regularity[b].r; });
        }
        std::string text;
        for (auto it = names.rbegin(); it != names.rend(); ++it) text += (text.empty() ? "" : " -> ") + *it;
        return text;
    }

    void warn(const System& s, NodeId at, NodeId bringer, const std::string& message) {
        report.warnings.push_back({model.naming->place(s.origin[at]),
                                   fmt::format("{} (block {})", message, name(s, at)),
                                   {"the impulse may come along " + path(s, bringer)}});
    }

    void look_at_product(const System& s, NodeId n) {
        const auto in = s.d.inputs_of(n);
        const Reading &u = s.regularity[in[0]], &v = s.regularity[in[1]];
        if (is_impulsive(u) && is_impulsive(v))
            warn(s, n, in[0], "two impulses may meet in a product, which is not defined");
        else if (!product_defined(u, v))
            warn(s, n, is_impulsive(u) ? in[0] : in[1],
                 fmt::format("an impulse ({}) may meet a factor that is only {} at the same instant; "
                             "pre(...) avoids it",
                             to_string(meet(u.r, v.r)), to_string(is_impulsive(u) ? v.s : u.s)));
    }

    // What a comparison gives, or and, or, not.
    static bool is_truth(const Diagram& d, NodeId n, int depth) {
        if (d.nodes[n].op == Primitive::constant && depth > 0)
            return d.parameters_of(n)[0] == 0 || d.parameters_of(n)[0] == 1;
        if (d.nodes[n].op != Primitive::decision || depth > 16) return false;
        return is_truth(d, d.inputs_of(n)[1], depth + 1) && is_truth(d, d.inputs_of(n)[2], depth + 1);
    }

    void look_at(const System& s, NodeId n) {
        const Primitive op = s.d.nodes[n].op;
        const auto in = s.d.inputs_of(n);
        switch (traits_of(op).impulses) {
            case Impulses::leibniz:
                look_at_product(s, n);
                return;
            case Impulses::refuse:
            case Impulses::sample:
                if (s.d.nodes[n].is_trigger()) return;
                if (is_impulsive(s.regularity[in[0]]))
                    warn(s, n, in[0],
                         traits_of(op).impulses == Impulses::sample
                             ? "an impulse may come at the tick of a clock, where it cannot be sampled"
                             : "an impulse may reach a condition or a nonlinear function, which is not "
                               "defined");
                return;
            case Impulses::select:
                if (is_truth(s.d, in[0], 0))
                    report.warnings.push_back(
                        {model.naming->place(s.origin[n]),
                         fmt::format(
                             "a condition that is 1 or 0 is never below zero; compare it: > 0 (block {})",
                             name(s, n)),
                         {}});
                if (is_impulsive(s.regularity[in[0]]))
                    warn(s, n, in[0], "an impulse may reach a condition, which is not defined");
                for (int j = 1; j <= 2; ++j)
                    if (is_impulsive(s.regularity[in[j]]))
                        warn(s, n, in[j],
                             "a decision may flip while an input carries an impulse, which is not defined");
                return;
            default:
                return;
        }
    }

    void loops_of(const System& s) {
        for (const Loop& loop : s.whole.loops) {
            std::vector<std::string> names;
            for (const auto& member : loop.members)
                if (std::string n = name(s, member.node);
                    std::find(names.begin(), names.end(), n) == names.end())
                    names.push_back(std::move(n));
            std::sort(names.begin(), names.end());
            report.loops.push_back(std::move(names));
        }
    }

    // A loop that is singular at the start is an error of the model; other troubles are left to the run.
    void try_start(const System& s) const {
        const SampleTimes no_times;
        SampleColumns no_samples;
        Settings settings = model.settings;
        settings.method = Method::taylor;
        Island island(settings, s, no_times, no_samples);
        try {
            island.start();
        } catch (const RunFailure& failure) {
            if (failure.kind == ErrorKind::not_finite && !failure.loop.empty())
                fail_model_with(model, island, failure);
        }
    }

    void look(const System& s) {
        report.states += s.states.size();
        loops_of(s);
        for (NodeId n = 0; n < s.d.nodes.size(); ++n)
            if (s.whole.offset[n] != not_needed || s.degree[n] < 0) look_at(s, n);
        for (const auto& output : s.outputs)
            report.signals[output.signal].second = to_string(s.regularity[output.node].r);
    }
};

}  // namespace

namespace {

// No time passes in it.
bool leaks(const bonds::Graph& g, const bonds::Mode& mode) {
    for (std::size_t a = 0; a < mode.size(); ++a)
        if (g.automata[a].is_pair() && mode[a] == bonds::pair_leaks) return true;
    return false;
}

// All modes, if they are at most `most`; else the first one and those one switch away from it.
std::vector<bonds::Mode> modes_to_show(const bonds::Graph& g, std::uint64_t count, std::uint64_t most) {
    const bonds::Mode first = bonds::initial_mode(g);
    std::vector<bonds::Mode> modes{first};
    if (count > most) {
        for (std::size_t a = 0; a < g.automata.size() && modes.size() < most; ++a)
            for (std::uint32_t s = 0; s < g.automata[a].states.size(); ++s)
                if (s != first[a]) {
                    modes.push_back(first);
                    modes.back()[a] = s;
                }
        return modes;
    }
    modes.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
        bonds::Mode mode(first.size());
        std::uint64_t rest = i;
        for (std::size_t a = 0; a < mode.size(); ++a) {
            mode[a] = static_cast<std::uint32_t>(rest % g.automata[a].states.size());
            rest /= g.automata[a].states.size();
        }
        modes.push_back(std::move(mode));
    }
    std::erase_if(modes, [&](const bonds::Mode& mode) { return leaks(g, mode); });
    return modes;
}

std::uint64_t count_modes(const bonds::Graph& g) {
    std::uint64_t count = 1;
    for (const auto& a : g.automata)
        count = count > 1000000 ? count : count * std::max<std::size_t>(1, a.states.size());
    return count;
}

// What settled the causality of a storage: the bonds back to where it began.
std::string reason(const bonds::Graph& g, const bonds::Causality& c, std::uint32_t element) {
    const bonds::Ports ports(g);
    std::string path;
    auto b = static_cast<std::int32_t>(ports.of(element)[0]);
    std::uint32_t last = 0;
    for (std::size_t steps = 0; b >= 0 && steps <= g.bonds.size(); ++steps) {
        last = static_cast<std::uint32_t>(b);
        path += (path.empty() ? "" : ", ") + g.bonds[last].name;
        b = c.because_of[last];
    }
    const auto& bond = g.bonds[last];
    const bool from_junction = g.elements[bond.from].is_junction() && g.elements[bond.from].automaton < 0;
    const std::uint32_t start = from_junction && !c.leads[bond.from] ? bond.to : bond.from;
    return fmt::format("settled by {} through {}", g.elements[start].name, path);
}

ModeReport report_mode(const FlatModel& model, ModeSystems& systems, const bonds::Mode& mode) {
    ModeReport report;
    report.mode = systems.describe(mode);
    try {
        const bonds::Causality c = systems.causality(mode);
        const auto& g = systems.graph();
        for (std::uint32_t i = 0; i < g.elements.size(); ++i) {
            if (c.leads[i]) report.independent.push_back(g.elements[i].name + ".flow");
            if (!g.elements[i].is_storage()) continue;
            if (c.dependent[i])
                report.dependent.emplace_back(g.elements[i].name, reason(g, c, i));
            else
                report.independent.push_back(g.elements[i].name);
        }
        for (const auto& flip : c.redundancy.flips) {
            const auto& e = g.elements[flip.element];
            const std::string& name = e.is_junction() ? g.bonds[flip.bond].name : e.name;
            report.leaking.push_back(name + (flip.effort ? ".effort" : ".flow"));
        }
        std::sort(report.leaking.begin(), report.leaking.end());
        CheckReport loops;
        Checker{model, loops}.loops_of(systems.of(mode));
        report.loops = std::move(loops.loops);
    } catch (const ModelError& e) {
        const std::string text = e.what();
        report.conflict = text.substr(0, text.find('\n'));
    }
    return report;
}

void look_at_modes(const FlatModel& model, CheckReport& report) {
    constexpr std::uint64_t most = 16;
    ModeSystems systems(model, model.settings);
    report.mode_count = count_modes(model.graph);
    const System& first = systems.of(bonds::initial_mode(model.graph));
    std::vector<Regularity> worst(model.record.size(), Regularity::smooth);
    for (const auto& mode : modes_to_show(model.graph, report.mode_count, most)) {
        report.modes.push_back(report_mode(model, systems, mode));
        if (!report.modes.back().conflict.empty()) continue;
        for (const auto& output : systems.of(mode).outputs)
            worst[output.signal] = meet(worst[output.signal], systems.of(mode).regularity[output.node].r);
    }
    for_each_island(model, model.settings.simultaneous, [&](const CutIsland&) { ++report.islands; });
    Checker{model, report}.look(first);
    for (std::size_t i = 0; i < worst.size(); ++i) report.signals[i].second = to_string(worst[i]);
    report.primitives = first.d.nodes.size();
    report.links = first.d.inputs.size();
}

}  // namespace

CheckReport check(const FlatModel& model) {
    const std::vector<System> systems = has_modes(model.graph) ? std::vector<System>{} : compile_model(model);
    CheckReport report;
    report.blocks = model.user_blocks;
    report.primitives = model.diagram.nodes.size();
    report.links = model.diagram.inputs.size();
    report.islands = systems.size();
    for (const auto& recorded : model.record) report.signals.emplace_back(recorded.name, "");
    if (has_modes(model.graph)) look_at_modes(model, report);
    Checker checker{model, report};
    for (const System& s : systems) {
        checker.look(s);
        if (!s.whole.loops.empty()) checker.try_start(s);
    }
    const auto where = [](const Diagnostic& d) {
        return std::tuple(d.place.file, d.place.line, d.place.column);
    };
    std::stable_sort(report.warnings.begin(), report.warnings.end(),
                     [&](const auto& a, const auto& b) { return where(a) < where(b); });
    std::sort(report.loops.begin(), report.loops.end());
    return report;
}

}  // namespace deltaflow
