// What each block does at an instant, in a sentence or two, with its numbers.
#include "blocks/composer.hpp"
#include "report/explain/lead.hpp"
#include "report/explain/steps.hpp"
#include "report/text/notation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

using Blocks = BlockFormulas;

Words lead_words(const Lead& lead) {
    if (lead.value == 0) return said("is {} and stays so", {0.0});
    if (lead.order == 0) return said("is {}", {lead.value});
    return said("is {} and its {} is {}", {0.0, derivative_words(lead.order), lead.value});
}

// a + b, to be seen even where one of them is zero.
Math added(double a, double b) {
    Math m{.kind = Math::Kind::sum};
    m.parts = {number(a), number(b)};
    return m;
}

// Drops what would be said twice.
Sentence told(Words words, std::vector<Math> chain, std::string after = "",
              std::optional<Math> subject = {}) {
    Sentence s{std::move(words), {}, std::move(after), std::move(subject)};
    for (Math& m : chain)
        if (s.chain.empty() || plain(s.chain.back()) != plain(m)) s.chain.push_back(std::move(m));
    return s;
}

std::string was(const WorkedBlock& b) {
    return b.jumps ? fmt::format("was {}", number_text(Blocks::left(b))) : "";
}

// u delta^(n) = sum over m of (-1)^(n-m) C(n,m) u^(n-m) delta^(m), with letters and with numbers (003:31).
struct Meeting {
    Words values;  // "u = 1, u' = 2"
    std::vector<Math> symbols, numbers;
    std::vector<double> result;
};
Meeting meeting(const std::string& letter, const WorkedBlock& u, int n) {
    Meeting all;
    all.result.assign(static_cast<std::size_t>(n) + 1, 0.0);
    for (int k = 0; k <= n; ++k) {  // the derivative that delta^(n-k) comes with
        const double c = (k % 2 == 0 ? 1 : -1) * factorial(n) / factorial(n - k) / factorial(k);
        const double derivative = Blocks::left(u, static_cast<std::size_t>(k)) * factorial(k);
        const std::string symbol = k <= 3 ? letter + std::string(static_cast<std::size_t>(k), '\'')
                                          : fmt::format("{}^({})", letter, k);
        all.values = said(k == 0 ? "{}{} = {}" : "{}, {} = {}", {all.values, name(symbol), derivative});
        all.symbols.push_back(scaled(c, product({name(symbol), delta(n - k)})));
        all.numbers.push_back(scaled(c, product({number(derivative), delta(n - k)})));
        all.result[static_cast<std::size_t>(n - k)] = c * derivative;
    }
    return all;
}

class Teller {
public:
    Teller(const Blocks& f, BlockIndex b, bool impulses, bool value, const WorkedSolve* before)
        : f_(f), index_(b), b_(f.block(b)), impulses_(impulses), value_(value), before_(before) {}

    std::vector<Sentence> tell() {
        for (const BlockIndex part : f_.parts(index_))
            if (part != index_) tell_part(part);
        tell_own();
        return std::move(out_);
    }

    std::vector<Sentence> tell_choices() {
        for (const BlockIndex part : f_.parts(index_)) {
            if (f_.block(part).op == Primitive::decision) tell_choice(part);
            const Primitive op = f_.block(part).op;
            if (op == Primitive::sign || op == Primitive::floor || op == Primitive::piecewise)
                tell_piece(part);
        }
        return std::move(out_);
    }

private:
    void say(Sentence s) { out_.push_back(std::move(s)); }
    Words text(BlockIndex b) const { return f_.signal(b); }

    // Parts of an expression that have a story of their own.
    void tell_part(BlockIndex part) {
        const WorkedBlock& b = f_.block(part);
        switch (b.op) {
            case Primitive::product:
                if (impulses_) tell_leibniz(part);
                return;
            case Primitive::decision:
                return tell_choice(part);
            case Primitive::crossing:
                return tell_crossing(part);
            case Primitive::derivative:
                if (impulses_) tell_fall(part);
                return;
            case Primitive::sign:
            case Primitive::floor:
            case Primitive::piecewise:
                return tell_piece(part);
            default:
                return;
        }
    }

    void tell_own() {
        switch (b_.op) {
            case Primitive::integrator:
                return tell_integrator();
            case Primitive::derivative:
                return tell_derivative();
            case Primitive::crossing:
                tell_crossing(index_);
                return result();
            case Primitive::decision:
                tell_choice(index_);
                return say(
                    told("", {f_.signal(chosen()), f_.numbers(chosen()), f_.germ_of(index_)}, was(b_)));
            case Primitive::sign:
            case Primitive::floor:
            case Primitive::piecewise:
            case Primitive::hysteresis:
                tell_piece(index_);
                return result();
            case Primitive::product:
                if (impulses_) tell_leibniz(index_);
                return algebra();
            case Primitive::schedule:
            case Primitive::delay:
            case Primitive::hold:
            case Primitive::unit_delay:
            case Primitive::pre:
            case Primitive::strength:
            case Primitive::constant:
                return say(told(origin_words(), {f_.germ_of(index_)}, was(b_)));
            default:
                return algebra();
        }
    }

