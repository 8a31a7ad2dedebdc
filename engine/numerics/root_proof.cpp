// Subdivision in Bernstein form, with the rounding of every coefficient in the balance.
#include "engine/numerics/root_proof.hpp"

#include "engine/limits.hpp"
#include "engine/numerics/roots.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

constexpr double unit = 0x1p-53;
constexpr int deepest = 48;

// A part of the step, as parts of h; `noise` bounds the rounding of its coefficients.
struct Part {
    Bernstein p;
    double lo, hi, noise;

    double largest() const {
        double m = 0;
        for (int i = 0; i <= p.degree; ++i) m = std::max(m, std::abs(p.b[i]));
        return m;
    }
};

class Prover {
public:
    Prover(const EnclosedSignal& g, int sign) : g_(g), sign_(sign) {}

    RootProof run() {
        Part whole{bernstein_from_taylor(g_.c, g_.h), 0, 1, 0};
        // Powers, binomials and n sums of terms that add up to sum |c_k| h^k at most.
        double sum = 0, power = 1;
        for (const double c : g_.c) {
            sum += std::abs(c) * power;
            power *= g_.h;
        }
        whole.noise = 16 * unit * static_cast<double>(g_.c.size() + 1) * sum;
        walk(whole, 0);
        if (run_ && !result_.undecided) {
            if (run_->mixed)
                result_.undecided = g_.h * run_->doubt;
            else
                result_.open_from = g_.h * run_->from;
        }
        return std::move(result_);
    }

private:
    // What lies behind the last place at which the sign is known.
    struct Run {
        double from;
        int direction;
        bool mixed = false;
        double doubt = 0;
    };

    int decided(double b, double noise) const { return std::abs(b) > noise + g_.error ? sign_of(b) : 0; }

    // The common sign of all coefficients, or 0.
    int sign_on(const Part& part) const {
        const int s = decided(part.p.b[0], part.noise);
        for (int i = 1; i <= part.p.degree && s != 0; ++i)
            if (decided(part.p.b[i], part.noise) != s) return 0;
        return s;
    }
    // The sign of the derivative, or 0: n (b_{i+1} - b_i) are its coefficients.
    int direction_on(const Part& part) const {
        const int n = part.p.degree;
        if (n == 0) return 0;
        const double slack =
            2 * part.noise * n + g_.slope_error * g_.h * (part.hi - part.lo) + 4 * unit * n * part.largest();
        int direction = 0;
        for (int i = 0; i < n; ++i) {
            const double slope = n * (part.p.b[i + 1] - part.p.b[i]);
            const int s = std::abs(slope) > slack ? sign_of(slope) : 0;
            if (s == 0 || (direction != 0 && s != direction)) return 0;
            direction = s;
        }
        return direction;
    }

    void walk(const Part& part, int depth) {
        if (result_.undecided) return;
        if (const int s = sign_on(part)) {
            meet(part.lo, s);
            sign_ = s;
            return;
        }
        if (const int d = direction_on(part)) return monotone(part, d);
        const double largest = part.largest();
        if (depth >= deepest || largest <= 2 * (part.noise + g_.error)) return doubt(part);
        Part left{{}, part.lo, 0.5 * (part.lo + part.hi), part.noise + unit * part.p.degree * largest};
        Part right{{}, left.hi, part.hi, left.noise};
        halve(part.p, left.p, right.p);
        walk(left, depth + 1);
        walk(right, depth + 1);
    }

    void monotone(const Part& part, int direction) {
        if (const int s = decided(part.p.b[0], part.noise)) meet(part.lo, s);
        if (result_.undecided) return;
        if (!run_) run_ = Run{part.lo, direction};
        if (run_->direction != direction) {
            run_->mixed = true;
            run_->doubt = part.lo;
        }
        if (const int s = decided(part.p.b[part.p.degree], part.noise)) meet(part.hi, s);
    }

    void doubt(const Part& part) {
        if (!run_) run_ = Run{part.lo, 0};
        run_->mixed = true;
        run_->doubt = 0.5 * (part.lo + part.hi);
    }

    // At `at` the signal surely has this sign.
    void meet(double at, int sign) {
        if (!run_) {
            if (sign != sign_) result_.undecided = g_.h * at;
            return;
        }
        if (run_->mixed || (sign != sign_ && run_->direction != sign)) {
            result_.undecided = g_.h * (run_->mixed ? run_->doubt : at);
            return;
        }
        if (sign != sign_) result_.roots.push_back({g_.h * run_->from, g_.h * at, sign});
        sign_ = sign;
        run_.reset();
    }

    const EnclosedSignal& g_;
    int sign_;
    std::optional<Run> run_;
    RootProof result_;
};

}  // namespace

RootProof prove_roots(const EnclosedSignal& g, int sign) { return Prover(g, sign).run(); }

}  // namespace deltaflow
