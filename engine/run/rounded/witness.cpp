// Copies what an island knows at a solve of an instant.
#include "engine/run/rounded/witness.hpp"

#include "engine/model/signal_name.hpp"
#include "engine/solve/instant_solver.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

// More recorded signals than this are listed only where something happens to them.
constexpr std::size_t most_recorded = 200;

bool has(const std::vector<NodeId>& sorted, NodeId n) {
    return std::binary_search(sorted.begin(), sorted.end(), n);
}

std::vector<double> trimmed(std::vector<double> values, std::size_t least) {
    while (values.size() > least && values.back() == 0) values.pop_back();
    return values;
}

}  // namespace

Witness::Witness(const Sight& view, const InstantLog& log, bool complete)
    : v_(view),
      s_(*view.at.s),
      solver_(*view.at.m->solver),
      log_(log),
      complete_(complete),
      place_(s_.d.nodes.size(), 0) {
    for (const auto& step : solver_.program().steps) {
        solved_.push_back(step.node);
        if (step.kind == RungKind::right && step.order == 0) right_steps_.push_back(step.node);
    }
    acting_ = view.arrivals.ticking;
    for (const auto& arrival : view.arrivals.impulses) acting_.push_back(arrival.node);
    if (v_.modes)
        for (const auto& bond : v_.modes->graph().bonds)
            for (const NodeId n : {bond.effort, bond.flow, bond.power}) bond_signals_.push_back(n);
    for (auto* list : {&solved_, &right_steps_, &bond_signals_, &acting_}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
}

WorkedSolve Witness::take(std::uint32_t epsilon) {
    out_.epsilon = epsilon;
    out_.index = v_.record.index();
    out_.complete = complete_;
    add_blocks();
    if (complete_) add_slides();
    add_steps();
    if (v_.modes) add_graph();
    return std::move(out_);
}

// The block of a failure, which nobody may have asked for.
std::int32_t Witness::find(NodeId n) {
    if (n == no_node) return -1;
    return static_cast<std::int32_t>(add(n, true));
}

// The comparisons of a guard, each with the rung that decided it.
void Witness::compare(const Sight& view, const bonds::Guard& guard, bool solved,
                      std::vector<WorkedComparison>& to) {
    for (const auto& part : guard.parts) compare(view, part, solved, to);
    if (guard.kind == bonds::Guard::Kind::compare) to.push_back(comparison(view, guard, solved));
}

WorkedComparison Witness::comparison(const Sight& v, const bonds::Guard& guard, bool solved) {
    const NodeId n = guard.difference;
    WorkedComparison c;
    c.text = guard.text;
    c.located = v.state.is_located(n, 0);
    c.holds = solved ? v.automata.holds_solved(guard) : v.germs.holds(guard, v.state.left, v.state.now);
    const int wanted =
        solved ? v.automata.sign(n, false) : v.germs.forward_sign(v.state.left, v.state.now, n, 0);
    const auto decides = [&](int order, const Bounded& rung) {
        if (sign(rung) == 0 || sign(rung) != wanted) return false;
        c.order = order;
        c.value = rung.value;
        return true;
    };
    for (int i = solved ? impulse_rungs(v.at.s->regularity[n]) - 1 : -1; i >= 0; --i)
        if (decides(-1 - i, v.at.m->solver->impulse(n, i))) return c;
    const Bounded& left = v.state.left.rungs.at(n)[0];
    const Bounded& now = solved ? v.at.m->solver->right(n) : left;
    if (!(c.located && is_zero(now - left)) && decides(0, now)) return c;
    for (const OneSidedGerm* g : {solved ? &v.state.right : &v.state.left, &v.state.left})
        for (int k = 1; k < static_cast<int>(g->rungs.stride); ++k)
            if (k <= g->order && decides(k, g->rungs.at(n)[k])) return c;
    return c;
}

int Witness::rungs_there(const OneSidedGerm& g, NodeId n) {
    if (n >= g.system->d.nodes.size()) return 0;
    const int offset = g.system->germ.offset[n];
    if (g.system->d.nodes[n].op == Primitive::constant || g.system->degree[n] < 0) return 1;
    if (offset == not_needed) return 0;
    return std::clamp(g.order + offset + 1, 0, static_cast<int>(g.rungs.stride));
}

std::vector<double> Witness::rungs_of(const OneSidedGerm& g, NodeId n) {
    std::vector<double> rungs;
    for (int k = 0; k < rungs_there(g, n); ++k) {
        const Bounded& u = g.rungs.at(n)[k];
        rungs.push_back(is_zero(u) ? 0 : u.value);
    }
    return trimmed(std::move(rungs), 1);
}

bool Witness::right_germ_is_there(NodeId n) const {
    return complete_ && v_.state.right.system == &s_ && !v_.state.right.rungs.a.empty() &&
           rungs_there(v_.state.right, n) > 0;
}

// The solve itself comes first: what is behind pre(...) reads otherwise in the flow that follows.
std::vector<double> Witness::right_of(NodeId n) const {
    if (!complete_ || s_.d.nodes[n].op == Primitive::pre) return rungs_of(v_.state.left, n);
    std::vector<double> rungs =
        right_germ_is_there(n) ? rungs_of(v_.state.right, n) : rungs_of(v_.state.left, n);
    if (!has(right_steps_, n)) return rungs;
    rungs.resize(std::max<std::size_t>(rungs.size(), 1));
    rungs[0] = is_zero(solver_.right(n)) ? 0 : solver_.right(n).value;
    return rungs;
}

bool Witness::jumps(NodeId n) const {
    if (!complete_ || rungs_there(v_.state.left, n) == 0 || s_.d.nodes[n].op == Primitive::pre) return false;
    if (!has(right_steps_, n)) return changes(n);
    return !is_zero(solver_.right(n) - v_.state.left.rungs.at(n)[0]);
}

bool Witness::changes(NodeId n) const {
    return rungs_there(v_.state.left, n) > 0 && right_germ_is_there(n) &&
           !is_zero(v_.state.right.rungs.at(n)[0] - v_.state.left.rungs.at(n)[0]);
}

std::vector<double> Witness::impulses_of(NodeId n) const {
    std::vector<double> impulses;
    for (int i = 0; i < impulse_rungs(s_.regularity[n]); ++i) {
        const Bounded c = solver_.impulse(n, i);
        impulses.push_back(is_zero(c) ? 0 : c.value);
    }
    return trimmed(std::move(impulses), 0);
}

bool Witness::acts(NodeId n) const { return has(acting_, n); }

bool Witness::is_touched(NodeId n) const {
    const bool branches = traits_of(s_.d.nodes[n].op).branches;
    return jumps(n) || !impulses_of(n).empty() ||
           (branches && v_.state.now.branch[n] != v_.state.after.branch[n]);
}

// All nodes that the instant looks at, in the order of evaluation; what arrives comes first.
std::vector<NodeId> Witness::candidates() const {
    std::vector<NodeId> nodes(v_.arrivals.ticking);
    for (const auto& arrival : v_.arrivals.impulses) nodes.push_back(arrival.node);
    for (const auto& step : solver_.program().steps) nodes.push_back(step.node);
    nodes.insert(nodes.end(), solver_.program().kept.begin(), solver_.program().kept.end());
    for (const auto& output : s_.outputs) nodes.push_back(output.node);
    return nodes;
}

void Witness::add_blocks() {
    const std::vector<NodeId> nodes = candidates();
    for (const NodeId n : nodes)
        if (log_.all || acts(n) || is_touched(n)) add(n, true);
    if (complete_) add_loops();
    const std::size_t recorded = log_.model.record.size();  // outputs beyond are computed and not recorded
    for (const auto& output : s_.outputs)
        if (output.signal < recorded && (place_[output.node] || recorded <= most_recorded))
            add(output.node, s_.d.nodes[output.node].op == Primitive::integrator);
    count_rest(nodes);
    for (const auto& output : s_.outputs)
        if (output.signal < recorded && place_[output.node])
            note_record(out_.blocks[place_[output.node] - 1], output.signal);
}

// Signals that are looked at and not shown.
void Witness::count_rest(std::vector<NodeId> nodes) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const NodeId n : nodes)
        if (!place_[n] || !out_.blocks[place_[n] - 1].shown)
            out_.left_out += !signal_name(*log_.model.naming, s_.origin[n]).empty();
}

