// CVODE (BDF) from SUNDIALS, where it is installed.
//
// A multistep method begins with steps of first order: right after an instant they would blur what a short
// hop or a slip that sets in with the second derivative is about. So the first step is one of Dormand and
// Prince.
#include "engine/solve/steppers/cvode_linear.hpp"
#include "engine/solve/steppers/cvode_past.hpp"
#include "engine/solve/steppers/error_scale.hpp"
#include "engine/solve/steppers/stepper.hpp"

#ifdef DELTAFLOW_CVODE

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace deltaflow {

namespace {

constexpr std::size_t most_entries = 20'000'000;
// The errors of a multistep method add up more than those of single steps: this part of the tolerance is
// asked.
constexpr double share = 0.1 * limits::local_share;
constexpr double least_local = 1e-13;  // below, its rounding counts
// A stiff model may begin with steps that are next to none, but they soon grow; before a pole they do not.
constexpr int most_tiny_steps = 1000;

class CvodeStepper final : public Stepper {
public:
    explicit CvodeStepper(const FlowContext& c)
        : c_(c),
          right_(c),
          starter_(make_dopri5_stepper(c)),
          size_(c.system->states.size()),
          scale_(*c.settings, *c.system, std::max(share, least_local / c.settings->tolerance)),
          longest_(longest_sampled_step(*c.settings)) {
        x0_.resize(size_);
        x1_.resize(size_);
        gathered_.resize(size_);
        if (size_ == 0) return;
        SUNContext_Create(nullptr, &context_);
        y_ = N_VNew_Serial(static_cast<sunindextype>(size_), context_);
        out_ = N_VNew_Serial(static_cast<sunindextype>(size_), context_);
    }
    ~CvodeStepper() override {
        if (size_ == 0) return;
        release();
        N_VDestroy(y_);
        N_VDestroy(out_);
        SUNContext_Free(&context_);
    }

    void restart() override {
        fresh_ = true;
        begun_ = false;
        starter_->restart();
    }

    OneStep step(double t, std::span<const double> x, double h_max) override {
        std::copy(x.begin(), x.end(), x0_.begin());
        t_ = t;
        if (size_ == 0) return {h_ = longest_ < h_max ? told_by_times(t, longest_) : h_max};
        scale_.show(x, t == c_.settings->start);
        starting_ = std::exchange(fresh_, false);
        if (starting_) return start(t, x, h_max);
        if (!goes_on(t, x) || past_.is_long()) begin(t, h_max);
        return go_on(t, h_max);
    }
    void states(double s, std::span<double> x) override {
        if (size_ == 0) return;
        if (s == h_) {
            std::copy(x1_.begin(), x1_.end(), x.begin());
            return;
        }
        if (starting_) return starter_->states(s, x);
        CVodeGetDky(memory_, std::clamp(own_.since + s, own_.since, own_.now), 0, out_);
        std::copy_n(N_VGetArrayPointer(out_), size_, x.begin());
    }
    double rounding(std::size_t i, double s) const override {
        if (starting_) return starter_->rounding(i, s);
        const double slope = h_ > 0 ? (x1_[i] - x0_[i]) / h_ : 0;
        return rounding::unit * 4 * (std::abs(x0_[i]) + std::abs(x1_[i]) + std::abs((t_ + h_) * slope));
    }

    double uncertainty(std::size_t i) const override {
        return scale_.in_all(i, std::max(std::abs(x0_[i]), std::abs(x1_[i])));
    }
    double drift(std::size_t i) const override {
        return std::min(uncertainty(i), starter_->drift(i) + gathered_[i]);
    }
    void forget_errors() override {
        starter_->forget_errors();
        std::fill(gathered_.begin(), gathered_.end(), 0.0);
    }

    // Its past cannot be read or written: it is gone through again, from where it began.
    void archive(Archive& a) override {
        const bool had_begun = begun_;
        const Past before = a.is_writing() ? Past() : past_;
        a(begun_, past_);
        if (!a.is_writing() && begun_ && !(had_begun && past_ == before)) repeat();
        a(*c_.guess, right_, *starter_, scale_, x0_, x1_, gathered_, t_, h_, own_.origin, own_.since,
          own_.now, tiny_steps_, fresh_, starting_, evaluations);
    }
    double looks_back_to(double t) const override { return begun_ && !fresh_ ? std::min(t, past_.t) : t; }

private:
    using Past = CvodePast;

    void archive_before(Archive& a) { a(right_, scale_, gathered_, *c_.guess); }

    // Unknowns of loops that the slopes depend on.
    template <class F>
    void for_looped(const F& f) {
        for (const Loop& loop : c_.system->derivative.loops)
            for (const auto& member : loop.members) f((*c_.guess)[member.node]);
    }

    void repeat() {
        const Past past = past_;
        Archive before(past.before);
        archive_before(before);
        x0_ = past.x;
        h_ = past.h;
        begin(past.t, past.h_max);
        auto guess = past.guesses.begin();
        x1_ = past.x;
        const double now = *c_.begin;
        for (const auto& [t, h_max] : past.steps) {
            *c_.begin = t;
            x0_ = x1_;
            for_looped([&](double& x) { x = *guess++; });
            scale_.show(x0_);
            go_on(t, h_max);
        }
        *c_.begin = now;
    }

    OneStep go_on(double t, double h_max) {
        past_.steps.emplace_back(t, h_max);
        for_looped([&](double& x) { past_.guesses.push_back(x); });
        own_.since = own_.now;
        CVodeSetStopTime(memory_, std::max(t - own_.origin + h_max, own_.since));
        realtype reached = own_.since;
        const int flag = take_step(t, h_max, reached);
        evaluations = right_.evaluations + starter_->evaluations;
        if (flag < 0 && failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        if (flag < 0) check_finite();
        const bool tiny = flag != CV_TSTOP_RETURN && !(reached - own_.since > smallest_step(*c_.settings, t));
        tiny_steps_ = tiny ? tiny_steps_ + 1 : 0;
        if (flag < 0 || tiny_steps_ > most_tiny_steps)
            throw RunFailure{.kind = ErrorKind::not_finite,
                             .node = c_.system->states.front(),
                             .what = "CVODE cannot go on",
                             .advice = "the solution has a pole or blows up here; a looser tolerance may do"};
        std::copy_n(N_VGetArrayPointer(y_), size_, x1_.begin());
        own_.now = reached;
        scale_.show(x1_);
        gather_errors();
        h_ = flag == CV_TSTOP_RETURN ? h_max : told(t, reached, h_max);
        return {h_};
    }

    double told(double t, double reached, double h_max) const {
        const double h = std::min(own_.origin + reached - t, h_max);
        return h > 0 ? h : reached - own_.since;
    }
    // Where a step is rejected again and again, it may be for the rounding of slopes: that much is then
    // allowed.
    int take_step(double t, double h_max, realtype& reached) {
        failure_ = nullptr;
        if (!noise_.empty()) right_.rounding(t, x0_, noise_);
        long before = 0, after = 0;
        CVodeGetNumErrTestFails(memory_, &before);
        const int flag = CVode(memory_, t - own_.origin + h_max, y_, &reached, CV_ONE_STEP);
        CVodeGetNumErrTestFails(memory_, &after);
        if (after - before < 2 || failure_ || !pattern_ || !noise_.empty()) return flag;
        right_.rounding(t, x0_, noise_);
        if (flag >= 0) return flag;
        std::copy(x0_.begin(), x0_.end(), N_VGetArrayPointer(y_));
        CVodeReInit(memory_, own_.since, y_);
        // Its own guess vanishes where a state is zero, as after a bounce: steps that no clock can tell from
        // none.
        CVodeSetInitStep(memory_, std::min(std::sqrt(c_.settings->tolerance) * h_max, h_));
        return CVode(memory_, t - own_.origin + h_max, y_, &reached, CV_ONE_STEP);
    }
    // What moves fast comes to rest: no further than its own rate allows.
    double moved_by_rounding(std::size_t i) const {
        realtype h = 0;
        CVodeGetCurrentStep(memory_, &h);
        return 4 * noise_[i] * h / (1 + h * std::abs(entries_[pattern_->diagonal[i]]));
    }

    // From the very end of the last step, but for the rounding of t + h.
    bool goes_on(double t, std::span<const double> x) const {
        return begun_ && std::abs(t - (own_.origin + own_.now)) <= 4 * rounding::unit * std::abs(t) &&
               std::equal(x.begin(), x.end(), x1_.begin());
    }
    OneStep start(double t, std::span<const double> x, double h_max) {
        begun_ = false;
        h_ = starter_->step(t, x, h_max).h;
        starter_->states(h_, x1_);
        evaluations = right_.evaluations + starter_->evaluations;
        return {h_};
    }
    void gather_errors() {
        CVodeGetEstLocalErrors(memory_, out_);
        const double* errors = N_VGetArrayPointer(out_);
        for (std::size_t i = 0; i < size_; ++i) gathered_[i] += limits::error_estimates * std::abs(errors[i]);
    }
    static int call(realtype since, N_Vector y, N_Vector dydt, void* self_pointer) {
        auto& self = *static_cast<CvodeStepper*>(self_pointer);
        const int flag = self.guarded([&] {
            self.right_(self.own_.origin + since, {N_VGetArrayPointer(y), self.size_},
                        {N_VGetArrayPointer(dydt), self.size_});
        });
        double finite = 0;  // if nothing is not
        const double* slopes = N_VGetArrayPointer(dydt);
        for (std::size_t i = 0; i < self.size_; ++i) finite += 0 * slopes[i];
        self.overflowed_ = flag == 0 && finite != 0;
        return self.overflowed_ ? 1 : flag;
    }
    static int weigh(N_Vector y, N_Vector weight, void* self_pointer) {
        const auto& self = *static_cast<CvodeStepper*>(self_pointer);
        const double* states = N_VGetArrayPointer(y);
        double* weights = N_VGetArrayPointer(weight);
        for (std::size_t i = 0; i < self.size_; ++i) {
            const double allowed = self.scale_.of(i, std::abs(states[i]));
            weights[i] = 1 / (self.noise_.empty() ? allowed : allowed + self.moved_by_rounding(i));
        }
        return 0;
    }
    // What cannot be made finite by shorter steps is not.
    void check_finite() const {
        if (overflowed_)
            throw RunFailure{.kind = ErrorKind::not_finite,
                             .node = c_.system->states.front(),
                             .what = "a value is no longer finite",
                             .advice = "the solution has a pole or blows up here"};
    }
    static int call_jacobian(realtype since, N_Vector y, N_Vector, SUNMatrix j, void* self_pointer, N_Vector,
                             N_Vector, N_Vector) {
        auto& self = *static_cast<CvodeStepper*>(self_pointer);
        return self.guarded([&] {
            self.right_.jacobian(self.own_.origin + since, {N_VGetArrayPointer(y), self.size_},
                                 *self.pattern_, self.entries_);
            fill_matrix(*self.pattern_, self.entries_, j);
        });
    }
    // Exceptions must not pass through C code. What cannot be evaluated may be a step too long: it is tried
    // again with a shorter one.
    template <class F>
    int guarded(F f) {
        try {
            f();
            return 0;
        } catch (const RunFailure&) {
            failure_ = std::current_exception();
            return 1;
        } catch (...) {
            failure_ = std::current_exception();
            return -1;
        }
    }

    void release() {
        if (memory_) CVodeFree(&memory_);
        memory_ = nullptr;
        linear_.release();
    }

    void begin(double t, double h_max) {
        std::copy(x0_.begin(), x0_.end(), N_VGetArrayPointer(y_));
        begun_ = true;
        noise_.clear();
        Archive before;
        archive_before(before);
        past_ = {t, h_max, h_, x0_, before.take(), {}, {}};
        own_.origin = t;
        own_.now = own_.since = 0;
        if (memory_)
            CVodeReInit(memory_, 0, y_);
        else
            create();
        // Its own guess vanishes where a state is zero, as after a bounce: steps that no clock can tell from
        // none.
        CVodeSetInitStep(memory_, std::min(std::sqrt(c_.settings->tolerance) * h_max, h_));
    }

    void create() {
        memory_ = CVodeCreate(CV_BDF, context_);
        CVodeInit(memory_, call, 0, y_);
        CVodeWFtolerances(memory_, weigh);
        CVodeSetMaxStep(memory_, longest_);
        CVodeSetUserData(memory_, this);
        CVodeSetMaxNumSteps(memory_, -1);
        // In a stiff model the first step may be too long by many powers of ten.
        CVodeSetMaxErrTestFails(memory_, 30);
        CVodeSetErrFile(memory_, nullptr);
        if (!pattern_) pattern_ = sparsity_of(*c_.system, most_entries);
        if (pattern_) entries_.resize(pattern_->entries());
        linear_.make(y_, pattern_ ? &*pattern_ : nullptr, size_, context_);
        CVodeSetLinearSolver(memory_, linear_.solver, linear_.matrix);
        if (linear_.matrix) CVodeSetJacFn(memory_, call_jacobian);
    }

    FlowContext c_;
    RightSide right_;
    std::unique_ptr<Stepper> starter_;
    std::size_t size_;
    ErrorScale scale_;
    double longest_;
    std::optional<Sparsity> pattern_;  // of the Jacobian ...
    std::vector<double> entries_;      // ... and its entries
    std::vector<double> x0_, x1_;
    std::vector<double> noise_;     // how far rounding moves slopes, where that has mattered; else empty
    std::vector<double> gathered_;  // what errors of its own may have come to since they were forgotten
    SUNContext context_ = nullptr;
    void* memory_ = nullptr;
    CvodeLinear linear_;
    N_Vector y_ = nullptr, out_ = nullptr;
    double t_ = 0, h_ = 0;
    // CVODE counts its time from where it began: late in a run the rounding of each step would add up.
    struct OwnTime {
        double origin = 0;
        double since = 0, now = 0;  // the last step, in its time
    } own_;
    Past past_;
    int tiny_steps_ = 0;       // one after the other
    bool fresh_ = true;        // nothing of the past holds any more
    bool starting_ = false;    // the last step is the starter's
    bool begun_ = false;       // CVODE has a past
    bool overflowed_ = false;  // the last evaluation
    std::exception_ptr failure_;
};

}  // namespace

std::unique_ptr<Stepper> make_cvode_stepper(const FlowContext& c) {
    return std::make_unique<CvodeStepper>(c);
}
bool has_cvode() { return true; }

}  // namespace deltaflow

#else

namespace deltaflow {
std::unique_ptr<Stepper> make_cvode_stepper(const FlowContext&) { return nullptr; }
bool has_cvode() { return false; }
}  // namespace deltaflow

#endif