    // Where a value comes from that is not computed from others at the instant.
    Words origin_words() const {
        const Words u = b_.inputs.empty() ? Words() : text(b_.inputs[0]);
        switch (b_.op) {
            case Primitive::schedule:
                return b_.impulses.empty() ? "its time has come:" : "its impulse is due:";
            case Primitive::delay:
                return said("what {} was {} ago:", {u, b_.parameters[0]});
            case Primitive::hold:
                return b_.acts ? said("its clock ticks: it takes the value of {} just after,", {u}) : Words();
            case Primitive::unit_delay:
                return b_.acts ? said("its clock ticks: it gives what it took of {} a tick ago,", {u})
                               : Words();
            case Primitive::pre:
                return said("the value of {} just before:", {u});
            case Primitive::strength:
                return said("the coefficient of {} in {}:", {delta(0), u});
            default:
                return b_.jumps ? "in this mode" : "";
        }
    }

    BlockIndex chosen() const { return b_.inputs[b_.branch == 1 ? 1 : 2]; }
    void result() { say(told("", {f_.germ_of(index_)}, was(b_))); }

    // The formula with the numbers put in, and what comes of it.
    void algebra() {
        if (!value_) return say(told("its impulses:", {germ(0, b_.impulses)}));
        if (!impulses_) {
            const auto known = [](BlockIndex, RungKind, int) { return false; };
            return say(
                told("just after:", {f_.rung(index_, RungKind::right, 0, known), number(Blocks::right(b_))},
                     was(b_)));
        }
        if (met_) return result();
        say(told("", {f_.numbers(index_), f_.germ_of(index_)}, was(b_)));
    }

    // (003:30): the coefficient of delta is the jump, higher impulses climb a rung.
    void tell_integrator() {
        const BlockIndex u = f_.original(b_.inputs[0]);
        const WorkedBlock& in = f_.block(u);
        const double kick = Blocks::impulse(in, 0);
        if (in.impulses.size() > 1)
            say(told(said("impulses of {} climb a rung:", {text(u)}), {germ(0, b_.impulses)}));
        if (!value_) return;
        if (kick == 0)
            return say(
                told(said("{} has no {}, so it stays", {text(u), delta(0)}), {number(Blocks::right(b_))}));
        std::vector<Math> chain;
        if (f_.stands_alone(u))
            chain.push_back(sum({name(f_.label(index_), Side::left), name(f_.label(u), Side::impulse)}));
        else
            say(told("", {f_.numbers(u), f_.germ_of(u)}, "", f_.signal(u)));
        chain.push_back(added(Blocks::left(b_), kick));
        chain.push_back(number(Blocks::right(b_)));
        say(told(said("the {} in {} makes it jump:", {delta(0), text(u)}), std::move(chain), "",
                 name(f_.label(index_), Side::right)));
    }

    // (003:29): the jump is the coefficient of delta, impulses fall a rung.
    void tell_fall(BlockIndex part) {
        const WorkedBlock& b = f_.block(part);
        if (b.inputs.empty()) return;
        const BlockIndex u = b.inputs[0];
        const WorkedBlock& in = f_.block(u);
        if (in.jumps)
            say(told(
                said("{} jumps from {} to {}, which gives", {text(u), Blocks::left(in), Blocks::right(in)}),
                {scaled_delta(difference(Blocks::right(in), Blocks::left(in))),
                 scaled(Blocks::impulse(b, 0), delta(0))}));
        if (!in.impulses.empty())
            say(told(said("impulses of {} fall a rung:", {text(u)}), {germ(0, shifted_down(in.impulses))}));
    }
    static Math scaled_delta(Math c) { return product({std::move(c), delta(0)}); }
    static std::vector<double> shifted_down(std::vector<double> impulses) {
        impulses.insert(impulses.begin(), 0.0);
        return impulses;
    }
    void tell_derivative() {
        if (impulses_) tell_fall(index_);
        if (value_)
            say(told(
                said("its value is the slope of {} just after, {}:", {text(b_.inputs[0]), Blocks::right(b_)}),
                {f_.germ_of(index_)}, was(b_)));
    }

