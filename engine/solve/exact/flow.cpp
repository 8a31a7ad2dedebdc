#include "engine/solve/exact/flow.hpp"

#include "engine/limits.hpp"
#include "engine/solve/exact/bounds.hpp"
#include "engine/solve/exact/rules.hpp"

#include <algorithm>

namespace deltaflow::closed_form {

bool eliminate(std::vector<std::vector<Quadratic>>& a, std::vector<Quadratic>& b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        while (pivot < n && is_zero(a[pivot][k])) ++pivot;
        if (pivot == n) return false;
        std::swap(a[k], a[pivot]);
        std::swap(b[k], b[pivot]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k || is_zero(a[i][k])) continue;
            check_interrupt();
            check_length(a[i][k], limits::exact_work_bits);
            const Quadratic factor = a[i][k] / a[k][k];
            for (std::size_t j = k; j < n; ++j) a[i][j] = a[i][j] - factor * a[k][j];
            b[i] = b[i] - factor * b[k];
        }
    }
    for (std::size_t k = 0; k < n; ++k) b[k] = b[k] / a[k][k];
    return true;
}

namespace {

constexpr int last_stages[] = {3, 7, 15, 31};  // a flow of degree 15 is still recognised

class Evaluator {
public:
    Evaluator(const FlowInput& in, Side& side) : in_(in), side_(side), s_(*in.system->s), p_(s_.whole) {
        fill();
    }

    void run_to(int last) {
        widen(last);
        for (int stage = side_.stage + 1; stage <= last; ++stage) {
            for (const Run& run : p_.runs) {
                if (run.loop >= 0)
                    solve_loop(p_.loops[run.loop], stage);
                else
                    for (std::uint32_t i = 0; i < run.count; ++i)
                        compute(p_.order[run.first + i], stage + run.offset);
            }
        }
        side_.stage = last;
    }

    // The degree of all that is active; nothing if the rungs do not end.
    bool is_complete() {
        int degree = 0, least = side_.stage;
        side_.why_not = nullptr;
        for (NodeId n = 0; n < s_.d.nodes.size(); ++n) {
            if (!counts(n) || p_.offset[n] == not_needed) continue;
            if (side_.unknown[n]) {
                if (!side_.why_not) side_.why_not = side_.unknown[n];
                continue;
            }
            const int top = static_cast<int>(trimmed(side_.rungs[n]).size()) - 1;
            degree = std::max({degree, top, degree_of_source(n)});
            least = std::min(least, side_.stage + p_.offset[n]);
        }
        if (!side_.why_not) side_.why_not = varying_gain();
        return !side_.why_not && least >= 2 * degree + 1;
    }

private:
    // What a source has shown so far may be zero, and its end still to come: t^4 at 0.
    int degree_of_source(NodeId n) const {
        if (s_.d.nodes[n].op != Primitive::polynomial) return 0;
        const auto p = s_.d.parameters_of(n);
        auto last = static_cast<int>(p.size()) - 1;
        while (last > 0 && p[static_cast<std::size_t>(last)] == 0) --last;
        return last;
    }
    bool counts(NodeId n) const { return in_.system->wanted[n] && (in_.active->empty() || (*in_.active)[n]); }

    // A loop whose gain moves may have no unique solution at some time under way: (1 - t) x = 0 is solved by
    // any multiple of delta(t - 1).
    Reason varying_gain() const {
        for (const Loop& loop : p_.loops) {
            if (loop.constant) continue;
            const auto is_member = [&](NodeId n) {
                return std::any_of(loop.members.begin(), loop.members.end(),
                                   [n](const Loop::Member& m) { return m.node == n; });
            };
            for (const Loop::Member& member : loop.members) {
                if (!counts(member.node) || s_.d.nodes[member.node].op != Primitive::product) continue;
                for (const NodeId factor : s_.d.inputs_of(member.node))
                    if (!is_member(factor) && trimmed(side_.rungs[factor]).size() > 1)
                        return std::make_shared<RunFailure>(
                            RunFailure{.kind = ErrorKind::model,
                                       .node = member.node,
                                       .what = "the gain of an algebraic loop varies with time",
                                       .advice = "run it, or solve the loop by hand"});
            }
        }
        return nullptr;
    }

