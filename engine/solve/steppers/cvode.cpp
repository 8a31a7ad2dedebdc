// CVODE (BDF) from SUNDIALS, where it is installed.
//
// A multistep method begins with steps of first order: right after an instant they would blur what a short
// hop or a slip that sets in with the second derivative is about. So the first step is one of Dormand and
// Prince.
#include "engine/solve/steppers/cvode_past.hpp"
#include "engine/solve/steppers/error_scale.hpp"
#include "engine/solve/steppers/stepper.hpp"

#ifdef DELTAFLOW_CVODE

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#ifdef DELTAFLOW_KLU
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace deltaflow {

namespace {

constexpr std::size_t largest_dense = 400;   // above, a Krylov solver is cheaper than n^3
constexpr std::size_t smallest_sparse = 40;  // below, dense elimination is as fast
constexpr std::size_t fill = 8;              // so many times fewer entries are worth a sparse matrix
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
          scale_(*c.settings, size_, std::max(share, least_local / c.settings->tolerance)),
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
        slope_rounding_.clear();
        starter_->restart();
    }

    OneStep step(double t, std::span<const double> x, double h_max) override {
        std::copy(x.begin(), x.end(), x0_.begin());
        t_ = t;
        if (size_ == 0) return {h_ = std::min(h_max, longest_)};
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
        CVodeGetDky(memory_, std::clamp(t_ + s, t_, now_), 0, out_);
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
        const CvodePast before = a.is_writing() ? CvodePast() : past_;
        a(begun_, past_);
        if (!a.is_writing() && begun_ && !(had_begun && past_ == before)) repeat();
        a(*c_.guess, right_, *starter_, scale_, x0_, x1_, gathered_, slope_rounding_, t_, h_, now_,
          tiny_steps_, fresh_, starting_, evaluations);
    }
    double looks_back_to(double t) const override { return begun_ && !fresh_ ? std::min(t, past_.t) : t; }

private:
    void archive_before(Archive& a) { a(right_, scale_, gathered_, slope_rounding_, *c_.guess); }

    // Unknowns of loops that the slopes depend on.
    template <class F>
    void for_looped(const F& f) {
        for (const Loop& loop : c_.system->derivative.loops)
            for (const auto& member : loop.members) f((*c_.guess)[member.node]);
    }

    void repeat() {
        const CvodePast past = past_;
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
        CVodeSetStopTime(memory_, t + h_max);
        if (!slope_rounding_.empty()) right_.rounding(t, x0_, slope_rounding_);
        realtype reached = t;
        failure_ = nullptr;
        const int flag = CVode(memory_, t + h_max, y_, &reached, CV_ONE_STEP);
        evaluations = right_.evaluations + starter_->evaluations;
        if (flag < 0 && failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        if (flag == CV_ERR_FAILURE && slope_rounding_.empty()) return allow_rounding(t, h_max);
        if (flag < 0 && overflowed_) fail("a value is no longer finite");  // shorter steps do not help
        const bool tiny = flag != CV_TSTOP_RETURN && !(reached - t > smallest_step(*c_.settings, t));
        tiny_steps_ = tiny ? tiny_steps_ + 1 : 0;
        if (flag < 0 || tiny_steps_ > most_tiny_steps) fail("CVODE cannot go on");
        std::copy_n(N_VGetArrayPointer(y_), size_, x1_.begin());
        now_ = reached;
        scale_.show(x1_);
        gather_errors();
        h_ = flag == CV_TSTOP_RETURN ? h_max : reached - t;
        return {h_};
    }

    // Where shorter steps do not help, the error may be the rounding of the slopes: it is allowed from there
    // on.
    OneStep allow_rounding(double t, double h_max) {
        slope_rounding_.assign(size_, 0);
        begin(t, h_max);
        return go_on(t, h_max);
    }

    // From the very end of the last step, but for the rounding of t + h.
    bool goes_on(double t, std::span<const double> x) const {
        return begun_ && std::abs(t - now_) <= 4 * rounding::unit * std::abs(now_) &&
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
        for (std::size_t i = 0; i < size_; ++i)
            gathered_[i] += limits::error_estimates * std::abs(N_VGetArrayPointer(out_)[i]);
    }
    static int call(realtype t, N_Vector y, N_Vector dydt, void* self_pointer) {
        auto& self = *static_cast<CvodeStepper*>(self_pointer);
        const int flag = self.guarded([&] {
            self.right_(t, {N_VGetArrayPointer(y), self.size_}, {N_VGetArrayPointer(dydt), self.size_});
        });
        double finite = 0;  // if nothing is not
        for (std::size_t i = 0; i < self.size_; ++i) finite += 0 * N_VGetArrayPointer(dydt)[i];
        self.overflowed_ = flag == 0 && finite != 0;
        return self.overflowed_ ? 1 : flag;
    }
    static int weigh(N_Vector y, N_Vector weight, void* self_pointer) {
        const auto& self = *static_cast<CvodeStepper*>(self_pointer);
        realtype h = 0;
        if (!self.slope_rounding_.empty()) CVodeGetCurrentStep(self.memory_, &h);
        if (h == 0) h = self.h_;  // it begins
        for (std::size_t i = 0; i < self.size_; ++i) {
            const double moved = self.slope_rounding_.empty() ? 0 : 4 * h * self.slope_rounding_[i];
            N_VGetArrayPointer(weight)[i] =
                1 / (self.scale_.of(i, std::abs(N_VGetArrayPointer(y)[i])) + moved);
        }
        return 0;
    }
    [[noreturn]] void fail(const char* what) const {
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = c_.system->states.front(),
                         .what = what,
                         .advice = "the solution has a pole or blows up here"};
    }
    static int call_jacobian(realtype t, N_Vector y, N_Vector, SUNMatrix j, void* self_pointer, N_Vector,
                             N_Vector, N_Vector) {
        auto& self = *static_cast<CvodeStepper*>(self_pointer);
        return self.guarded([&] {
            self.right_.jacobian(t, {N_VGetArrayPointer(y), self.size_}, *self.pattern_, self.entries_);
            self.fill_in(j);
        });
    }
    void fill_in(SUNMatrix j) const {
        const Sparsity& p = *pattern_;
#ifdef DELTAFLOW_KLU
        if (SUNMatGetID(j) == SUNMATRIX_SPARSE) {
            std::copy(p.first.begin(), p.first.end(), SM_INDEXPTRS_S(j));
            std::copy(p.rows.begin(), p.rows.end(), SM_INDEXVALS_S(j));
            std::copy(entries_.begin(), entries_.end(), SM_DATA_S(j));
            return;
        }
#endif
        for (std::size_t c = 0; c < size_; ++c)
            for (std::uint32_t e = p.first[c]; e < p.first[c + 1]; ++e)
                SM_COLUMN_D(j, static_cast<sunindextype>(c))[p.rows[e]] = entries_[e];
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
        if (solver_) SUNLinSolFree(solver_);
        if (matrix_) SUNMatDestroy(matrix_);
        memory_ = nullptr;
        solver_ = nullptr;
        matrix_ = nullptr;
    }

    void begin(double t, double h_max) {
        std::copy(x0_.begin(), x0_.end(), N_VGetArrayPointer(y_));
        begun_ = true;
        Archive before;
        archive_before(before);
        past_ = {t, h_max, h_, x0_, before.take(), {}, {}};
        if (memory_)
            CVodeReInit(memory_, t, y_);
        else
            create(t);
        // Its own guess vanishes where a state is zero, as after a bounce: steps that no clock can tell from
        // none.
        CVodeSetInitStep(memory_, std::min(std::sqrt(c_.settings->tolerance) * h_max, h_));
    }

    void create(double t) {
        memory_ = CVodeCreate(CV_BDF, context_);
        CVodeInit(memory_, call, t, y_);
        CVodeWFtolerances(memory_, weigh);
        CVodeSetMaxStep(memory_, longest_);
        CVodeSetUserData(memory_, this);
        CVodeSetMaxNumSteps(memory_, -1);
        // In a stiff model the first step may be too long by many powers of ten.
        CVodeSetMaxErrTestFails(memory_, 30);
        CVodeSetErrFile(memory_, nullptr);
        if (!pattern_) pattern_ = sparsity_of(*c_.system, most_entries);
        make_solver();
        CVodeSetLinearSolver(memory_, solver_, matrix_);
        if (matrix_) CVodeSetJacFn(memory_, call_jacobian);
    }

    void make_solver() {
        const auto n = static_cast<sunindextype>(size_);
        if (pattern_) entries_.resize(pattern_->entries());
#ifdef DELTAFLOW_KLU
        if (pattern_ && size_ >= smallest_sparse && fill * entries_.size() <= size_ * size_) {
            matrix_ = SUNSparseMatrix(n, n, static_cast<sunindextype>(entries_.size()), CSC_MAT, context_);
            solver_ = SUNLinSol_KLU(y_, matrix_, context_);
            return;
        }
#endif
        if (pattern_ && size_ <= largest_dense) {
            matrix_ = SUNDenseMatrix(n, n, context_);
            solver_ = SUNLinSol_Dense(y_, matrix_, context_);
        } else {
            solver_ = SUNLinSol_SPGMR(y_, SUN_PREC_NONE, 0, context_);
        }
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
    std::vector<double> gathered_;        // what errors of its own may have come to since they were forgotten
    std::vector<double> slope_rounding_;  // where it counts
    SUNContext context_ = nullptr;
    void* memory_ = nullptr;
    SUNMatrix matrix_ = nullptr;
    SUNLinearSolver solver_ = nullptr;
    N_Vector y_ = nullptr, out_ = nullptr;
    double t_ = 0, h_ = 0, now_ = 0;
    CvodePast past_;
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