    // Passing zero by the left germ, or a jump over it an infinitesimal ago.
    void tell_crossing(BlockIndex part) {
        const WorkedBlock& b = f_.block(part);
        if (b.inputs.empty()) return;
        const WorkedBlock& in = f_.block(b.inputs[0]);
        const Words u = text(b.inputs[0]);
        const Lead lead = lead_of(in.left);
        if (!b.acts) return say(told(said("{} {} just before: no crossing", {u, lead_words(lead)}), {}));
        if (lead.order > 0 && lead.value != 0)
            return say(told(said("{} {} just before: it passes zero", {u, lead_words(lead)}), {}));
        say(told(said("{} jumped over zero{}", {u, jump_before(in)}), {}));
    }
    Words jump_before(const WorkedBlock& in) const {
        if (before_)
            for (const WorkedBlock& old : before_->blocks)
                if (old.node == in.node && old.jumps)
                    return said(", from {} to {}", {Blocks::left(old), Blocks::right(old)});
        return {};
    }

    // (003:22, 23)
    void tell_choice(BlockIndex part) {
        const WorkedBlock& b = f_.block(part);
        if (b.inputs.size() < 3) return;
        const bool then = b.branch == 1;
        const Lead lead = lead_of(f_.block(b.inputs[0]).right);
        say(told(said("{} {} just after: {} of the two, {}",
                      {text(b.inputs[0]), lead_words(lead), then ? "the first" : "the second",
                       text(b.inputs[then ? 1 : 2])}),
                 {}));
    }

    void tell_piece(BlockIndex part) {
        const WorkedBlock& b = f_.block(part);
        if (b.inputs.empty()) return;
        const WorkedBlock& in = f_.block(b.inputs[0]);
        const Words u = text(b.inputs[0]);
        if (b.op == Primitive::hysteresis) {
            const bool up = b.branch == 1;
            if (b.branch == b.branch_before) return;
            return say(
                told(said("{} has {} {}", {u, up ? "risen to" : "fallen to", b.parameters[up ? 1 : 0]}), {}));
        }
        if (b.op == Primitive::floor)
            return say(told(said("{} is {} just after", {u, Blocks::right(in)}), {}));
        const bool one_threshold = b.op == Primitive::sign ||
                                   (b.parameters.size() > 1 && b.parameters[0] == 1 && b.parameters[1] == 0);
        if (one_threshold) return say(told(said("{} {} just after", {u, lead_words(lead_of(in.right))}), {}));
        say(told(said("{} is {} just after: piece {} of {}",
                      {u, Blocks::right(in), std::to_string(b.branch + 1),
                       std::to_string(b.parameters.empty() ? 0 : static_cast<int>(b.parameters[0]) + 1)}),
                 {}));
    }

    // (003:31): delta^(n) meets the derivatives of the other factor up to the n-th.
    void tell_leibniz(BlockIndex part) {
        const WorkedBlock& b = f_.block(part);
        if (b.inputs.size() != 2) return;
        for (std::size_t side = 0; side < 2; ++side) {
            const WorkedBlock& kick = f_.block(b.inputs[side]);
            for (std::size_t n = 1; n < kick.impulses.size(); ++n)
                if (kick.impulses[n] != 0)
                    tell_meeting(b.inputs[1 - side], static_cast<int>(n), kick.impulses[n]);
        }
    }
    void tell_meeting(BlockIndex factor, int n, double size) {
        met_ = true;
        const bool has_name = f_.stands_alone(f_.original(factor));
        const std::string letter = has_name ? f_.label(f_.original(factor)) : "u";
        Meeting m = meeting(letter, f_.block(factor), n);
        if (!has_name) say(told(said("{} = {}", {name("u"), f_.signal(factor)}), {}));
        say(told(said("{} meets {}", {delta(n), m.values}), {}));
        say(told("", {sum(std::move(m.symbols)), sum(std::move(m.numbers)), germ(0, m.result)}, "",
                 product({name(letter), delta(n)})));
        if (size == 1) return;
        for (double& c : m.result) c *= size;
        say(told(said("and {} times that is", {size}), {germ(0, m.result)}));
    }

    const Blocks& f_;
    bool met_ = false;  // a derivative of delta met a factor: values put in would no longer be equal
    BlockIndex index_;
    const WorkedBlock& b_;
    bool impulses_, value_;
    const WorkedSolve* before_;
    std::vector<Sentence> out_;
};

}  // namespace

std::vector<Sentence> sentences_of(const BlockFormulas& formulas, BlockIndex b, bool impulses, bool value,
                                   const WorkedSolve* before) {
    return Teller(formulas, b, impulses, value, before).tell();
}

std::vector<Sentence> choices_of(const BlockFormulas& formulas, BlockIndex b) {
    return Teller(formulas, b, true, true, nullptr).tell_choices();
}

}  // namespace deltaflow::report