    // What no program computes: constants, states, delayed signals.
    void fill() {
        const std::size_t n = s_.d.nodes.size();
        side_.system = in_.system;
        side_.rungs.assign(n, {});
        side_.unknown = in_.system->refused;
        side_.stage = -p_.highest - 1;
        for (NodeId i = 0; i < n; ++i)
            if (s_.d.nodes[i].op == Primitive::constant && in_.system->wanted[i])
                side_.rungs[i] = {in_.system->parameters[i][0]};
        for (const NodeId i : in_.system->states) side_.rungs[i] = {(*in_.states)[i]};
        for (const NodeId i : in_.system->delays) side_.rungs[i] = in_.delayed(i);
    }

    void widen(int last) {
        for (NodeId n = 0; n < s_.d.nodes.size(); ++n) {
            const Primitive op = s_.d.nodes[n].op;
            if (!in_.system->wanted[n] || p_.offset[n] == not_needed || op == Primitive::constant ||
                op == Primitive::delay)
                continue;
            side_.rungs[n].resize(static_cast<std::size_t>(std::max(1, last + p_.offset[n] + 1)));
        }
    }

    struct View {
        using Scalar = Quadratic;
        const Evaluator& e;
        NodeId id;
        struct Rungs {
            const Side& side;
            NodeId n;
            const Quadratic& operator()(int k) const { return side.at(n, k); }
        };
        Rungs u(int j) const { return {e.side_, e.s_.d.inputs_of(id)[j]}; }
        const std::vector<Quadratic>& own() const { return e.side_.rungs[id]; }
        auto y() const {
            return [this](int k) -> const Quadratic& { return own()[static_cast<std::size_t>(k)]; };
        }
        const Quadratic& p(int i) const { return e.in_.system->parameters[id][i]; }
        int input_count() const { return static_cast<int>(e.s_.d.nodes[id].input_count); }
        int parameter_count() const { return static_cast<int>(e.s_.d.nodes[id].parameter_count); }
        int branch() const { return e.in_.discrete->branch[id]; }
        const Quadratic& held() const { return e.in_.discrete->held[id]; }
        const Line& piece() const { return e.in_.discrete->pieces[e.s_.d.nodes[id].extra]; }
        const Quadratic& t() const { return e.in_.t; }
    };

    Quadratic rung(NodeId n, int k) const {
        check_interrupt();
        Quadratic value = exact_rung(s_.d.nodes[n].op, View{*this, n}, k);
        check_length(value, limits::exact_work_bits, n);
        return value;
    }

    bool is_state(NodeId n, int k) const { return k == 0 && s_.d.nodes[n].op == Primitive::integrator; }

    void compute(NodeId n, int k) {
        if (k < 0 || is_state(n, k) || !in_.system->wanted[n] || side_.unknown[n]) return;
        try {
            side_.rungs[n][static_cast<std::size_t>(k)] = rung(n, k);
        } catch (const RunFailure& failure) {
            side_.unknown[n] = std::make_shared<RunFailure>(failure);
        } catch (const MixedRoots& roots) {
            side_.unknown[n] = std::make_shared<RunFailure>(
                RunFailure{.kind = ErrorKind::model, .node = n, .what = roots.what()});
        }
    }

    // The members of a loop that take part in a stage.
    struct Equations {
        Evaluator& e;
        const Loop& loop;
        int stage;
        std::vector<std::size_t> members;
        std::vector<std::vector<std::size_t>> readers_;

        NodeId node(std::size_t i) const { return loop.members[members[i]].node; }
        int order(std::size_t i) const { return stage + loop.members[members[i]].offset; }
        std::size_t size() const { return members.size(); }
        Quadratic& cell(std::size_t i) const {
            return e.side_.rungs[node(i)][static_cast<std::size_t>(order(i))];
        }
        Quadratic evaluate(std::size_t i) const { return e.rung(node(i), order(i)); }
        const std::vector<std::size_t>& readers(std::size_t j) const { return readers_[j]; }

        void find_readers() {
            std::vector<std::size_t> place(loop.members.size(), loop.members.size());
            for (std::size_t i = 0; i < members.size(); ++i) place[members[i]] = i;
            readers_.assign(members.size(), {});
            for (std::size_t i = 0; i < members.size(); ++i)
                for (auto c = loop.first[members[i]]; c < loop.first[members[i] + 1]; ++c)
                    if (const std::size_t j = place[loop.columns[c]]; j < members.size())
                        readers_[j].push_back(i);
        }
    };

