// Samples against samples, jumps against jumps, impulses against impulses.
#include "tests/campaign/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow::campaign {

namespace {

// A signal that is small beside the others of the model may be what is left of a difference of them.
constexpr double smallest_share = 1e-3;
constexpr double smallest_size = 1e-290;

class Comparison {
public:
    Comparison(const Outcome& a, const Outcome& b, double window)
        : a_(a), b_(b), span_(std::min(a.stop, b.stop) - a.start), window_(window * span_) {
        for (std::size_t i = 0; i < a.samples.size(); ++i) largest_ = std::max(largest_, own_size(i));
    }

    Deviation measure() {
        if (a_.samples.size() != b_.samples.size()) return {0, 0, true, "different signals"};
        for (signal_ = 0; signal_ < a_.samples.size(); ++signal_) {
            size_ = std::max({own_size(signal_), smallest_share * largest_, smallest_size});
            find_largest_impulses();
            measure_samples();
            measure_happenings();
        }
        return worst_;
    }

private:
    double own_size(std::size_t signal) const {
        double size = 0;
        const auto add = [&](double x) {
            if (std::isfinite(x)) size = std::max(size, std::abs(x));
        };
        for (const double x : a_.samples[signal]) add(x);
        for (const Happening& h : a_.happenings[signal]) {
            add(h.left);
            add(h.right);
        }
        return size;
    }

    bool near_happening(const Outcome& o, double t) const {
        for (const auto& list : o.happenings)
            for (const Happening& h : list)
                if (std::abs(h.t - t) <= window_) return true;
        return false;
    }

    void note_value(double x, double y, double size, double t, const char* what) {
        if (x == y) return;
        const double apart = std::abs(x - y) / size;
        if (!std::isfinite(apart)) return note_structure(fmt::format("{} is {} or {}", what, x, y), t);
        if (apart <= worst_.value) return;
        worst_.value = apart;
        if (!worst_.structure)
            worst_.where = fmt::format("signal {} at t = {}: {} {:.17g} or {:.17g}", signal_, t, what, x, y);
    }
    void note_structure(const std::string& what, double t) {
        if (worst_.structure) return;
        worst_.structure = true;
        worst_.where = fmt::format("signal {} at t = {}: {}", signal_, t, what);
    }

    // Samples at equal times; one list may have fewer of them.
    void measure_samples() {
        std::size_t j = 0;
        for (std::size_t i = 0; i < a_.t.size() && j < b_.t.size(); ++i) {
            const double t = a_.t[i];
            const double shifted = t - a_.start + b_.start;  // the run may have been moved
            while (j < b_.t.size() && b_.t[j] < shifted - 1e-9 * span_) ++j;
            if (j == b_.t.size() || b_.t[j] > shifted + 1e-9 * span_) continue;
            if (std::max(t - a_.start, b_.t[j] - b_.start) > reach()) break;
            if (near_happening(a_, t) || near_happening(b_, b_.t[j])) continue;
            note_value(a_.samples[signal_][i], b_.samples[signal_][j], size_, t, "value");
        }
    }
    // Where both were still running, with a distance from the end if they ended early.
    double reach() const {
        const double a = a_.end - a_.start, b = b_.end - b_.start;
        return a_.code == 0 && b_.code == 0 ? std::min(a, b)
                                            : std::min(a, b) - std::max(window_, 1e-3 * span_);
    }

    // Happenings closer than the window are one.
    std::vector<Happening> clusters(const Outcome& o) const {
        std::vector<Happening> list;
        for (const Happening& h : o.happenings[signal_]) {
            const double t = h.t - o.start;
            if (list.empty() || t - list.back().t > window_) {
                list.push_back(h);
                list.back().t = t;
                continue;
            }
            list.back().right = h.right;
            list.back().impulses.resize(std::max(list.back().impulses.size(), h.impulses.size()));
            for (std::size_t i = 0; i < h.impulses.size(); ++i) list.back().impulses[i] += h.impulses[i];
        }
        return list;
    }

