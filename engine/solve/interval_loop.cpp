// Algebraic loops in intervals: Krawczyk's test.
//
// The loop is y = F(y, u) with u anywhere in its intervals. Around a point c, with C near the inverse of 1 -
// F',
//   y - c = z + R (y - c),   z = C (F(c) - c),   R = 1 - C (1 - F'(Y))
// so if |z| + |R| d < d for some d, there is a solution within c -+ d for each u, and no second one.
#include "engine/limits.hpp"
#include "engine/solve/execute.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace deltaflow {

// A block with one rung marked, in intervals.
template <>
struct SeededView<Interval> {
    using Scalar = DualOf<Interval>;
    View<Interval> view;
    const Interval* seed;

    struct Marked {
        const Interval* p;
        const Interval* seed;
        Scalar operator()(int k) const { return {p[k], Interval(p + k == seed ? 1 : 0)}; }
    };
    Marked u(int j) const { return {view.f.at(view.in[j]), seed}; }
    Marked y() const { return {view.f.at(view.id), seed}; }
    double p(int i) const { return view.par[i]; }
    int input_count() const { return view.input_count(); }
    int parameter_count() const { return view.parameter_count(); }
    int branch() const { return view.branch(); }
    double held() const { return view.held(); }
    const Piece& piece() const { return view.piece(); }
    Scalar t() const { return {view.f.t, Interval(0)}; }
};

namespace {

constexpr int most_unknowns = 64;
constexpr int most_inflations = 12;
constexpr int point_steps = 6;
constexpr double surroundings = 0x1p-40;  // of a solution, in which there is no second one

// Gauss and Jordan, with pivots from the column. False: singular.
bool invert(std::vector<double>& a, std::vector<double>& inverse, int n) {
    inverse.assign(a.size(), 0);
    for (int i = 0; i < n; ++i) inverse[i * n + i] = 1;
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i)
            if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
        const double p = a[pivot * n + k];
        if (!(std::abs(p) > 0) || !std::isfinite(p)) return false;
        for (int j = 0; j < n; ++j) {
            std::swap(a[k * n + j], a[pivot * n + j]);
            std::swap(inverse[k * n + j], inverse[pivot * n + j]);
        }
        for (int j = 0; j < n; ++j) {
            a[k * n + j] /= p;
            inverse[k * n + j] /= p;
        }
        for (int i = 0; i < n; ++i) {
            const double factor = a[i * n + k];
            if (i == k || factor == 0) continue;
            for (int j = 0; j < n; ++j) {
                a[i * n + j] -= factor * a[k * n + j];
                inverse[i * n + j] -= factor * inverse[k * n + j];
            }
        }
    }
    return true;
}

class IntervalLoop {
public:
    IntervalLoop(const Loop& loop, const Frame<Interval>& f, int stage, const Workspace& w)
        : loop_(loop), f_(f), stage_(stage), w_(w), place_(loop.members.size(), -1) {
        for (int i = 0; i < static_cast<int>(loop.members.size()); ++i) {
            if (!present(i)) continue;
            cell(i) = Interval(0);
            if (w.active && !(*w.active)[loop.members[i].node]) continue;
            place_[i] = static_cast<int>(live_.size());
            live_.push_back(i);
        }
        n_ = static_cast<int>(live_.size());
        center_.assign(n_, 0.0);
        z_.resize(n_);
        d_.resize(n_);
    }

    void solve() {
        if (n_ == 0) return;
        if (!find_center() || !enclose()) give_up();
    }

private:
    int rung(int i) const { return stage_ + loop_.members[i].offset; }
    bool present(int i) const {
        const int k = rung(i);
        return k > 0 || (k == 0 && f_.d->nodes[loop_.members[i].node].op != Primitive::integrator);
    }
    Interval& cell(int i) const { return f_.at(loop_.members[i].node)[rung(i)]; }
    Interval evaluate(int i) const {
        const NodeId n = loop_.members[i].node;
        return rung_of(f_.d->nodes[n].op, View<Interval>(f_, n), rung(i));
    }
    Interval partial(int i, int j) const {
        const NodeId n = loop_.members[i].node;
        const SeededView<Interval> view{View<Interval>(f_, n), &cell(j)};
        return rung_of(f_.d->nodes[n].op, view, rung(i)).slope;
    }