void Witness::note_record(WorkedBlock& b, std::uint32_t signal) const {
    b.recorded = true;
    const std::string& name = log_.model.record[signal].name;
    if (name != b.name) b.also.push_back(name);
}

// A loop is told whole.
void Witness::add_loops() {
    const InstantProgram& p = solver_.program();
    for (const InstantLoop& loop : p.loops) {
        const auto first = p.steps.begin() + loop.first, end = first + loop.count;
        const auto shown = [&](const RungStep& s) {
            return place_[s.node] && out_.blocks[place_[s.node] - 1].shown;
        };
        if (std::any_of(first, end, shown))
            for (auto step = first; step != end; ++step) add(step->node, true);
    }
}

// A block that is shown, or a part of one, comes with its inputs.
std::uint32_t Witness::add(NodeId first, bool shown) {
    std::vector<NodeId> work{first};
    const std::uint32_t place = place_of(first);
    if (shown) out_.blocks[place].shown = true;
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        const std::uint32_t at = place_of(n);
        const bool open = out_.blocks[at].shown || !out_.blocks[at].named;
        if (!open || !out_.blocks[at].inputs.empty()) continue;
        for (const NodeId input : s_.d.inputs_of(n)) {
            const std::uint32_t to = place_of(input);
            out_.blocks[at].inputs.push_back(to);
            const WorkedBlock& read = out_.blocks[to];
            if (read.jumps || read.acts || !read.impulses.empty()) out_.blocks[to].shown = true;
            work.push_back(input);
        }
    }
    return place;
}