    double impulse_size(const Happening& g, const Happening& h, std::size_t order) const {
        double size = size_;
        for (std::size_t i = 0; i <= order; ++i) size *= span_;
        size *= smallest_share;
        for (const Happening* x : {&g, &h})
            for (std::size_t i = 0; i < x->impulses.size(); ++i) {
                double unit = std::abs(x->impulses[i]);  // a higher order may be left of what cancelled
                for (std::size_t k = i; k < order; ++k) unit *= span_;
                for (std::size_t k = order; k < i; ++k) unit /= span_;
                size = std::max(size, i == order ? unit : smallest_share * unit);
            }
        if (order < largest_impulse_.size()) size = std::max(size, largest_impulse_[order]);
        return std::max(size, smallest_size);
    }
    // Impulses, too, are measured by what the signal has shown.
    void find_largest_impulses() {
        largest_impulse_.clear();
        for (const Happening& h : a_.happenings[signal_]) {
            largest_impulse_.resize(std::max(largest_impulse_.size(), h.impulses.size()), 0);
            for (std::size_t i = 0; i < h.impulses.size(); ++i)
                if (std::isfinite(h.impulses[i]))
                    largest_impulse_[i] = std::max(largest_impulse_[i], std::abs(h.impulses[i]));
        }
    }

    bool is_significant(const Happening& h) const {
        if (!(std::abs(h.right - h.left) <= 1e-5 * size_)) return true;
        for (std::size_t i = 0; i < h.impulses.size(); ++i) {
            double unit = size_;
            for (std::size_t k = 0; k <= i; ++k) unit *= span_;
            if (!(std::abs(h.impulses[i]) <= 1e-5 * unit)) return true;
        }
        return false;
    }

    // A happening that only one of them has: at the very end it may have come too late for the other.
    void alone(const Happening& h, const char* which) {
        if (!is_significant(h) || h.t >= reach() - window_) return;
        note_structure(fmt::format("only {} goes from {} to {} with {} impulses", which, h.left, h.right,
                                   h.impulses.size()),
                       h.t + a_.start);
    }

    void measure_pair(const Happening& g, const Happening& h) {
        worst_.time = std::max(worst_.time, std::abs(g.t - h.t) / span_);
        note_value(g.left, h.left, size_, g.t + a_.start, "left limit");
        note_value(g.right, h.right, size_, g.t + a_.start, "right limit");
        for (std::size_t i = 0; i < std::max(g.impulses.size(), h.impulses.size()); ++i) {
            const double x = i < g.impulses.size() ? g.impulses[i] : 0;
            const double y = i < h.impulses.size() ? h.impulses[i] : 0;
            note_value(x, y, impulse_size(g, h, i), g.t + a_.start, "impulse");
        }
    }

    void measure_happenings() {
        const std::vector<Happening> as = clusters(a_), bs = clusters(b_);
        std::size_t i = 0, j = 0;
        while (i < as.size() || j < bs.size()) {
            if (j == bs.size() || (i < as.size() && as[i].t < bs[j].t - window_))
                alone(as[i++], "the first");
            else if (i == as.size() || bs[j].t < as[i].t - window_)
                alone(bs[j++], "the second");
            else if (as[i].t >= reach() - window_ && a_.code + b_.code != 0)
                return;
            else
                measure_pair(as[i++], bs[j++]);
        }
    }

    const Outcome &a_, &b_;
    double span_, window_, largest_ = 0, size_ = 1;
    std::size_t signal_ = 0;
    std::vector<double> largest_impulse_;  // of the signal, by order
    Deviation worst_;
};

}  // namespace

Deviation deviation(const Outcome& a, const Outcome& b, double window) {
    return Comparison(a, b, window).measure();
}

}  // namespace deltaflow::campaign