    // 1 - F' at what the cells hold.
    void differentiate() {
        slope_.assign(static_cast<std::size_t>(n_) * n_, Interval(0));
        for (int a = 0; a < n_; ++a) {
            slope_[a * n_ + a] = Interval(1);
            const int i = live_[a];
            for (auto e = loop_.first[i]; e < loop_.first[i + 1]; ++e)
                if (const int j = static_cast<int>(loop_.columns[e]), b = place_[j]; b >= 0)
                    slope_[a * n_ + b] = slope_[a * n_ + b] - partial(i, j);
        }
    }
    bool precondition() {
        differentiate();
        std::vector<double> middles(slope_.size());
        for (std::size_t e = 0; e < slope_.size(); ++e) {
            if (!slope_[e].is_known()) return false;
            middles[e] = middle(slope_[e]);
        }
        return invert(middles, inverse_, n_);
    }

    void set_cells() {
        for (int a = 0; a < n_; ++a) cell(live_[a]) = Interval(center_[a]);
    }
    // z = C (F(c) - c)
    bool defect() {
        set_cells();
        std::vector<Interval> r(n_);
        for (int a = 0; a < n_; ++a) {
            r[a] = evaluate(live_[a]) - Interval(center_[a]);
            if (!r[a].is_known()) return false;
        }
        for (int a = 0; a < n_; ++a) {
            Interval sum(0);
            for (int b = 0; b < n_; ++b) sum = sum + Interval(inverse_[a * n_ + b]) * r[b];
            if (!sum.is_known()) return false;
            z_[a] = sum;
        }
        return true;
    }

    // Newton's method on the middles, from where the series of the step says that the unknowns are.
    bool find_center() {
        bool lowest = false;
        for (int a = 0; a < n_; ++a) {
            const int i = live_[a];
            if (rung(i) != 0) continue;
            lowest = true;
            if (w_.enclosure) center_[a] = middle(w_.enclosure[loop_.members[i].node]);
        }
        const bool linear = loop_.affine || !lowest;
        for (int pass = 0; pass < (linear ? 2 : point_steps); ++pass) {
            set_cells();
            if ((pass == 0 || !linear) && !precondition()) return false;
            if (!defect()) return false;
            for (int a = 0; a < n_; ++a) center_[a] += middle(z_[a]);
        }
        set_cells();
        return (linear || precondition()) && defect();
    }

    // |R| d for unknown a, with R from the slopes at hand.
    double spread(int a) const {
        double sum = 0;
        for (int b = 0; b < n_; ++b) {
            Interval r(a == b ? 1 : 0);
            for (int c = 0; c < n_; ++c) r = r - Interval(inverse_[a * n_ + c]) * slope_[c * n_ + b];
            sum = outward::up(sum + outward::up(magnitude(r) * d_[b]));
        }
        return sum;
    }

    bool enclose() {
        // More than rounding: what two solves of one loop leave open must lie in each other's surroundings.
        for (int a = 0; a < n_; ++a)
            d_[a] = 1.1 * magnitude(z_[a]) + surroundings * std::abs(center_[a]) + outward::tiny * 0x1p60;
        std::vector<double> reach(n_);
        for (int pass = 0; pass < most_inflations; ++pass) {
            for (int a = 0; a < n_; ++a)
                cell(live_[a]) =
                    outward::known(outward::down(center_[a] - d_[a]), outward::up(center_[a] + d_[a]));
            differentiate();
            bool inside = true;
            for (int a = 0; a < n_; ++a) {
                reach[a] = spread(a);
                const double whole = outward::up(magnitude(z_[a]) + reach[a]);
                inside = inside && whole < d_[a];
                if (!std::isfinite(whole)) return false;
            }
            if (inside) return keep(reach);
            for (int a = 0; a < n_; ++a) d_[a] = 1.2 * (magnitude(z_[a]) + reach[a]) + outward::tiny * 0x1p60;
        }
        return false;
    }
    bool keep(const std::vector<double>& reach) {
        for (int a = 0; a < n_; ++a) {
            const int i = live_[a];
            if (rung(i) == 0 && w_.enclosure) w_.enclosure[loop_.members[i].node] = cell(i);
            cell(i) = Interval(center_[a]) + z_[a] + Interval(-reach[a], reach[a]);
        }
        return true;
    }
    void give_up() {
        for (const int i : live_) cell(i) = Interval::nowhere();
    }

    const Loop& loop_;
    const Frame<Interval>& f_;
    int stage_, n_ = 0;
    const Workspace& w_;
    std::vector<int> place_, live_;  // member -> unknown, and back
    std::vector<double> center_, d_, inverse_;
    std::vector<Interval> z_, slope_;
};

}  // namespace

void solve_loop(const Loop& loop, LoopState&, const Frame<Interval>& f, int stage, Workspace& w) {
    if (loop.members.size() > most_unknowns)
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = loop.members.front().node,
                         .what = fmt::format("nothing is proved of a loop of {} unknowns (at most {})",
                                             loop.members.size(), most_unknowns),
                         .advice = "run without certify"};
    IntervalLoop(loop, f, stage, w).solve();
}

}  // namespace deltaflow
