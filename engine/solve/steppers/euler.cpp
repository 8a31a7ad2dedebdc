// The paper's own discretisation (003:35): y(t) = y(t-h) + h u(t), or with h u(t-h) (its footnote 3), and
// derivatives as difference quotients.
#include "engine/compile/sampled_diagram.hpp"
#include "engine/limits.hpp"
#include "engine/solve/steppers/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace deltaflow {

namespace {

class EulerStepper final : public Stepper {
public:
    explicit EulerStepper(const FlowContext& c)
        : c_(c),
          s_(*c.system),
          sampled_(s_.d, c.settings->riemann == Riemann::left),
          program_(compile(sampled_.d, roots(), s_.degree, true)),
          now_program_(compile(s_.d, now_roots(), s_.degree, true)),
          work_(program_),
          now_work_(now_program_),
          grid_(to_double(*c.settings->step)) {
        a_.assign(s_.d.nodes.size(), 0);
        fill_constants(s_.d, a_.data(), 1);
        now_stride_ = static_cast<std::uint32_t>(now_program_.rungs(0));
        now_.assign(s_.d.nodes.size() * std::size_t{now_stride_}, 0);
        fill_constants(s_.d, now_.data(), now_stride_);
        for (Workspace* w : {&work_, &now_work_}) {
            w->guess = c.guess;
            w->active = c.active;
        }
        work_.flow = c.flow;
        end_.resize(s_.states.size());
        previous_.resize(sampled_.blocks.size());
        if (sampled_.blocks.size() == s_.states.size() && !s_.has_modes()) compile_changes();
    }

    // Matrices of loops depend on the step and on branches; an instant that leaves these alone keeps them.
    void restart() override {
        restarted_ = true;
        if (branch_ == c_.discrete->branch && !s_.has_modes()) return;
        branch_ = c_.discrete->branch;
        factored_ = NAN;
    }
    int points() const override { return 2; }
    bool checks_states() const override { return true; }

    OneStep step(double t, std::span<const double> x, double h_max) override {
        const bool whole = known_ && t == t_ + h_;  // the last step was taken whole, and a_ is its end
        x0_ = x;
        x1_ = end_;
        if (whole && restarted_ && changes_) update_inputs(t);
        const bool there = whole && (!restarted_ || changes_);  // the inputs are in a_
        if (!there) look_up_inputs(t);
        restarted_ = false;
        t_ = t;
        h_ = std::min(h_max, to_grid(t));
        solve(h_, x1_, there);
        known_ = true;
        return {h_};
    }

    // Events are located by shortening the step.
    void states(double s, std::span<double> x) override {
        if (s == h_) {
            std::copy(x1_.begin(), x1_.end(), x.begin());
        } else if (s <= limits::same_time_ulps * rounding::unit * std::max(std::abs(t_), h_)) {
            std::copy(x0_.begin(), x0_.end(), x.begin());
        } else {
            solve(s, x);
            known_ = false;
        }
    }
    // Room is exchanged: x0_ and x1_ go on to show where the step began and ended.
    void finish(double s, std::vector<double>& x) override {
        if (s != h_) states(s, end_);
        std::swap(x, end_);
    }
    // The slope is the input: a step that an event cuts short may be too short for a quotient.
    double rounding(std::size_t i, double) const override {
        const double slope = a_[sampled_.blocks[i].input];
        return rounding::unit * 4 * (std::abs(x0_[i]) + std::abs(x1_[i]) + std::abs((t_ + h_) * slope));
    }

