// Taylor series while they can take long steps, and a method for stiff flow where stability would limit them.
#include "engine/solve/steppers/stepper.hpp"
#include "engine/solve/steppers/stiffness.hpp"

namespace deltaflow {

namespace {

class AutoStepper final : public Stepper {
public:
    explicit AutoStepper(const FlowContext& c)
        : c_(c),
          plain_(make_taylor_stepper(c)),
          stiffness_(c, taylor_reach(*c.system), taylor_reach(*c.system)),
          last_(plain_.get()) {
        series_ = last_->step_series();
    }

    OneStep step(double t, std::span<const double> x, double h_max) override {
        choose();
        const OneStep result = last_->step(t, x, h_max);
        ++steps_;
        stiffness_.note(t, x, result.h, h_max);
        evaluations = plain_->evaluations + (stiff_ ? stiff_->evaluations : 0);
        return result;
    }
    double confirmed(double end) override { return last_->confirmed(end); }
    void states(double s, std::span<double> x) override { last_->states(s, x); }
    void finish(double s, std::vector<double>& x) override { last_->finish(s, x); }
    void restart() override {
        plain_->restart();
        if (stiff_) stiff_->restart();
    }
    bool checks_states() const override { return last_->checks_states(); }
    int points() const override { return last_->points(); }
    double rounding(std::size_t i, double s) const override { return last_->rounding(i, s); }
    double uncertainty(std::size_t i) const override { return last_->uncertainty(i); }
    // Both have errors of their own, and taylor's are rounding.
    double drift(std::size_t i) const override { return last_->drift(i); }
    void forget_errors() override {
        if (stiff_) stiff_->forget_errors();
    }

    void archive(Archive& a) override {
        bool plain = is_plain(), stiff = stiff_ != nullptr;
        a(evaluations, *plain_, stiff, plain, stiffness_, steps_, pause_);
        if (stiff && !stiff_) make_stiff();
        if (stiff) a(*stiff_);
        go_on_with(plain ? *plain_ : *stiff_);
    }
    double looks_back_to(double t) const override { return last_->looks_back_to(t); }

private:
    void make_stiff() {
        stiff_ = c_.settings->sundials && has_cvode() ? make_cvode_stepper(c_) : make_rosenbrock4_stepper(c_);
    }
    bool is_plain() const { return last_ == plain_.get(); }
    void go_on_with(Stepper& method) {
        last_ = &method;
        series_ = method.step_series();
    }
    // Who takes the next step; what took the last one is asked about it until then.
    void choose() {
        if (is_plain() ? steps_ >= pause_ && stiffness_.limits() : steps_ >= settling && stiffness_.is_far())
            change();
    }
    // A stay among the stiff that was short did not pay: the next one has to wait longer.
    void change() {
        if (!is_plain())
            pause_ = steps_ < long_stay ? std::min(std::max(shortest_pause, 2 * pause_), longest_pause) : 0;
        if (!stiff_) make_stiff();
        go_on_with(is_plain() ? *stiff_ : *plain_);
        last_->restart();
        stiffness_.clear();
        steps_ = 0;
    }

    // So many steps a multistep method takes to reach its order.
    static constexpr std::uint64_t settling = 60;
    static constexpr std::uint64_t long_stay = 300, shortest_pause = 100, longest_pause = 100000;

    FlowContext c_;
    std::unique_ptr<Stepper> plain_, stiff_;
    Stiffness stiffness_;
    Stepper* last_;
    std::uint64_t steps_ = 0, pause_ = 0;  // by the method at hand; before the next change to the stiff one
};

}  // namespace

// A polynomial is never stiff.
std::unique_ptr<Stepper> make_automatic_stepper(const FlowContext& c) {
    if (c.system->polynomial) return make_taylor_stepper(c);
    return std::make_unique<AutoStepper>(c);
}

}  // namespace deltaflow
