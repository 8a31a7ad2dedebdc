// Numbers of a model, moved by what rounding or a tolerance may do to them.
#include "tests/campaign/change.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::campaign {

namespace {

// Coefficients, which act all the time, are moved by what their own rounding may be.
constexpr double last_place = 4e-16;

void change_number(double& x, const Change& change, double turn) {
    if (change.kind == Change::shift) x += change.by * turn * change.side * std::max(1.0, std::abs(x));
    if (change.kind == Change::scale) x *= 1 + change.by * change.side;
}

void change_elements(const Change& change, FlatModel& model) {
    double turn = 1;
    for (auto& element : model.graph.elements) {
        if (!element.is_storage()) continue;
        change_number(element.initial_momentum, change, turn);
        change_number(element.initial_displacement, change, turn = -turn);
    }
}

void change_parameters(const Change& change, Diagram& d) {
    std::uint64_t count = 0;
    const auto turn = [&] { return (++count & 1) != 0 ? 1.0 : -1.0; };
    for (const Node& node : d.nodes) {
        double* const p = d.parameters.data() + node.first_parameter;
        const double side = turn();
        if (node.op == Primitive::integrator) change_number(p[0], change, side);
        if (change.kind != Change::coefficients) continue;
        if (node.op == Primitive::sine) p[1] *= 1 + last_place * change.side;  // and the time
        if (node.op == Primitive::affine)
            for (std::uint32_t i = 0; i < node.parameter_count; ++i)
                p[i] *= 1 + change.by * change.side * turn();
    }
}

void change_all_times(const Change& change, FlatModel& model) {
    const double by = change.by * change.side;
    model.settings.start += by;
    model.settings.stop += by;
    for (Schedule& schedule : model.diagram.schedules)
        for (Breakpoint& point : schedule.points) point.t += exact(by);
    for (Clock& clock : model.diagram.clocks) clock.phase += exact(by);
}

// The tick that is nearest to a time.
Rational tick_near(const Clock& clock, const Rational& t) {
    const Rational n(floor((t - clock.phase) / clock.period + Rational(1, 2)));
    return clock.phase + n * clock.period;
}

// What else happens: a time that a source's may be too near to.
std::vector<Rational> other_times(const FlatModel& model, const Rational& t) {
    std::vector<Rational> times = {exact(model.settings.start), exact(model.settings.stop)};
    for (const Schedule& schedule : model.diagram.schedules)
        for (const Breakpoint& point : schedule.points) times.push_back(point.t);
    for (const Clock& clock : model.diagram.clocks) times.push_back(tick_near(clock, t));
    return times;
}

// Times that are equal stay so: a model may mean it.
void part_times(const Change& change, FlatModel& model) {
    constexpr double near = 16, far = 64;
    const Rational reach = exact(near * change.by), away = exact(far * change.by);
    const FlatModel as_it_was = model;
    for (Schedule& schedule : model.diagram.schedules)
        for (Breakpoint& point : schedule.points)
            for (const Rational& other : other_times(as_it_was, point.t)) {
                const Rational d = point.t - other;
                if (sign(d) == 0 || sign(d) != static_cast<int>(change.side) || abs(d) > reach) continue;
                point.t = change.kind == Change::together ? other : other + (sign(d) > 0 ? away : -away);
                break;
            }
}

}  // namespace

void apply(const Change& change, FlatModel& model) {
    switch (change.kind) {
        case Change::shift:
        case Change::scale:
            change_elements(change, model);
            return change_parameters(change, model.diagram);
        case Change::coefficients:
            return change_parameters(change, model.diagram);
        case Change::times:
            return change_all_times(change, model);
        case Change::together:
        case Change::apart:
            return part_times(change, model);
    }
}

}  // namespace deltaflow::campaign