    void archive(Archive& a) override {
        a(evaluations, work_, now_work_, changes_work_, branch_, a_, now_, end_, previous_, t_, h_, factored_,
          known_, restarted_);
    }

private:
    std::vector<Root> roots() const {
        std::vector<Root> result;
        for (const auto& block : sampled_.blocks) {
            result.push_back({block.node});
            result.push_back({block.input});
        }
        return result;
    }
    std::vector<Root> now_roots() const {
        std::vector<Root> result;
        for (const auto& block : sampled_.blocks) result.push_back({block.input});
        return result;
    }
    double to_grid(double t) const {
        const double start = c_.settings->start;
        double next = start + (std::floor((t - start) / grid_ + 1e-9) + 1) * grid_;
        if (next <= t) next += grid_;
        return next - t;
    }
    // What an instant can change of the inputs: whatever reads sources, branches, samples, delays or states
    // that jump, through algebra.
    void compile_changes() {
        std::vector<std::uint8_t> changes(s_.d.nodes.size(), 0);
        std::vector<NodeId> work;
        for (const auto* list : {&s_.schedules, &s_.branchers, &s_.sampled, &s_.delays})
            work.insert(work.end(), list->begin(), list->end());
        for (const std::uint32_t i : *c_.jumping) work.push_back(s_.states[i]);
        const Readers readers = readers_of(s_.d);
        while (!work.empty()) {
            const NodeId n = work.back();
            work.pop_back();
            if (changes[n]) continue;
            changes[n] = 1;
            for (auto r = readers.first[n]; r < readers.first[n + 1]; ++r)
                if (s_.d.nodes[readers.list[r]].op != Primitive::integrator) work.push_back(readers.list[r]);
        }
        std::vector<std::int16_t> degree(s_.degree);
        for (NodeId n = 0; n < degree.size(); ++n)
            if (!changes[n]) degree[n] = -1;  // it stays as it is
        changes_ = compile(s_.d, now_roots(), degree, true);
        changes_work_ = Workspace(*changes_);
        changes_work_.guess = c_.guess;
        changes_work_.active = c_.active;
    }
    void update_inputs(double t) {
        for (const std::uint32_t i : *c_.jumping) a_[s_.states[i]] = x0_[i];
        for (std::size_t i = 0; i < s_.delays.size(); ++i) c_.delayed(i, t, {a_.data() + s_.delays[i], 1});
        execute(*changes_, changes_work_, Frame<double>{a_.data(), 1, &s_.d, c_.discrete, t}, 0, 0);
    }
    // After an instant the inputs' last values are those of the exact flow.
    void look_up_inputs(double t) {
        for (std::size_t i = 0; i < s_.states.size(); ++i)
            now_[std::size_t{s_.states[i]} * now_stride_] = x0_[i];
        for (std::size_t i = 0; i < s_.delays.size(); ++i)
            c_.delayed(i, t, {now_.data() + std::size_t{s_.delays[i]} * now_stride_, now_stride_});
        const Frame<double> f{now_.data(), now_stride_, &s_.d, c_.discrete, t};
        execute(now_program_, now_work_, f, -now_program_.highest, 0);
        for (std::size_t i = 0; i < sampled_.blocks.size(); ++i)
            previous_[i] = now_[std::size_t{sampled_.blocks[i].input} * now_stride_];
    }
    void solve(double h, std::span<double> x, bool inputs_there = false) {
        sampled_.set_step(h);
        if (inputs_there)
            set_from_sample(h);
        else
            for (std::size_t i = 0; i < sampled_.blocks.size(); ++i)
                sampled_.set(sampled_.blocks[i], h, i < x0_.size() ? x0_[i] : 0, previous_[i]);
        for (std::size_t i = 0; i < s_.delays.size(); ++i)
            c_.delayed(i, t_ + h, {a_.data() + s_.delays[i], 1});
        const Frame<double> f{a_.data(), 1, &sampled_.d, c_.discrete, t_ + h};
        work_.same_matrices = h == factored_;
        factored_ = h;
        execute(program_, work_, f, 0, 0);
        ++evaluations;
        double zero = 0;  // unless something is not finite
        for (std::size_t i = 0; i < s_.states.size(); ++i) {
            x[i] = a_[s_.states[i]];
            zero += 0 * x[i];
        }
        if (!(zero == 0)) fail_not_finite(x);
    }
    // The last step was taken whole: states and inputs are its sample, and no other list has to be read.
    void set_from_sample(double h) {
        for (std::size_t i = 0; i < sampled_.blocks.size(); ++i) {
            const auto& block = sampled_.blocks[i];
            previous_[i] = a_[block.input];
            sampled_.set(block, h, a_[block.node], previous_[i]);
        }
    }
    [[noreturn]] void fail_not_finite(std::span<const double> x) const {
        const auto found = std::find_if(x.begin(), x.end(), [](double v) { return !std::isfinite(v); });
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = s_.states[static_cast<std::size_t>(found - x.begin())],
                         .what = "a value is no longer finite",
                         .advice = "the solution blows up, or the step is too long for it"};
    }

    FlowContext c_;
    const System& s_;
    SampledDiagram sampled_;
    Program program_, now_program_;
    Workspace work_, now_work_, changes_work_;
    std::optional<Program> changes_;  // brings the inputs in a_ up to date after an instant
    std::vector<std::int32_t> branch_;
    std::vector<double> a_, now_, end_, previous_;
    std::span<const double> x0_;  // of the last step
    std::span<double> x1_;
    std::uint32_t now_stride_ = 1;
    double grid_;
    double t_ = 0, h_ = 0, factored_ = NAN;  // factored_: the step for which loops are factored
    bool known_ = false, restarted_ = false;
};

}  // namespace

std::unique_ptr<Stepper> make_euler_stepper(const FlowContext& c) {
    return std::make_unique<EulerStepper>(c);
}

}  // namespace deltaflow
