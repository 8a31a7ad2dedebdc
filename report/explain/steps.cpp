// The order of telling: that of evaluation, with impulses and value of a block together where that can be.
#include "report/explain/steps.hpp"

#include "report/text/notation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::report {

bool happens(const WorkedBlock& b) {
    return b.jumps || b.acts || !b.impulses.empty() || b.branch != b.branch_before;
}

namespace {

// Loops with more equations than this are shortened.
constexpr std::size_t most_equations = 16;

class Telling {
public:
    Telling(const BlockFormulas& f, const WorkedSolve& solve, const std::vector<std::uint8_t>& told,
            const WorkedSolve* before)
        : f_(f),
          solve_(solve),
          told_(told),
          before_(before),
          impulses_told_(count(), 0),
          value_told_(count(), 0) {
        for (BlockIndex b = 0; b < count(); ++b) {
            if (!is_told(b) || f_.block(b).impulses.empty()) impulses_told_[b] = 1;
            if (!is_told(b)) value_told_[b] = 1;
        }
    }

    std::vector<Paragraph> tell() {
        for (BlockIndex b = 0; b < count(); ++b)
            if (comes_from_outside(b)) tell_block(b);
        for (std::size_t i = 0; i < solve_.steps.size(); ++i) {
            if (solve_.steps[i].loop >= 0)
                i = tell_loop(i);
            else
                tell_step(solve_.steps[i]);
        }
        for (BlockIndex b = 0; b < count(); ++b) tell_block(b);
        add_further_names();
        return std::move(out_);
    }

private:
    BlockIndex count() const { return static_cast<BlockIndex>(solve_.blocks.size()); }
    bool is_told(BlockIndex b) const { return told_[b]; }

    // Nothing in the solve comes before these.
    bool comes_from_outside(BlockIndex b) const {
        const Primitive op = f_.block(b).op;
        return op == Primitive::schedule || op == Primitive::delay || op == Primitive::unit_delay ||
               op == Primitive::constant || op == Primitive::crossing;
    }

    // Has everything been told that this part of the block reads?
    bool is_ready(BlockIndex b, RungKind kind) const {
        const auto parts = f_.parts(b);
        return std::all_of(parts.begin(), parts.end(), [&](BlockIndex part) {
            const Primitive op = f_.block(part).op;
            if (op == Primitive::pre) return true;
            const bool impulse = kind == RungKind::impulse || op == Primitive::integrator;
            const bool value = (kind == RungKind::right && op != Primitive::integrator) ||
                               op == Primitive::derivative || op == Primitive::decision;
            const auto operands = f_.operands(part);
            return std::all_of(operands.begin(), operands.end(), [&](BlockIndex u) {
                return u == b || !f_.stands_alone(u) ||
                       ((!impulse || impulses_told_[u]) && (!value || value_told_[u] || !f_.block(u).jumps));
            });
        });
    }

    void tell_step(const WorkedStep& step) {
        const BlockIndex b = step.block;
        if (step.kind == RungKind::decide || !is_told(b)) return;
        const bool impulse = step.kind == RungKind::impulse;
        if (impulse ? impulses_told_[b] : value_told_[b]) return;
        // A value that stays is told with the impulses.
        if (!impulse && !f_.block(b).impulses.empty() && !f_.block(b).jumps) return;
        tell_unsolved(b);
        const RungKind other = impulse ? RungKind::right : RungKind::impulse;
        const bool both = is_ready(b, other);
        tell(b, impulse || (both && !impulses_told_[b]), !impulse || (both && !value_told_[b]));
    }

    void tell_block(BlockIndex b) {
        const bool impulses_before = impulses_told_[b] && !f_.block(b).impulses.empty();
        if (impulses_before && !f_.block(b).jumps) return;
        if (!impulses_told_[b] || !value_told_[b]) tell(b, !impulses_told_[b], !value_told_[b]);
    }

    // Signals that follow from the mode alone have no step of their own: they come when they are read.
    void tell_unsolved(BlockIndex b) {
        for (const BlockIndex leaf : f_.leaves(b))
            if (leaf != b && !f_.block(leaf).solved && happens(f_.block(leaf))) tell_block(leaf);
    }

    void tell(BlockIndex b, bool impulses, bool value) {
        if (impulses) impulses_told_[b] = 1;
        if (value) value_told_[b] = 1;
        Paragraph p;
        p.block = b;
        p.signal = f_.label(b);
        p.definition = f_.definition(b);
        p.remark = remark_of(f_.block(b));
        p.equations = f_.equations(b);
        p.sentences = sentences_of(f_, b, impulses || f_.block(b).impulses.empty(), value, before_);
        p.also = f_.block(b).also;
        out_.push_back(std::move(p));
    }

    static std::string remark_of(const WorkedBlock& b) {
        if (b.op == Primitive::schedule) return "a source";
        if (b.op != Primitive::crossing || b.parameters.empty() || b.parameters[0] == 0) return "";
        return b.parameters[0] < 0 ? "falling" : "rising";
    }

    // Steps first .. of one loop; gives the last of them.
    std::size_t tell_loop(std::size_t first) {
        const std::int32_t loop = solve_.steps[first].loop;
        std::size_t end = first;
        while (end < solve_.steps.size() && solve_.steps[end].loop == loop) ++end;
        const std::span<const WorkedStep> members(solve_.steps.data() + first, end - first);
        const auto matters = [&](const WorkedStep& s) {
            const WorkedBlock& b = f_.block(s.block);
            if (s.kind == RungKind::impulse) return BlockFormulas::impulse(b, s.order) != 0;
            return s.kind == RungKind::right && s.order == 0 && b.jumps;
        };
        if (std::any_of(members.begin(), members.end(), matters))
            tell_system(members, loop);
        else
            for (const WorkedStep& s : members)
                if (s.kind == RungKind::right && s.order == 0) value_told_[s.block] = 1;
        return end - 1;
    }