std::uint32_t Witness::place_of(NodeId n) {
    if (place_[n]) return place_[n] - 1;
    out_.blocks.push_back(block_of(n));
    place_[n] = static_cast<std::uint32_t>(out_.blocks.size());
    return place_[n] - 1;
}

WorkedBlock Witness::block_of(NodeId n) const {
    WorkedBlock b;
    b.node = s_.origin[n];
    b.op = s_.d.nodes[n].op;
    b.name = signal_name(*log_.model.naming, b.node);
    const bool of_sliding = s_.released && n >= s_.released->d.nodes.size();
    b.named = !b.name.empty() && !of_sliding;
    if (!b.named) b.name = log_.model.naming->name(b.node);
    const auto p = s_.d.parameters_of(n);
    b.parameters.assign(p.begin(), p.end());
    b.left = rungs_of(v_.state.left, n);
    b.right = right_of(n);
    b.impulses = impulses_of(n);
    b.jumps = jumps(n);
    b.changes = changes(n);
    b.after = right_germ_is_there(n) ? v_.state.right.rungs.at(n)[0].value : b.right.empty() ? 0 : b.right[0];
    b.of_graph = v_.modes && !of_sliding && v_.modes->base().nodes[n].op == Primitive::free;
    b.of_bond = std::binary_search(bond_signals_.begin(), bond_signals_.end(), n);
    b.solved = has(solved_, n);
    b.acts = acts(n);
    if (traits_of(b.op).branches) {
        b.branch_before = v_.state.now.branch[n];
        b.branch = v_.state.after.branch[n];
    }
    for (const Located& l : v_.state.located)
        if (l.node == n) b.roots.push_back(l.threshold);
    if (std::find(b.roots.begin(), b.roots.end(), 0.0) != b.roots.end() && !b.left.empty()) b.left[0] = 0;
    if (!b.jumps && !b.left.empty() && !b.right.empty() && b.left[0] == 0) b.right[0] = 0;
    return b;
}

void Witness::add_steps() {
    const InstantProgram& p = solver_.program();
    std::int32_t loop = -1;
    std::uint32_t loop_end = 0;
    for (std::uint32_t i = 0; i < p.steps.size(); ++i) {
        if (p.loop_at[i] >= 0) {
            loop = p.loop_at[i];
            loop_end = i + p.loops[static_cast<std::size_t>(loop)].count;
        }
        if (i >= loop_end) loop = -1;
        const auto& step = p.steps[i];
        if (place_[step.node]) out_.steps.push_back({place_[step.node] - 1, step.kind, step.order, loop});
    }
    for (const auto& l : p.loops) out_.loop_is_linear.push_back(l.affine);
}

void Witness::add_slides() {
    const auto has_surface = [](const std::vector<Held>& list, const Held& h) {
        return std::any_of(list.begin(), list.end(), [&](const Held& x) { return x.surface == h.surface; });
    };
    const auto &before = v_.state.now.slides, &after = v_.state.after.slides;
    std::vector<Held> all = after;
    for (const Held& h : before)
        if (!has_surface(after, h)) all.push_back(h);
    for (const Held& h : all) {
        const Surface& surface = v_.slides.surface(h);
        out_.slides.push_back({log_.model.naming->name(s_.origin[surface.block]),
                               add(surface.condition, false), surface.threshold, h.order,
                               has_surface(before, h), has_surface(after, h),
                               v_.state.right.rungs.at(surface.block)[0].value});
    }
}

void Witness::add_graph() {
    const bonds::Graph& g = v_.modes->graph();
    for (std::size_t a = 0; a < g.automata.size(); ++a)
        out_.mode.emplace_back(g.automata[a].name, g.automata[a].states[v_.state.after_mode[a]]);
    for (std::size_t x = 0; x < g.elements.size(); ++x) {
        const bonds::Element& e = g.elements[x];
        if (e.automaton >= 0) out_.junctions.push_back({e.name, bonds::is_on(g, e, v_.state.after_mode)});
        if (!e.is_storage()) continue;
        const bool inertia = e.type == bonds::Type::I;
        const NodeId state = inertia ? e.momentum : e.displacement;
        const OneSidedGerm& after = complete_ ? v_.state.right : v_.state.left;
        out_.storages.push_back({e.name, inertia, s_.dependent[x] != 0,
                                 v_.state.left.rungs.at(state)[0].value, after.rungs.at(state)[0].value,
                                 energy_of(e, v_.state.left), energy_of(e, after)});
    }
}

}  // namespace deltaflow
