// Putting a run failure into words.
#include "engine/course/report.hpp"

#include "engine/run/rounded/island.hpp"
#include "engine/solve/instant_solver.hpp"
#include "signal/print.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow {

std::string Island::describe_germ(NodeId n) const {
    if (state_.left.rungs.a.empty() || !at_.m) return "?";
    if (at_.s->d.nodes[n].op == Primitive::integrator && at_.s->germ.offset[n] == not_needed) {
        const auto at =
            std::lower_bound(at_.s->states.begin(), at_.s->states.end(), n) - at_.s->states.begin();
        return fmt::format("{}", state_.x[static_cast<std::size_t>(at)]);
    }
    const Outcome& outcome = commits_.outcome();
    std::vector<double> impulses;
    for (int i = 0; i < outcome.impulse_count(n); ++i) impulses.push_back(outcome.impulse(n, i).value);
    const bool computed = outcome.part() || at_.s->germ.offset[n] != not_needed || at_.s->degree[n] < 0;
    const double left = state_.left.rungs.at(n)[0].value;
    const double right = computed && state_.right.rungs.a.size() == state_.left.rungs.a.size()
                             ? state_.right.rungs.at(n)[0].value
                             : outcome.right(n).value;
    return print_germ(left, right, impulses);
}

namespace {

// The loop as names: what each block needs comes next, a -> b -> a.
std::string loop_path(const FlatModel& model, const System& s, const std::vector<NodeId>& loop) {
    std::vector<std::string> names;
    for (const NodeId n : loop) {
        std::string name = model.naming->name(s.origin[n]);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
    std::string path;
    for (const auto& name : names) path += name + " -> ";
    return path + names.front();
}

double time_of(const IslandRun& island, const RunFailure& failure) {
    return failure.t == HUGE_VAL ? island.time() : failure.t;
}

// Inputs by name; parts of the block's own expression by number.
void add_inputs(Diagnostic& d, const FlatModel& model, const IslandRun& island, const RunFailure& failure) {
    const System& s = island.system();
    const std::string own = model.naming->name(s.origin[failure.node]);
    const auto inputs = s.d.inputs_of(failure.node);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::string name = model.naming->name(s.origin[inputs[i]]);
        if (name == own) name = fmt::format("input {}", i + 1);
        const std::string value = i < failure.inputs.size() ? fmt::format("{}", failure.inputs[i])
                                                            : island.describe_germ(inputs[i]);
        d.notes.push_back(fmt::format("{} = {}", name, value));
    }
}

// The loops of a bond graph are drawn by nobody: the laws of its elements close them, mode by mode.
std::string advice_on(const FlatModel& model, const System& s, const RunFailure& failure) {
    const auto is_of_graph = [&](NodeId n) { return model.diagram.nodes[s.origin[n]].op == Primitive::free; };
    if (std::none_of(failure.loop.begin(), failure.loop.end(), is_of_graph)) return failure.advice;
    const auto& elements = model.graph.elements;
    const bool circuit = std::any_of(elements.begin(), elements.end(),
                                     [](const bonds::Element& e) { return e.type == bonds::Type::D; });
    return fmt::format(
        "here the laws of this mode do not settle its signals{}; let something give way, by a C or an R "
        "where "
        "all is rigid, or let an automaton leave the mode before",
        circuit ? "" : " (with dry friction: Painleve's paradox)");
}

Diagnostic diagnose(const FlatModel& model, const IslandRun& island, const RunFailure& failure,
                    bool with_time) {
    const System& s = island.system();
    const bool known = failure.node != no_node;
    const NodeId origin = known ? s.origin[failure.node] : no_node;
    Diagnostic d;
    d.place = known ? model.naming->place(origin) : Place{};
    d.message = failure.what;
    if (with_time) d.message = fmt::format("at t = {}: {}", time_of(island, failure), d.message);
    if (known) d.message += fmt::format(" (block {})", model.naming->name(origin));
    if (!failure.loop.empty()) d.notes.push_back("loop: " + loop_path(model, s, failure.loop));
    d.notes.insert(d.notes.end(), failure.notes.begin(), failure.notes.end());
    if (failure.show_inputs && known) add_inputs(d, model, island, failure);
    if (!failure.advice.empty()) d.notes.push_back("what to do: " + advice_on(model, s, failure));
    return d;
}

}  // namespace

RunError describe(const FlatModel& model, const IslandRun& island, const RunFailure& failure) {
    return {failure.kind, time_of(island, failure),
            render(model.sources, diagnose(model, island, failure, true))};
}

RunError describe(const ModelError& error, double t) {
    RunError result{error.kind, t, {}};
    for (Diagnostic d : error.diagnostics) {
        d.message = fmt::format("at t = {}: {}", t, d.message);
        result.text += render(error.sources, d);
    }
    return result;
}

RunError describe_zeno(const FlatModel& model, const IslandRun& island) {
    const double t = island.end_time();
    Diagnostic d;
    const auto& r = island.recorder();
    const NodeId cause = r.causes.empty() ? r.last_cause : r.causes.back();
    if (cause != no_node) d.place = model.naming->place(cause);
    d.message = fmt::format("events accumulate at t = {} (Zeno): time would not go on", t);
    d.notes.emplace_back("what to do: stop before that time, or set zeno = \"stop\" in [simulation]");
    return {ErrorKind::no_progress, t, render(model.sources, d)};
}

void fail_model_with(const FlatModel& model, const IslandRun& island, const RunFailure& failure) {
    throw ModelError(ErrorKind::model, model.sources, {diagnose(model, island, failure, false)});
}

}  // namespace deltaflow
