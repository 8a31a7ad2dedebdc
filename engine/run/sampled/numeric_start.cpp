// The first sample: states have their initial values, and a derivative, which has no sample before, is that
// of the flow.
#include "engine/limits.hpp"
#include "engine/model/run_failure.hpp"
#include "engine/run/sampled/numeric_island.hpp"
#include "engine/solve/decide.hpp"
#include "engine/solve/steppers/stepper.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

// Every signal by the flow program on the initial states: exact derivatives, no impulses. `behind`: what is
// due at the start lies behind, and a hysteresis goes on from what it was before.
std::vector<double> NumericIsland::flow_values(const Program& program, Workspace& work, bool behind) {
    const std::vector<std::int32_t> so_far = now_.branch;
    const auto stride = static_cast<std::uint32_t>(program.rungs(0));
    std::vector<double> rungs(s_->d.nodes.size() * std::size_t{stride}, 0);
    fill_constants(s_->d, rungs.data(), stride);
    const auto row = [&](NodeId n) -> double& { return rungs[std::size_t{n} * stride]; };
    for (std::size_t i = 0; i < s_->states.size(); ++i) row(m_->sampled.blocks[i].node) = x_[i];
    for (const NodeId n : s_->delays) row(n) = s_->d.parameters_of(n)[1];
    work.guess = &guess_;
    const Frame<double> frame{rungs.data(), stride, &s_->d, &now_, pace_.time()};
    for (std::size_t round = 0; round <= 2 * s_->branchers.size(); ++round) {
        execute(program, work, frame, -program.highest, 0);
        bool flipped = false;
        for (const NodeId n : s_->branchers) {
            const double c = row(s_->d.inputs_of(n)[0]);
            const Primitive op = s_->d.nodes[n].op;
            const auto p = s_->d.parameters_of(n);
            const int from = behind && op == Primitive::hysteresis
                                 ? so_far[n]
                                 : branch_before_start(op, p, now_.branch[n]);
            const int wanted = decide(op, p, from, [&](double x) { return c > x ? 1 : c < x ? -1 : 0; });
            flipped = flipped || wanted != now_.branch[n];
            now_.branch[n] = wanted;
        }
        if (!flipped) break;
    }
    std::vector<double> values(s_->d.nodes.size());
    for (NodeId n = 0; n < values.size(); ++n) values[n] = row(n);
    return values;
}

// Where the flow of a junction is a state, what settles its rate is a quotient over a step: for the first
// sample the flow gives it.
void NumericIsland::give_rates(const std::vector<double>& values) {
    for (const NodeId flow : s_->leading) {
        const NodeId rate = s_->d.inputs_of(flow)[0];
        const Node& node = m_->sampled.d.nodes[rate];
        double* p = m_->sampled.d.parameters.data() + node.first_parameter;
        std::fill(p, p + node.parameter_count, 0.0);
        p[0] = values[rate];
    }
}

// What happens at the start itself falls into the first step with the right sum, which has no earlier step to
// integrate it, and into the first sample with the left sum.
void NumericIsland::first_sample(const std::vector<double>& before, const std::vector<double>& after) {
    for (std::size_t i = 0; i < m_->sampled.blocks.size(); ++i) {
        const Block& block = m_->sampled.blocks[i];
        double* p = m_->sampled.d.parameters.data() + block.parameter;
        if (block.integrator) {
            p[0] = x_[i];
            if (!left_) p[1] = 0;
            continue;
        }
        const double slope = std::isfinite(after[block.node]) ? after[block.node] : 0;
        p[0] = left_ ? slope - before[block.input] / pace_.step() : slope;
        p[1] = left_ ? 1 / pace_.step() : 0;
    }
    give_rates(after);
    for (const Block& pre : pres_) parameter(pre) = before[pre.input];
    for (const Past& delay : delays_)
        parameter(delay.block) = delay.samples.sample(pace_.time() - (left_ ? 0 : pace_.step()),
                                                      pace_.time() + (left_ ? pace_.step() : 0));
    for (Source& source : sources_) {
        const Piece& piece = now_.pieces[s_->d.nodes[source.block.node].extra];
        parameter(source.block) = piece.value + (left_ ? source.impulses.sample(pace_.step()) : 0);
    }
    const Frame<double> frame{a_.data(), 1, &m_->sampled.d, &now_, pace_.time()};
    for (std::size_t round = 0; round <= 2 * s_->branchers.size(); ++round) {
        m_->work.same_matrices = false;
        execute(m_->program, m_->work, frame, 0, 0);
        bool flipped = false;
        for (const NodeId n : s_->branchers) flipped = flip(n) || flipped;
        if (!flipped) break;
        mark_active();
    }
}

void NumericIsland::start() {
    std::vector<Root> flow_roots;
    for (NodeId n = 0; n < m_->needed.size(); ++n)
        if ((m_->needed[n] || has_automata()) && s_->degree[n] >= 0) flow_roots.push_back({n});
    for (const NodeId n : s_->named)
        if (s_->degree[n] >= 0) flow_roots.push_back({n});
    const Program program = compile(s_->d, flow_roots, s_->degree, true);
    Workspace work(program);
    const std::vector<double> before = flow_values(program, work, false);
    take_due(pace_.time(), pace_.step());
    const std::vector<double> after = flow_values(program, work, true);
    mark_active();
    const std::vector<double> as_written = m_->sampled.d.parameters;
    first_sample(before, after);
    for (const NodeId flow : s_->leading) {
        const Node& rate = m_->sampled.d.nodes[s_->d.inputs_of(flow)[0]];
        std::copy_n(as_written.begin() + rate.first_parameter, rate.parameter_count,
                    m_->sampled.d.parameters.begin() + rate.first_parameter);
    }
    saved_ = m_->sampled.d.parameters;
    std::vector<Source> struck = sources_;
    accept(pace_.time(), pace_.step());
    if (!left_) sources_ = std::move(struck);
    strike_late();
    record_.recorder().statistics.steps = 0;
    open_event(shown(before));
    collect_watches();
    for (Watch& w : watches_) {
        w.last = value_of(w);
        w.located = w.last == 0;
    }
    happen();
    starting_ = false;
    instants_ = 0;
    for (std::size_t i = s_->states.size(); i < m_->sampled.blocks.size() && !left_; ++i)
        before_[i] = before[m_->sampled.blocks[i].input];
    if (modes_) use_initial_values();
}

}  // namespace deltaflow