    void solve_loop(const Loop& loop, int stage) {
        if (try_loop(loop, stage, false)) return;
        try_loop(loop, stage, true);
    }

    // All members, or else those that are active; the others are not known then.
    bool try_loop(const Loop& loop, int stage, bool active_only) {
        Equations e{*this, loop, stage, {}, {}};
        Reason reason;
        for (std::size_t i = 0; i < loop.members.size(); ++i) {
            const NodeId n = loop.members[i].node;
            const int k = stage + loop.members[i].offset;
            if (k < 0 || is_state(n, k) || !in_.system->wanted[n] || (active_only && !counts(n))) continue;
            if (side_.unknown[n] && !active_only) return false;
            if (side_.unknown[n]) reason = side_.unknown[n];
            e.members.push_back(i);
        }
        if (e.members.empty()) return true;
        e.find_readers();
        if (!reason) reason = attempt(e);
        if (!reason) return true;
        if (active_only)
            for (const auto& member : loop.members) side_.unknown[member.node] = reason;
        return false;
    }

    Reason attempt(Equations& e) {
        RunFailure failure{.kind = ErrorKind::not_finite, .node = e.node(0)};
        for (const auto i : find_cycle(e.loop.first, e.loop.columns))
            failure.loop.push_back(e.loop.members[i].node);
        try {
            switch (solve_affine(e)) {
                case Outcome::solved:
                    return nullptr;
                case Outcome::singular:
                    failure.what = "an algebraic loop is singular: it has no unique solution";
                    failure.advice = "break the loop with an integrator or a delay, or change its gain";
                    break;
                case Outcome::nonlinear:
                    failure.kind = ErrorKind::model;
                    failure.what = "an algebraic loop is not linear: its solution has no closed form here";
                    failure.advice = "run it, or solve the loop by hand";
            }
        } catch (const RunFailure& inner) {
            failure = inner;
        } catch (const MixedRoots& roots) {
            failure.kind = ErrorKind::model;
            failure.what = roots.what();
        }
        return std::make_shared<RunFailure>(failure);
    }

    const FlowInput& in_;
    Side& side_;
    const System& s_;
    const Program& p_;
};

// Does a signal have rungs where a polynomial would have none?
bool has_top(const Side& side, NodeId n) {
    return static_cast<int>(trimmed(side.rungs[n]).size()) > side.stage / 2 + 1;
}

}  // namespace

Side evaluate_side(const FlowInput& in) {
    Side side;
    Evaluator evaluator(in, side);
    for (const int last : last_stages) {
        evaluator.run_to(last);
        side.complete = evaluator.is_complete();
        if (side.complete || side.why_not) break;
    }
    return side;
}

// From a signal that does not end back through those that do not end either, until one comes again.
RunFailure not_polynomial(const ExactSystem& x, const Side& side, const std::vector<std::uint8_t>& active) {
    if (side.why_not) return *side.why_not;
    RunFailure failure{.kind = ErrorKind::model,
                       .what = "this is no polynomial of time: it depends on itself in a way that never ends",
                       .advice = "run it; closed forms are found for polynomial flows alone"};
    const auto endless_here = [&](NodeId n) {
        return x.wanted[n] && (active.empty() || active[n]) && !side.rungs[n].empty() && has_top(side, n);
    };
    NodeId at = no_node;
    for (NodeId n = 0; n < side.rungs.size() && at == no_node; ++n)
        if (endless_here(n)) at = n;
    std::vector<NodeId> path;
    while (at != no_node && std::find(path.begin(), path.end(), at) == path.end()) {
        path.push_back(at);
        const auto in = x.s->d.inputs_of(at);
        const auto next = std::find_if(in.begin(), in.end(), endless_here);
        failure.node = at;
        at = next == in.end() ? no_node : *next;
    }
    if (at == no_node) {
        failure.what = "this is no polynomial of time";
        return failure;
    }
    failure.node = at;
    failure.loop.assign(std::find(path.begin(), path.end(), at), path.end());
    return failure;
}

}  // namespace deltaflow::closed_form
