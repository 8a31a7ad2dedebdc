// The blocks of a worked solve as formulas: what they are, and with the numbers put in.
#include "report/explain/formula.hpp"

#include "blocks/composer.hpp"
#include "blocks/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace deltaflow::report {

namespace {

std::string function_name(const WorkedBlock& b) {
    if (b.op == Primitive::piecewise)
        return b.parameters == absolute_value() ? "abs"
               : b.parameters == unit_step()    ? "heaviside"
                                                : "piecewise";
    const char* word = traits_of(b.op).word;
    return word ? word : "?";
}

bool keeps_a_state(Primitive op) {
    return op == Primitive::integrator || op == Primitive::delay || op == Primitive::hold ||
           op == Primitive::unit_delay || op == Primitive::schedule;
}

std::vector<int> equations_of(const WorkedBlock& b) {
    switch (b.op) {
        case Primitive::affine:
            if (b.parameters.size() == 2 && b.parameters[0] == 0 && b.parameters[1] == -1) return {19};
            return {18};
        case Primitive::product:
            return {31};
        case Primitive::inverse:
            return {34};
        case Primitive::integrator:
            return {30};
        case Primitive::derivative:
            return {29};
        case Primitive::decision:
            return {22, 23};
        case Primitive::crossing:
            return {5};
        case Primitive::piecewise:
            return b.parameters == unit_step() ? std::vector{20, 21} : std::vector<int>{};
        case Primitive::schedule:
            return b.impulses.empty() ? std::vector{12} : std::vector{16};
        default:
            return {};
    }
}

}  // namespace

BlockFormulas::BlockFormulas(const WorkedSolve& solve, double t) : solve_(solve), t_(t) {
    std::map<std::string, int> parts;
    for (const WorkedBlock& b : solve.blocks)
        labels_.push_back(b.named               ? b.name
                          : keeps_a_state(b.op) ? fmt::format("{}#{}", b.name, ++parts[b.name])
                                                : b.name);
    name_originals();
    for (BlockIndex b = 0; b < solve.blocks.size(); ++b)
        alone_.push_back((block(b).named && !is_alias(b)) || keeps_a_state(block(b).op));
}

namespace {

// ".effort" of b3.effort
std::string_view suffix(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos ? "" : std::string_view(name).substr(dot);
}

// The better name of one signal: what is recorded, then an element's rather than a bond's.
bool is_better(const WorkedBlock& a, const WorkedBlock& b) {
    return a.recorded != b.recorded ? a.recorded : !a.of_bond && b.of_bond;
}

}  // namespace

// Efforts and flows are handed on from bond to bond.
bool BlockFormulas::is_alias(BlockIndex b) const {
    const WorkedBlock& w = block(b);
    if (w.op != Primitive::affine || w.inputs.size() != 1 || w.parameters[0] != 0 || w.parameters[1] != 1)
        return false;
    const std::string_view end = suffix(w.name);
    return (end == ".effort" || end == ".flow") && w.named && suffix(block(w.inputs[0]).name) == end;
}

// A signal with several names goes by the best of them.
void BlockFormulas::name_originals() {
    std::vector<BlockIndex> best(solve_.blocks.size());
    for (BlockIndex b = 0; b < best.size(); ++b) best[b] = b;
    for (BlockIndex b = 0; b < best.size(); ++b) {
        BlockIndex& to = best[original(b)];
        if (block(b).named && is_better(block(b), block(to))) to = b;
    }
    for (BlockIndex b = 0; b < best.size(); ++b)
        if (block(b).named && !is_alias(b)) labels_[b] = block(best[b]).name;
}

BlockIndex BlockFormulas::original(BlockIndex b) const {
    for (int depth = 0; is_alias(b) && depth < deepest; ++depth) b = block(b).inputs[0];
    return b;
}

// A decision reads its condition and one side; the partners of functions are of no interest here.
std::vector<BlockIndex> BlockFormulas::operands(BlockIndex index) const {
    const WorkedBlock& b = block(index);
    if (b.inputs.empty() || b.op == Primitive::affine || b.op == Primitive::product) return b.inputs;
    if (b.op == Primitive::decision) return {b.inputs[0], b.inputs[b.branch == 1 ? 1 : 2]};
    if (b.op == Primitive::atan2) return {b.inputs[0], b.inputs[1]};
    return {b.inputs[0]};
}

