// Settings as a run needs them: checked, whoever set them, and with all defaults.
#include "engine/course.hpp"
#include "engine/front/flatten/flatten.hpp"
#include "engine/limits.hpp"
#include "engine/solve/steppers/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// Whose mistake it is: the model's, if its file has the key and nobody gave another value.
ErrorKind who_gave(const FlatModel& model, std::string_view key) {
    if (!model.written) return ErrorKind::option;
    const auto is_key = [&](const front::Entry* entry) { return entry->key == key; };
    const auto& given = model.written->overrides.settings;
    if (std::any_of(given.begin(), given.end(), is_key)) return ErrorKind::option;
    const front::Entry* table = find(model.written->declarations->files[0]->document, "simulation");
    return table && find(table->value, key) ? ErrorKind::model : ErrorKind::option;
}

// Numbers that a file could not have given; a program may have set them.
void check_numbers(const FlatModel& model) {
    const Settings& s = model.settings;
    const auto need = [&](bool holds, const char* what, ErrorKind kind = ErrorKind::option) {
        if (!holds) throw ModelError(kind, model.sources, {{Place{}, what, {}}});
    };
    need(std::isfinite(s.start) && std::isfinite(s.stop), "start and stop must be finite numbers");
    need(s.stop > s.start, "the stop time must come after the start time");
    need(s.tolerance > 0 && s.tolerance < 1, "\"tolerance\" must lie between 0 and 1");
    need(!s.absolute || *s.absolute > 0, "\"absolute\" must be greater than 0");
    need(!s.step || sign(*s.step) > 0, "\"step\" must be greater than 0");
    need(!s.every || sign(*s.every) > 0, "\"every\" must be greater than 0");
    need(s.limits.seconds > 0 && s.limits.megabytes > 0, "a limit must be greater than 0");
    need(!s.every || (s.stop - s.start) / to_double(*s.every) < limits::most_samples,
         "\"every\" is so short that there would be more than 10^10 samples", who_gave(model, "every"));
}

// A delay is known as far ahead as it is long: each step is at most that.
void check_delays(const FlatModel& model) {
    const double span = model.settings.stop - model.settings.start;
    for (NodeId n = 0; n < model.diagram.nodes.size(); ++n)
        if (model.diagram.nodes[n].op == Primitive::delay &&
            span / model.diagram.parameters_of(n)[0] > limits::most_steps)
            throw ModelError(ErrorKind::model, model.sources,
                             {{model.naming->place(n),
                               fmt::format("the delay is so short that the run would take more than 10^8 "
                                           "steps (block {})",
                                           model.naming->name(n)),
                               {"what to do: leave it out, or stop earlier"}}});
}

}  // namespace

// What comes again and again, and so soon that max_events cannot be meant.
void check_periods(const FlatModel& model) {
    const double most = limits::hopeless_events * static_cast<double>(model.settings.max_events);
    const double span = model.settings.stop - model.settings.start;
    for (NodeId n = 0; n < model.diagram.nodes.size(); ++n) {
        const Node& node = model.diagram.nodes[n];
        std::optional<Rational> period;
        if (node.op == Primitive::schedule) period = model.diagram.schedules[node.extra].period;
        if (node.op == Primitive::hold || node.op == Primitive::unit_delay)
            period = model.diagram.clocks[node.extra].period;
        if (period && period->numerator() == 0) continue;  // once, at the start
        if (period && span / to_double(*period) > most)
            throw ModelError(ErrorKind::no_progress, model.sources,
                             {{model.naming->place(n),
                               fmt::format("the period is so short that there would be far more than {} "
                                           "events (block {})",
                                           model.settings.max_events, model.naming->name(n)),
                               {"what to do: make it longer, or raise simulation.max_events"}}});
    }
}

// The model with defaults that depend on other settings.
namespace {

[[noreturn]] void fail(const FlatModel& model, ErrorKind kind, const std::string& message) {
    throw ModelError(kind, model.sources, {{Place{}, message, {}}});
}

void check_step(const FlatModel& model, const Settings& s) {
    const double step = to_double(*s.step);
    const ErrorKind kind = model.settings.step ? who_gave(model, "step") : ErrorKind::model;
    const bool numeric = s.impulses == ImpulseKind::numeric;
    if (!numeric && !has_fixed_steps(s.method)) return;
    if (!(s.start + step > s.start && s.stop - step < s.stop))
        fail(model, kind,
             fmt::format("the step {} is lost in the rounding of the time from {} to {}", step, s.start,
                         s.stop));
    if ((s.stop - s.start) / step > (numeric ? limits::most_steps : limits::most_plain_steps))
        fail(model, kind,
             fmt::format("the step {} is so short that the run would take more than 10^{} steps", step,
                         numeric ? 8 : 12));
    if (numeric && s.every && step / to_double(*s.every) > limits::samples_of_a_step)
        fail(model, who_gave(model, "every"),
             fmt::format(
                 "numeric impulses are held over each step {}: \"every\" is less than a 100000th of it",
                 step));
}

void refuse_left_sum(const FlatModel& model, const Settings& s) {
    if (s.impulses != ImpulseKind::numeric || s.riemann != Riemann::left) return;
    for (const auto& automaton : model.graph.automata)
        throw ModelError(ErrorKind::model, model.sources,
                         {{automaton.place,
                           fmt::format("automaton {} has no meaning with the left sum: a storage that "
                                       "becomes dependent would get its impulse a step late, and again "
                                       "in the next step",
                                       automaton.name),
                           {"what to do: use riemann = \"right\", or impulses = \"symbolic\""}}});
}

}  // namespace

Settings complete(const FlatModel& model) {
    Settings s = model.settings;
    check_numbers(model);
    if (s.certify && !s.method_given) s.method = Method::taylor;
    if (!s.step) s.step = (exact(s.stop) - exact(s.start)) / Rational(Integer(1000));
    check_step(model, s);
    check_delays(model);
    check_periods(model);
    refuse_left_sum(model, s);
    if (s.certify && (s.method != Method::taylor || s.impulses != ImpulseKind::symbolic))
        fail(model, ErrorKind::option,
             fmt::format(
                 "certify proves runs of method \"taylor\" with symbolic impulses, not of {}",
                 s.method != Method::taylor ? fmt::format("\"{}\"", name_of(s.method)) : "numeric ones"));
    if (s.method == Method::cvode && !has_cvode())
        fail(model, who_gave(model, "method"),
             "method \"cvode\" needs SUNDIALS, which this program was built without");
    return s;
}

}  // namespace deltaflow
