// Blocks rung by rung: the equations of a loop, with letters for the unknowns and numbers for the rest.
#include "report/explain/formula.hpp"
#include "report/explain/lead.hpp"

#include <algorithm>

namespace deltaflow::report {

Math BlockFormulas::rung(BlockIndex b, RungKind kind, int k, const IsUnknown& unknown, bool top,
                         int depth) const {
    const WorkedBlock& w = block(b);
    const bool right_side = kind == RungKind::right;
    const Math value =
        number(right_side ? right(w, static_cast<std::size_t>(k)) : impulse(w, static_cast<std::size_t>(k)));
    if (!top && stands_alone(b))
        return unknown(b, kind, k) ? name(labels_[b], right_side ? Side::right : Side::impulse, k) : value;
    if (w.inputs.empty() || depth > deepest || (!top && !unknown(b, kind, k))) return value;
    return right_side ? right_rung(b, k, unknown, depth) : impulse_rung(b, k, unknown, depth);
}

Math BlockFormulas::right_rung(BlockIndex index, int k, const IsUnknown& unknown, int depth) const {
    const WorkedBlock& b = block(index);
    const auto in = [&](std::size_t j, RungKind kind, int order) {
        return rung(b.inputs[j], kind, order, unknown, false, depth + 1);
    };
    switch (b.op) {
        case Primitive::integrator:
            if (k == 0) return sum({number(left(b)), in(0, RungKind::impulse, 0)});
            return times(1.0 / k, in(0, RungKind::right, k - 1));
        case Primitive::derivative:
            return times(k + 1, in(0, RungKind::right, k + 1));
        case Primitive::decision:
            return in(b.branch == 1 ? 1 : 2, RungKind::right, k);
        case Primitive::strength:
            return in(0, RungKind::impulse, 0);
        case Primitive::pre:
            return number(left(block(b.inputs[0]), static_cast<std::size_t>(k)));
        case Primitive::product:
            if (k > 0) {
                std::vector<Math> terms;
                for (int j = 0; j <= k; ++j)
                    terms.push_back(product({in(0, RungKind::right, j), in(1, RungKind::right, k - j)}));
                return sum(std::move(terms));
            }
            break;
        case Primitive::affine:
            if (k > 0) {
                std::vector<Math> terms;
                for (std::size_t j = 0; j < b.inputs.size(); ++j)
                    terms.push_back(times(b.parameters[j + 1], in(j, RungKind::right, k)));
                return sum(std::move(terms));
            }
            break;
        default:
            break;
    }
    if (k > 0) return name(labels_[index], Side::right, k);
    return build(
        index, [&](BlockIndex input) { return rung(input, RungKind::right, 0, unknown, false, depth + 1); });
}

Math BlockFormulas::impulse_rung(BlockIndex index, int i, const IsUnknown& unknown, int depth) const {
    const WorkedBlock& b = block(index);
    const auto in = [&](std::size_t j, RungKind kind, int order) {
        return rung(b.inputs[j], kind, order, unknown, false, depth + 1);
    };
    std::vector<Math> terms;
    switch (b.op) {
        case Primitive::affine:
            for (std::size_t j = 0; j < b.inputs.size(); ++j)
                if (b.parameters[j + 1] != 0)
                    terms.push_back(times(b.parameters[j + 1], in(j, RungKind::impulse, i)));
            return sum(std::move(terms));
        case Primitive::product:  // (003:31)
            for (std::size_t side = 0; side < 2; ++side) {
                const WorkedBlock& other = block(b.inputs[1 - side]);
                const int top = static_cast<int>(block(b.inputs[side]).impulses.size());
                for (int j = i; j < std::max(top, i + 1); ++j) {
                    const double c = ((j - i) % 2 == 0 ? 1 : -1) * factorial(j) / factorial(i) *
                                     left(other, static_cast<std::size_t>(j - i));
                    terms.push_back(times(c, in(side, RungKind::impulse, j)));
                }
            }
            return sum(std::move(terms));
        case Primitive::integrator:
            return in(0, RungKind::impulse, i + 1);
        case Primitive::derivative:
            if (i > 0) return in(0, RungKind::impulse, i - 1);
            return sum({in(0, RungKind::right, 0), number(-left(block(b.inputs[0])))});
        case Primitive::decision:
            return in(b.branch == 1 ? 1 : 2, RungKind::impulse, i);
        default:
            return number(impulse(b, static_cast<std::size_t>(i)));
    }
}

}  // namespace deltaflow::report
