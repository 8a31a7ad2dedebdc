#include "engine/run/sampled/numeric_sheets.hpp"

#include "engine/compile/reach.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

std::vector<std::uint8_t> needed_nodes(const System& s) {
    std::vector<std::uint8_t> needed = reached_nodes(s, nullptr);
    for (const NodeId n : s.guards) needed[n] = 1;
    return needed;
}
std::vector<Root> sampled_roots(const System& s, const std::vector<std::uint8_t>& needed, bool all) {
    std::vector<Root> result;
    for (const NodeId n : s.named) result.push_back({n});
    for (NodeId n = 0; n < needed.size(); ++n)
        if (needed[n] || all) result.push_back({n});
    return result;
}
std::vector<std::int16_t> any_degree(const System& s) {
    return std::vector<std::int16_t>(s.d.nodes.size(), endless);
}

}  // namespace

SampledSystem::SampledSystem(const System& s, bool left_sum, bool all)
    : system(&s),
      sampled(s.d, left_sum, Sampling::everything),
      needed(needed_nodes(s)),
      program(compile(sampled.d, sampled_roots(s, needed, all), any_degree(s), true)),
      work(program) {}

double next_high_impulse(const NumericState& state, const NumericRunning& at, NodeId schedule) {
    const auto extra = at.node(schedule).extra;
    const Schedule& s = at.s->d.schedules[extra];
    const ScheduleCursor& cursor = state.cursors[extra];
    if (cursor.done(s) || s.points[cursor.index].impulses.size() < 2) return HUGE_VAL;
    return to_double(cursor.time(s));
}

void NumericSheets::bind() {
    auto& sheet = sheets_[at_.s];
    if (!sheet) {
        sheet = std::make_unique<SampledSystem>(*at_.s, at_.left, state_.has_automata());
        sheet->work.guess = &state_.guess;
    }
    at_.m = sheet.get();
    at_.m->work.active = state_.active.empty() ? nullptr : &state_.active;
    state_.factored = NAN;
    fill_constants(at_.s->d, state_.a.data(), 1);
    state_.x.assign(at_.m->sampled.blocks.size(), 0);
    state_.before.assign(at_.m->sampled.blocks.size(), 0);
    for (auto* list : {&at_.pres, &at_.crossings, &at_.holds, &at_.strengths}) list->clear();
    std::size_t source = 0, delay = 0;
    for (const auto& block : at_.m->sampled.given) bind(block, source, delay);
}

void NumericSheets::bind_source(const SampledDiagram::Block& block, std::size_t source) {
    const Schedule& schedule = at_.s->d.schedules[at_.node(block.node).extra];
    auto rungs = static_cast<std::size_t>(schedule.fed);
    for (const Breakpoint& point : schedule.points) rungs = std::max(rungs, point.impulses.size());
    if (source == state_.sources.size())
        state_.sources.push_back(
            {block, ImpulseSamples(rungs), next_high_impulse(state_, at_, block.node), {}});
    state_.sources[source].block = block;
}

void NumericSheets::bind(const SampledDiagram::Block& block, std::size_t& source, std::size_t& delay) {
    const auto p = at_.s->d.parameters_of(block.node);
    switch (at_.node(block.node).op) {
        case Primitive::schedule:
            return bind_source(block, source++);
        case Primitive::delay:
            if (delay == state_.delays.size())
                state_.delays.push_back({block, DelaySamples(p[0], p[1], pace_.step()), 0, 0});
            state_.delays[delay++].block = block;
            return;
        case Primitive::pre:
            at_.pres.push_back(block);
            return;
        case Primitive::crossing:
            at_.crossings.push_back(block);
            at_.parameter(block) = 0;
            return;
        case Primitive::strength:
            at_.strengths.push_back(block);
            at_.parameter(block) = 0;
            return;
        default:
            at_.holds.push_back(block);
            const bool ticks = std::count(state_.ticking.begin(), state_.ticking.end(), block.node) > 0;
            at_.m->sampled.d.parameters[block.parameter] = ticks ? 0 : state_.now.held[block.node];
            at_.m->sampled.d.parameters[block.parameter + 1] = ticks ? 1 : 0;
    }
}

void NumericSheets::bind_mode(const bonds::Mode& mode) {
    at_.s = &at_.modes->of(mode);
    bind();
}

void NumericSheets::enter(const bonds::Mode& mode) {
    bind_mode(mode);
    mark_active();
    for (std::size_t i = 0; i < at_.m->sampled.blocks.size(); ++i) {
        state_.x[i] = state_.last[at_.m->sampled.blocks[i].node];
        state_.before[i] = state_.last[at_.m->sampled.blocks[i].input];
    }
    for (const auto& pre : at_.pres) at_.parameter(pre) = state_.last[pre.input];
}

void NumericSheets::mark_active() {
    const System& s = *at_.s;
    const bool any = std::any_of(s.branchers.begin(), s.branchers.end(),
                                 [&](NodeId n) { return s.d.nodes[n].op == Primitive::decision; });
    if (!any) return;
    state_.active = reached_nodes(s, &state_.now);
    at_.m->work.active = &state_.active;
}

std::uint64_t NumericSheets::evaluations() const {
    std::uint64_t sum = 0;
    for (const auto& [system, sheet] : sheets_) sum += sheet->work.evaluations;
    return sum;
}

void NumericSheets::archive(Archive& a) {
    a(state_.mode);
    if (!a.is_writing()) {
        if (at_.modes) at_.s = &at_.modes->of(state_.mode);
        bind();
    }
    std::size_t sheets = a.length(sheets_.size());
    auto next = sheets_.begin();
    for (; sheets > 0; --sheets) {
        bonds::Mode mode = a.is_writing() ? next->first->mode : bonds::Mode();
        a(mode);
        if (!a.is_writing() && at_.modes) bind_mode(mode);
        SampledSystem& sheet = a.is_writing() ? *next++->second : *at_.m;
        a(sheet.sampled.d.parameters, sheet.work);
    }
    if (a.is_writing() || !at_.modes) return;
    at_.s = &at_.modes->of(state_.mode);
    const std::vector<double> parameters = sheets_.at(at_.s)->sampled.d.parameters;
    bind();  // which touches parameters
    at_.m->sampled.d.parameters = parameters;
}

}  // namespace deltaflow
