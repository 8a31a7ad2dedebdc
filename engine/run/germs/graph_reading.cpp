// What blocks and storages make of a bond graph's signals.
#include "engine/run/germs/graph_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

void GraphReading::use_solved(OneSidedGerm& g, const Discrete& discrete) {
    for (const auto& [node, value] : g.solved) *g.rungs.at(node) = value;
    // What is measured moves with the flows that were solved, and not with those of a mode that does not
    // last.
    for (const auto& e : modes_->graph().elements)
        if (!e.sides.empty() && g.order > 0)
            g.rungs.at(e.displacement)[1] = *g.rungs.at(e.rate != no_node ? e.rate : e.flow);
    read(g, discrete);
}

// The values of blocks, energies among them, from those of the graph.
void GraphReading::read(OneSidedGerm& g, const Discrete& discrete) {
    const Frame<Bounded> f{g.rungs.a.data(), g.rungs.stride, &modes_->base(), &discrete,
                           Bounded(state_.t, rounding::unit * std::abs(state_.t))};
    const Program& reading = modes_->reading();
    execute(reading, work_, f, -reading.highest, 0);
}

// Before the start a dependent storage has the value that the model gives it.
void GraphReading::use_initial_values() {
    const auto& elements = modes_->graph().elements;
    bool any = false;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!state_.left.system->dependent[i]) continue;
        any = true;
        const bool inertia = elements[i].type == bonds::Type::I;
        state_.left.rungs.at(inertia ? elements[i].momentum : elements[i].displacement)[0] =
            Bounded(inertia ? elements[i].initial_momentum : elements[i].initial_displacement);
    }
    if (!any) return;
    read(state_.left, state_.now);
    const NodeId total = modes_->graph().total_energy;
    if (total == no_node) return;
    Bounded sum(0);
    for (const auto& e : elements)
        if (e.energy != no_node) sum = sum + state_.left.rungs.at(e.energy)[0];
    state_.left.rungs.at(total)[0] = sum;
    read(state_.left, state_.now);
}

double energy_of(const bonds::Element& e, const OneSidedGerm& g) {
    if (e.law != no_node) return e.energy == no_node ? 0 : g.rungs.at(e.energy)[0].value;
    const double x = g.rungs.at(e.type == bonds::Type::I ? e.momentum : e.displacement)[0].value;
    return x * x / (2 * e.value);
}

double stored_energy(const ModeSystems& modes, const OneSidedGerm& g) {
    double sum = 0;
    const auto& elements = modes.graph().elements;
    for (const std::uint32_t x : modes.storages()) sum += energy_of(elements[x], g);
    return sum;
}

GraphReading::GraphReading(State& state, ModeSystems* modes) : state_(state), modes_(modes) {
    if (!modes) return;
    work_ = Workspace(modes->reading());
    work_.guess = &state.guess;
}

}  // namespace deltaflow
