// The interpreter of flow programs, and algebraic loops in flow.
#include "engine/solve/execute.hpp"

#include "engine/limits.hpp"
#include "engine/numerics/continuation.hpp"
#include "engine/solve/stage_equations.hpp"
#include "signal/sine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaflow {

namespace {

std::vector<NodeId> cycle_of(const Loop& loop) {
    std::vector<NodeId> nodes;
    for (const auto i : find_cycle(loop.first, loop.columns)) nodes.push_back(loop.members[i].node);
    return nodes;
}

template <class S>
void set_error(StageEquations<S>&, LinearSolver&, LoopState&) {}

// What each equation rounds, spread by the inverse.
void set_error(StageEquations<Bounded>& e, LinearSolver& solver, LoopState& state) {
    for (int i = 0; i < e.size(); ++i)
        if (e.present(i)) e.cell(i).bound = 0;
    for (int i = 0; i < e.size(); ++i)
        state.right_side[i] =
            e.live(i) ? (e.full(i).bound + rounding::unit * std::abs(value(e.cell(i)))) * e.scale(i) : 0;
    solver.spread(state.right_side);
    for (int i = 0; i < e.size(); ++i)
        if (e.present(i)) e.cell(i).bound = state.right_side[i] / e.scale(i);
}

// dy = (1 - F)^-1 (slope from outside)
void set_error(StageEquations<Dual>& e, LinearSolver& solver, LoopState& state) {
    for (int i = 0; i < e.size(); ++i)
        if (e.present(i)) e.cell(i).slope = 0;
    for (int i = 0; i < e.size(); ++i) state.right_side[i] = e.live(i) ? e.full(i).slope * e.scale(i) : 0;
    solver.solve(state.right_side);
    for (int i = 0; i < e.size(); ++i)
        if (e.present(i)) e.cell(i).slope = state.right_side[i] / e.scale(i);
}

// The sheet that the solution is on, 0 if it is not followed yet or shall not be.
SheetSign* sheet_of(const Loop& loop, LoopState& state, int stage, const Workspace& w) {
    if (!w.flow) return nullptr;
    if (std::exchange(state.flow, *w.flow) != *w.flow) state.sheets.clear();
    const auto k = static_cast<std::size_t>(std::max(0, loop.full_stage - stage));
    if (state.sheets.size() <= k) state.sheets.resize(k + 1, 0);
    return &state.sheets[k];
}

[[noreturn]] void fail_to_follow(const Loop& loop) {
    throw RunFailure{
        .kind = ErrorKind::not_finite,
        .node = loop.members.front().node,
        .what = loop.affine ? "an algebraic loop becomes singular: its solution leaves the finite range"
                            : "the solution of an algebraic loop ends here",
        .advice = loop.affine
                      ? "break the loop with an integrator or a delay, or change its gain"
                      : "it turns back, or leaves the finite range, and any other solution would be a "
                        "jump; an integrator in the loop could tell which one",
        .loop = cycle_of(loop)};
}

[[noreturn]] void fail(const Loop& loop, bool singular) {
    throw RunFailure{
        .kind = ErrorKind::not_finite,
        .node = loop.members.front().node,
        .what = singular      ? "an algebraic loop is singular: it has no unique solution"
                : loop.affine ? "an algebraic loop becomes singular: its solution leaves the finite range"
                              : "no solution of an algebraic loop was found",
        .advice = singular || loop.affine ? "break the loop with an integrator or a delay, or change its gain"
                                          : "give one of its blocks a `guess` near the solution",
        .loop = cycle_of(loop)};
}

// Is something that the loop reads no number? Under branches that are only tried it may be.
template <class S>
bool reads_no_number(const StageEquations<S>& e) {
    std::vector<NodeId> members;
    for (const auto& member : e.loop.members) members.push_back(member.node);
    std::sort(members.begin(), members.end());
    for (int i = 0; i < e.size(); ++i) {
        if (!e.live(i)) continue;
        const NodeId n = e.loop.members[i].node;
        const int last = e.rung(i) + (e.f.d->nodes[n].op == Primitive::derivative ? 1 : 0);
        for (const NodeId input : e.f.d->inputs_of(n)) {
            if (std::binary_search(members.begin(), members.end(), input)) continue;
            for (int k = 0; k <= last; ++k)
                if (!std::isfinite(value(e.f.at(input)[k]))) return true;
        }
    }
    return false;
}

template <class S>
void solve_loop(const Loop& loop, LoopState& state, const Frame<S>& f, int stage, Workspace& w) {
    StageEquations<S> e{f, loop, state, stage, w.active};
    bool any = false, lowest = false;
    for (int i = 0; i < e.size(); ++i) {
        any = any || e.present(i);
        lowest = lowest || (e.present(i) && e.rung(i) == 0);
    }
    if (!any) return;
    const bool full = stage >= loop.full_stage;
    LinearSolver& solver = state.of(full);
    SheetSign* const sheet = sheet_of(loop, state, stage, w);
    const SheetSign before = sheet ? *sheet : 0;
    NewtonResult result;
    if (loop.affine || !lowest) {
        const bool known = w.same_matrices && loop.constant && full && state.factored;
        if (!known)
            for (int i = 0; i < e.size(); ++i) e.set(i, 0);
        result = solve_linear(e, solver, state.room, !known && (!full || stage == loop.full_stage));
        state.factored = full && result.converged;
    } else {
        for (int i = 0; i < e.size(); ++i)
            state.guess[i] = e.present(i) && e.rung(i) == 0 ? (*w.guess)[loop.members[i].node] : NAN;
        if (before == 0)
            result = solve_from_guesses(e, solver, state.room, state.guess);
        else if (newton::begin(e, state.guess, 0))
            result = solve_to_rounding(e, solver, state.room, before);
        if (before != 0 && !result.converged) fail_to_follow(loop);
    }
    if (!result.converged && !sheet && reads_no_number(e)) {  // then it is none either, and its branches tell
        for (int i = 0; i < e.size(); ++i) e.set(i, NAN);
        return;
    }
    if (!result.converged) fail(loop, result.singular);
    const SheetSign here = sheet ? solver.determinant_sign() : 0;
    if (before != 0 && here != before) fail_to_follow(loop);  // a shorter step is on the sheet still
    if (sheet) *sheet = here;
    for (int i = 0; i < e.size(); ++i)
        if (e.present(i) && e.rung(i) == 0) (*w.guess)[loop.members[i].node] = e.get(i);
    set_error(e, solver, state);
}

template <int N>
void affine_rows(double* out, std::int64_t out_step, const double* const* in, const std::int64_t* step,
                 const double* c, std::size_t c_step, std::uint32_t count, double constant_part) {
    for (std::uint32_t i = 0; i < count; ++i) {
        double sum = constant_part * c[0];
        for (int j = 0; j < N; ++j) sum = sum + c[j + 1] * in[j][static_cast<std::int64_t>(i) * step[j]];
        out[static_cast<std::int64_t>(i) * out_step] = sum;
        c += c_step;
    }
}

// Inputs side by side (or one for all) and equal coefficients: the loop that compilers vectorise.
template <int N>
void affine_dense(double* __restrict out, const double* const* in, const double* c, std::uint32_t count,
                  double base) {
    double k[N];
    const double* u[N];
    for (int j = 0; j < N; ++j) {
        k[j] = c[j];
        u[j] = in[j];
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        double sum = base;
        for (int j = 0; j < N; ++j) sum = sum + k[j] * u[j][i];
        out[i] = sum;
    }
}

// Moves inputs that all rows share into the constant; false if the others are not side by side.
template <int N>
bool run_dense(double* out, const double* const* in, const std::int64_t* step, const double* c,
               std::uint32_t count, double constant_part) {
    const double* u[N];
    double k[N], base = constant_part * c[0];
    int n = 0;
    for (int j = 0; j < N; ++j) {
        if (step[j] == 0) {
            base = base + c[j + 1] * *in[j];
        } else if (step[j] == 1) {
            u[n] = in[j];
            k[n++] = c[j + 1];
        } else {
            return false;
        }
    }
    switch (n) {
        case 1:
            affine_dense<1>(out, u, k, count, base);
            return true;
        case 2:
            affine_dense<2>(out, u, k, count, base);
            return true;
        case 3:
            affine_dense<3>(out, u, k, count, base);
            return true;
        case 4:
            affine_dense<4>(out, u, k, count, base);
            return true;
        case 5:
            affine_dense<5>(out, u, k, count, base);
            return true;
        case 6:
            affine_dense<6>(out, u, k, count, base);
            return true;
        default:
            std::fill_n(out, count, base);
            return true;
    }
}

template <int N>
void affine_batch(const Program& p, const Batch& b, const Frame<double>& f, std::uint32_t count, int k) {
    const double* in[N];
    std::int64_t step[N];
    for (int j = 0; j < N; ++j) {
        const auto& [node, distance] = p.batch_inputs[b.first_input + j];
        in[j] = f.at(node) + k;
        step[j] = distance * f.stride;
    }
    const double* c = f.d->parameters.data() + b.first_parameter;
    double* out = f.at(b.out) + k;
    const double constant_part = k == 0 ? 1.0 : 0.0;
    if (f.stride == 1 && b.parameter_step == 0 && run_dense<N>(out, in, step, c, count, constant_part))
        return;
    affine_rows<N>(out, f.stride, in, step, c, b.parameter_step, count, constant_part);
}

bool run_affine_batch(const Program& p, const Run& run, const Frame<double>& f, int k) {
    const Batch& b = p.batches[run.batch];
    switch (b.terms) {
        case 1:
            affine_batch<1>(p, b, f, run.count, k);
            return true;
        case 2:
            affine_batch<2>(p, b, f, run.count, k);
            return true;
        case 3:
            affine_batch<3>(p, b, f, run.count, k);
            return true;
        case 4:
            affine_batch<4>(p, b, f, run.count, k);
            return true;
        case 5:
            affine_batch<5>(p, b, f, run.count, k);
            return true;
        case 6:
            affine_batch<6>(p, b, f, run.count, k);
            return true;
        default:
            return false;
    }
}
template <class S>
bool run_affine_batch(const Program&, const Run&, const Frame<S>&, int) {
    return false;
}

// Nodes at constant distances: what describes them is read once.
template <Primitive P, int N, class S>
void run_in_step(const Program& p, const Run& run, const Frame<S>& f, int k) {
    const Batch& b = p.batches[run.batch];
    const auto* input = p.batch_inputs.data() + b.first_input;
    View<S> view(f, b.out);
    for (std::uint32_t i = 0; i < run.count; ++i) {
        std::array<NodeId, N> in;
        for (int j = 0; j < N; ++j) in[j] = input[j].first + i * static_cast<NodeId>(input[j].second);
        View<S> here = view;
        here.id = view.id + i;
        here.in = in.data();
        here.par = view.par + std::size_t{i} * b.parameter_step;
        f.at(here.id)[k] = Rule<P>::rung(here, k);
    }
}

// Plain values of sin and cos: the same bits here, in lanes and on every machine.
template <Primitive P>
void run_sines(const Program& p, const Run& run, const Frame<double>& f) {
    for (const NodeId n : std::span(p.order).subspan(run.first, run.count)) {
        const double u = *f.at(f.d->inputs_of(n)[0]);
        *f.at(n) = P == Primitive::sin ? sine::sin(u) : sine::cos(u);
    }
}

template <Primitive P, class S>
void run_nodes(const Program& p, const Run& run, const Frame<S>& f, int k) {
    if constexpr (std::is_same_v<S, double> && (P == Primitive::sin || P == Primitive::cos))
        if (k == 0) return run_sines<P>(p, run, f);
    if constexpr (P == Primitive::affine)
        if (run.batch >= 0 && run_affine_batch(p, run, f, k)) return;
    if (run.batch >= 0 && p.batches[run.batch].terms == 1) return run_in_step<P, 1>(p, run, f, k);
    if (run.batch >= 0 && p.batches[run.batch].terms == 2) return run_in_step<P, 2>(p, run, f, k);
    const NodeId* first = p.order.data() + run.first;
    for (std::uint32_t i = 0; i < run.count; ++i) f.at(first[i])[k] = Rule<P>::rung(View<S>(f, first[i]), k);
}

template <class S, std::size_t... I>
constexpr auto run_table(std::index_sequence<I...>) {
    return std::array{&run_nodes<static_cast<Primitive>(I), S>...};
}

}  // namespace