Math BlockFormulas::build(BlockIndex index, const std::function<Math(BlockIndex)>& operand) const {
    const WorkedBlock& b = block(index);
    const auto in = [&](std::size_t j) { return operand(b.inputs[j]); };
    switch (b.op) {
        case Primitive::constant:
            return number(b.parameters[0]);
        case Primitive::time:
            return name("t");
        case Primitive::sine: {
            Math phase = sum({scaled(b.parameters[1], name("t")), number(b.parameters[2])});
            return scaled(b.parameters[0], call("sin", {std::move(phase)}));
        }
        case Primitive::polynomial: {
            std::vector<Math> terms{number(b.parameters[0])};
            for (std::size_t k = 1; k < b.parameters.size(); ++k) {
                Math power = one_part(Math::Kind::power, name("t"));
                power.value = static_cast<double>(k);
                terms.push_back(scaled(b.parameters[k], k == 1 ? name("t") : std::move(power)));
            }
            return sum(std::move(terms));
        }
        case Primitive::affine: {
            std::vector<Math> terms{number(b.parameters[0])};
            for (std::size_t j = 0; j < b.inputs.size(); ++j)
                if (b.parameters[j + 1] != 0) terms.push_back(scaled(b.parameters[j + 1], in(j)));
            return sum(std::move(terms));
        }
        case Primitive::product:
            if (b.inputs[0] == b.inputs[1]) {
                Math square = one_part(Math::Kind::power, in(0));
                square.value = 2;
                return square;
            }
            return product({in(0), in(1)});
        case Primitive::inverse:
            return one_part(Math::Kind::ratio, in(0));
        case Primitive::power: {
            Math power = one_part(Math::Kind::power, in(0));
            power.value = b.parameters[0];
            return power;
        }
        case Primitive::integrator:
            return one_part(Math::Kind::integral, in(0));
        case Primitive::derivative:
            return one_part(Math::Kind::derivative, in(0));
        case Primitive::delay:
            return call("delay", {in(0), number(b.parameters[0])});
        case Primitive::decision:
            return call("if", {in(0), in(1), in(2)});
        case Primitive::atan2:
            return call("atan2", {in(0), in(1)});
        case Primitive::assertion:
            return in(0);
        case Primitive::schedule:
        case Primitive::free:
            return name(b.name);
        default:
            return call(function_name(b), {in(0)});
    }
}

Math BlockFormulas::signal(BlockIndex b, int depth) const {
    b = original(b);
    if (stands_alone(b) || depth > deepest) return name(labels_[b]);
    return definition(b, depth);
}

Math BlockFormulas::definition(BlockIndex b, int depth) const {
    if (block(b).inputs.empty() && block(b).op != Primitive::constant && block(b).op != Primitive::time &&
        block(b).op != Primitive::sine && block(b).op != Primitive::polynomial)
        return name(labels_[b]);
    return build(b, [&](BlockIndex input) { return signal(input, depth + 1); });
}

Math BlockFormulas::germ_of(BlockIndex b) const { return germ(right(block(b)), block(b).impulses); }

Math BlockFormulas::numbers(BlockIndex b) const { return numbers_of(b, 0); }

// Operands by their germs; pre(u) and der(u) inside a formula are operands themselves.
Math BlockFormulas::numbers_of(BlockIndex index, int depth) const {
    const WorkedBlock& b = block(index);
    const bool operand = depth > 0 && (stands_alone(index) || depth > deepest);
    const bool arithmetic = b.op == Primitive::affine || b.op == Primitive::product ||
                            b.op == Primitive::inverse || b.op == Primitive::power;
    const bool shown = arithmetic ? !operand : traits_of(b.op).function && depth == 0;
    if (shown && !b.inputs.empty())
        return build(index, [&](BlockIndex input) { return numbers_of(input, depth + 1); });
    return germ_of(index);
}

std::vector<BlockIndex> BlockFormulas::parts(BlockIndex b) const {
    std::vector<BlockIndex> found{b};
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const BlockIndex input : operands(found[i]))
            if (!stands_alone(input) && std::find(found.begin(), found.end(), input) == found.end())
                found.push_back(input);
    return found;
}

std::vector<BlockIndex> BlockFormulas::leaves(BlockIndex b) const {
    std::vector<BlockIndex> found;
    for (const BlockIndex part : parts(b))
        for (const BlockIndex input : operands(part))
            if (stands_alone(input) && std::find(found.begin(), found.end(), input) == found.end())
                found.push_back(input);
    return found;
}

std::vector<int> BlockFormulas::equations(BlockIndex b) const {
    std::vector<int> all;
    for (const BlockIndex part : parts(b)) {
        // A gain in front of a product is part of the product.
        const WorkedBlock& w = block(part);
        const bool gain = w.op == Primitive::affine && w.inputs.size() == 1 && w.parameters[0] == 0 &&
                          !stands_alone(w.inputs[0]);
        if (gain) continue;
        for (const int e : equations_of(w)) all.push_back(e);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace deltaflow::report
