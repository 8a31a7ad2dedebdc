#include "engine/run/sampled/numeric_start.hpp"

#include "engine/solve/decide.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

// Branches follow their conditions before the start, or behind it; does one change?
bool NumericStart::settle_branches(const std::vector<std::int32_t>& so_far, const double* rungs,
                                   std::uint32_t stride, bool behind) {
    bool flipped = false;
    for (const NodeId n : at_.s->branchers) {
        const double c = rungs[std::size_t{at_.input(n)} * stride];
        const Primitive op = at_.node(n).op;
        const auto p = at_.s->d.parameters_of(n);
        const int from = behind && op == Primitive::hysteresis
                             ? so_far[n]
                             : branch_before_start(op, p, state_.now.branch[n]);
        const int wanted = decide(op, p, from, [&](double x) { return c > x ? 1 : c < x ? -1 : 0; });
        flipped = flipped || wanted != state_.now.branch[n];
        state_.now.branch[n] = wanted;
    }
    return flipped;
}

// Every signal by the flow program on the initial states: exact derivatives, no impulses. `behind`: what is
// due at the start lies behind, and a hysteresis goes on from what it was before.
std::vector<double> NumericStart::flow_values(const Program& program, Workspace& work, bool behind) {
    const std::vector<std::int32_t> so_far = state_.now.branch;
    const System& s = *at_.s;
    const auto stride = static_cast<std::uint32_t>(program.rungs(0));
    std::vector<double> rungs(s.d.nodes.size() * std::size_t{stride}, 0);
    fill_constants(s.d, rungs.data(), stride);
    const auto row = [&](NodeId n) -> double& { return rungs[std::size_t{n} * stride]; };
    for (std::size_t i = 0; i < s.states.size(); ++i) row(at_.m->sampled.blocks[i].node) = state_.x[i];
    for (const NodeId n : s.delays) row(n) = s.d.parameters_of(n)[1];
    work.guess = &state_.guess;
    const Frame<double> frame{rungs.data(), stride, &s.d, &state_.now, pace_.time()};
    for (std::size_t round = 0; round <= 2 * s.branchers.size(); ++round) {
        execute(program, work, frame, -program.highest, 0);
        if (!settle_branches(so_far, rungs.data(), stride, behind)) break;
    }
    std::vector<double> values(s.d.nodes.size());
    for (NodeId n = 0; n < values.size(); ++n) values[n] = row(n);
    return values;
}

// Where the flow of a junction is a state, what settles its rate is a quotient over a step: for the first
// sample the flow gives it.
void NumericStart::give_rates(const std::vector<double>& values) {
    for (const NodeId flow : at_.s->leading) {
        const NodeId rate = at_.input(flow);
        const Node& node = at_.m->sampled.d.nodes[rate];
        double* p = at_.m->sampled.d.parameters.data() + node.first_parameter;
        std::fill(p, p + node.parameter_count, 0.0);
        p[0] = values[rate];
    }
}

// What happens at the start itself falls into the first step with the right sum, which has no earlier step to
// integrate it, and into the first sample with the left sum.
void NumericStart::give_slopes(const std::vector<double>& before, const std::vector<double>& after) {
    for (std::size_t i = 0; i < at_.m->sampled.blocks.size(); ++i) {
        const auto& block = at_.m->sampled.blocks[i];
        double* p = at_.m->sampled.d.parameters.data() + block.parameter;
        if (block.integrator) {
            p[0] = state_.x[i];
            if (!at_.left) p[1] = 0;
            continue;
        }
        const double slope = std::isfinite(after[block.node]) ? after[block.node] : 0;
        p[0] = at_.left ? slope - before[block.input] / pace_.step() : slope;
        p[1] = at_.left ? 1 / pace_.step() : 0;
    }
}

void NumericStart::give_sources(const std::vector<double>& before) {
    for (const auto& pre : at_.pres) at_.parameter(pre) = before[pre.input];
    for (const auto& delay : state_.delays)
        at_.parameter(delay.block) = delay.samples.sample(pace_.time() - (at_.left ? 0 : pace_.step()),
                                                          pace_.time() + (at_.left ? pace_.step() : 0));
    for (const auto& source : state_.sources) {
        const Piece& piece = state_.now.pieces[at_.node(source.block.node).extra];
        at_.parameter(source.block) = piece.value + (at_.left ? source.impulses.sample(pace_.step()) : 0);
    }
}

void NumericStart::solve() {
    std::vector<NodeId> flipped;
    const auto all = [](NodeId) { return true; };
    do {
        at_.m->work.same_matrices = false;
        solver_.execute_at(pace_.time());
        sheets_.mark_active();
    } while (watches_.flip(all, flipped));
}

std::vector<double> NumericStart::first_sample(NumericCalendar& calendar) {
    const System& s = *at_.s;
    std::vector<Root> flow_roots;
    for (NodeId n = 0; n < at_.m->needed.size(); ++n)
        if ((at_.m->needed[n] || state_.has_automata()) && s.degree[n] >= 0) flow_roots.push_back({n});
    for (const NodeId n : s.named)
        if (s.degree[n] >= 0) flow_roots.push_back({n});
    const Program program = compile(s.d, flow_roots, s.degree, true);
    Workspace work(program);
    std::vector<double> before = flow_values(program, work, false);
    calendar.take(pace_.time(), pace_.step());
    const std::vector<double> after = flow_values(program, work, true);
    sheets_.mark_active();
    auto& parameters = at_.m->sampled.d.parameters;
    const std::vector<double> as_written = parameters;
    give_slopes(before, after);
    give_rates(after);
    give_sources(before);
    solve();
    for (const NodeId flow : s.leading) {
        const Node& rate = at_.m->sampled.d.nodes[at_.input(flow)];
        std::copy_n(as_written.begin() + rate.first_parameter, rate.parameter_count,
                    parameters.begin() + rate.first_parameter);
    }
    return before;
}

}  // namespace deltaflow