LoopState::LoopState(const Loop& loop) {
    const auto n = static_cast<std::uint32_t>(loop.members.size());
    for (std::uint32_t i = 0; i < n; ++i) {
        rows.push_back(i);
        columns.push_back(i);
    }
    for (std::uint32_t i = 0; i < n; ++i)
        for (auto e = loop.first[i]; e < loop.first[i + 1]; ++e) {
            rows.push_back(i);
            columns.push_back(loop.columns[e]);
        }
    room.resize(rows.size(), n);
    right_side.resize(n);
    guess.resize(n);
    solver.emplace_back(static_cast<int>(n), rows, columns);
    solver.emplace_back(static_cast<int>(n), rows, columns);
}

Workspace::Workspace(const Program& p) {
    for (const Loop& loop : p.loops) loops.emplace_back(loop);
}

template <class S>
void execute(const Program& p, Workspace& w, const Frame<S>& f, int first, int last) {
    static constexpr auto table = run_table<S>(std::make_index_sequence<primitive_count>{});
    for (int stage = first; stage <= last; ++stage)
        for (const Run& run : p.runs) {
            if (run.loop >= 0) {
                solve_loop(p.loops[run.loop], w.loops[run.loop], f, stage, w);
                continue;
            }
            const int k = stage + run.offset;
            if (k < 0 || (k == 0 && run.op == Primitive::integrator)) continue;
            table[static_cast<std::size_t>(run.op)](p, run, f, k);
        }
    ++w.evaluations;
}

template void execute<double>(const Program&, Workspace&, const Frame<double>&, int, int);
template void execute<Bounded>(const Program&, Workspace&, const Frame<Bounded>&, int, int);
template void execute<Dual>(const Program&, Workspace&, const Frame<Dual>&, int, int);
template void execute<Interval>(const Program&, Workspace&, const Frame<Interval>&, int, int);

}  // namespace deltaflow