    void tell_system(std::span<const WorkedStep> members, std::int32_t loop) {
        Paragraph p;
        p.block = members[0].block;
        const auto unknown = [&](BlockIndex b, RungKind kind, int k) {
            return std::any_of(members.begin(), members.end(), [&](const WorkedStep& s) {
                return s.block == b && s.kind == kind && s.order == k;
            });
        };
        for (const WorkedStep& s : members) {
            if (s.kind == RungKind::decide || !f_.stands_alone(s.block)) continue;
            add_unknown(p, s, unknown);
            const auto numbers = f_.equations(s.block);
            p.equations.insert(p.equations.end(), numbers.begin(), numbers.end());
        }
        std::sort(p.equations.begin(), p.equations.end());
        p.equations.erase(std::unique(p.equations.begin(), p.equations.end()), p.equations.end());
        const std::size_t unknowns = p.system.size() + p.system_left_out;
        if (unknowns == 0) return;
        const bool linear = solve_.loop_is_linear[static_cast<std::size_t>(loop)];
        p.sentences.insert(p.sentences.begin(),
                           {unknowns == 1 ? fmt::format("a loop: one {} equation for one unknown",
                                                        linear ? "linear" : "nonlinear")
                                          : fmt::format("a loop: {} {} equations, solved together", unknowns,
                                                        linear ? "linear" : "nonlinear"),
                            {},
                            ""});
        out_.push_back(std::move(p));
    }

    // What a block of a loop is, where a loop first comes to it.
    std::string introduce(Paragraph& p, BlockIndex b) {
        if (std::find(introduced_.begin(), introduced_.end(), b) != introduced_.end()) return "";
        introduced_.push_back(b);
        for (Sentence& choice : choices_of(f_, b)) p.sentences.push_back(std::move(choice));
        return fmt::format("{} = {}", f_.label(b), plain(f_.definition(b)));
    }

    template <class Unknown>
    void add_unknown(Paragraph& p, const WorkedStep& s, const Unknown& unknown) {
        const WorkedBlock& b = f_.block(s.block);
        const bool right = s.kind == RungKind::right;
        if (right && s.order == 0) value_told_[s.block] = 1;
        if (!right && s.order + 1u >= b.impulses.size()) impulses_told_[s.block] = 1;
        if (p.system.size() == most_equations) {
            ++p.system_left_out;
            return;
        }
        const double solution = right ? BlockFormulas::right(b, s.order) : BlockFormulas::impulse(b, s.order);
        std::string definition = introduce(p, s.block);
        p.system.push_back({std::move(definition),
                            name(f_.label(s.block), right ? Side::right : Side::impulse, s.order),
                            f_.rung(s.block, s.kind, s.order, unknown), solution});
    }

    // A signal of several names is told under one of them; the others are listed there.
    void add_further_names() {
        std::vector<Paragraph*> first(count(), nullptr);
        for (auto p = out_.rbegin(); p != out_.rend(); ++p)
            if (!p->signal.empty()) first[p->block] = &*p;
        for (BlockIndex b = 0; b < count(); ++b) {
            const WorkedBlock& w = f_.block(b);
            Paragraph* p = first[f_.original(b)];
            if (p && w.shown && w.named && p->signal != w.name) p->also.push_back(w.name);
        }
    }

    const BlockFormulas& f_;
    const WorkedSolve& solve_;
    const std::vector<std::uint8_t>& told_;
    const WorkedSolve* before_;
    std::vector<std::uint8_t> impulses_told_, value_told_;
    std::vector<BlockIndex> introduced_;  // members of loops
    std::vector<Paragraph> out_;
};

// A recorded state that stays is told if its input does something.
bool is_root(const BlockFormulas& f, BlockIndex index) {
    const WorkedBlock& b = f.block(index);
    const bool dynamic = b.op == Primitive::integrator || b.op == Primitive::derivative;
    if (happens(b)) return !b.of_graph || b.recorded || dynamic;
    const auto leaves = f.leaves(index);
    return b.recorded && b.op == Primitive::integrator &&
           std::any_of(leaves.begin(), leaves.end(), [&](BlockIndex u) { return happens(f.block(u)); });
}

}  // namespace

std::vector<std::uint8_t> told_blocks(const BlockFormulas& f, const WorkedSolve& solve, bool all) {
    std::vector<std::uint8_t> told(solve.blocks.size(), 0);
    std::vector<BlockIndex> work;
    const auto want = [&](BlockIndex b) {
        b = f.original(b);
        const bool wanted = all || happens(f.block(b)) || is_root(f, b);
        if (told[b] || !wanted || !f.block(b).shown || !f.stands_alone(b)) return;
        told[b] = 1;
        work.push_back(b);
    };
    for (BlockIndex b = 0; b < solve.blocks.size(); ++b)
        if (all || is_root(f, b)) want(b);
    while (!work.empty()) {
        const BlockIndex b = work.back();
        work.pop_back();
        for (const BlockIndex leaf : f.leaves(b)) want(leaf);
    }
    return told;
}

std::vector<Paragraph> paragraphs_of(const BlockFormulas& formulas, const WorkedSolve& solve,
                                     const std::vector<std::uint8_t>& told, const WorkedSolve* before) {
    return Telling(formulas, solve, told, before).tell();
}

}  // namespace deltaflow::report
