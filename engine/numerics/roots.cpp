// Subdivision in Bernstein form, then TOMS 748.
#include "engine/numerics/roots.hpp"

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>

namespace deltaflow {

Bernstein bernstein_from_taylor(std::span<const double> c, double h) {
    Bernstein p;
    int n = static_cast<int>(c.size()) - 1;
    while (n > 0 && c[n] == 0) --n;
    p.degree = n;
    // b_i = sum_{k<=i} C(i,k)/C(n,k) c_k h^k, as repeated sums of scaled coefficients.
    double power = 1, binomial = 1;
    for (int k = 0; k <= n; ++k) {
        p.b[k] = c[k] * power / binomial;
        power *= h;
        binomial = binomial * (n - k) / (k + 1);
    }
    for (int j = 1; j <= n; ++j)
        for (int i = n; i >= j; --i) p.b[i] += p.b[i - 1];
    return p;
}

void taylor_from_bernstein(const Bernstein& p, std::span<double> c) {
    std::array<double, highest_degree + 1> b;
    std::copy_n(p.b.begin(), p.degree + 1, b.begin());
    double binomial = 1;
    for (int j = 1; j <= p.degree; ++j)
        for (int i = p.degree; i >= j; --i) b[i] -= b[i - 1];
    for (int k = 0; k <= p.degree && k < static_cast<int>(c.size()); ++k) {
        c[k] = b[k] * binomial;
        binomial = binomial * (p.degree - k) / (k + 1);
    }
}

Bernstein bernstein_from_values(std::span<const double> values) {
    const int n = static_cast<int>(values.size());
    // Newton's divided differences, then Horner in the Bernstein basis (multiply by s - x and add).
    std::array<double, highest_degree + 1> d{}, x{};
    for (int i = 0; i < n; ++i) {
        d[i] = values[i];
        x[i] = chebyshev_point(i, n);
    }
    for (int j = 1; j < n; ++j)
        for (int i = n - 1; i >= j; --i) d[i] = (d[i] - d[i - 1]) / (x[i] - x[i - j]);
    Bernstein p;
    p.b[0] = d[n - 1];
    for (int j = n - 2; j >= 0; --j) {
        const int m = p.degree + 1;  // degree after multiplication
        std::array<double, highest_degree + 1> next;
        std::fill_n(next.begin(), m + 1, 0.0);
        // (s - x) = -x (1-s) + (1-x) s
        for (int i = 0; i <= p.degree; ++i) {
            next[i] += -x[j] * p.b[i] * (m - i) / m;
            next[i + 1] += (1 - x[j]) * p.b[i] * (i + 1) / m;
        }
        for (int i = 0; i <= m; ++i) next[i] += d[j];
        std::copy_n(next.begin(), m + 1, p.b.begin());
        p.degree = m;
    }
    return p;
}

double evaluate_bernstein(const Bernstein& p, double s) {
    std::array<double, highest_degree + 1> b;
    std::copy_n(p.b.begin(), p.degree + 1, b.begin());
    for (int j = p.degree; j > 0; --j)
        for (int i = 0; i < j; ++i) b[i] = (1 - s) * b[i] + s * b[i + 1];
    return b[0];
}

// de Casteljau: the last coefficient of each round.
Bernstein right_part(const Bernstein& p, double s) {
    Bernstein right;
    right.degree = p.degree;
    std::array<double, highest_degree + 1> b;
    std::copy_n(p.b.begin(), p.degree + 1, b.begin());
    for (int j = 0; j <= p.degree; ++j) {
        right.b[p.degree - j] = b[p.degree - j];
        for (int i = 0; i < p.degree - j; ++i) b[i] = (1 - s) * b[i] + s * b[i + 1];
    }
    return right;
}

// de Casteljau at the middle.
void halve(const Bernstein& p, Bernstein& left, Bernstein& right) {
    std::array<double, highest_degree + 1> b;
    std::copy_n(p.b.begin(), p.degree + 1, b.begin());
    left.degree = right.degree = p.degree;
    for (int j = 0; j <= p.degree; ++j) {
        left.b[j] = b[0];
        right.b[p.degree - j] = b[p.degree - j];
        for (int i = 0; i < p.degree - j; ++i) b[i] = 0.5 * (b[i] + b[i + 1]);
    }
}

double derivative_at(std::span<const double> c, double x, int m) {
    double sum = 0, binomial = 1;
    const int n = static_cast<int>(c.size()) - 1;
    for (int k = m + 1; k <= n; ++k) binomial = binomial * k / (k - m);
    for (int k = n; k >= m; --k) {
        sum = sum * x + binomial * c[k];
        binomial = binomial * (k - m) / std::max(k, 1);
    }
    return sum;
}

double rounding_at(std::span<const double> c, double x) {
    double sum = 0;
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * std::abs(x) + std::abs(c[k]);
    return std::numeric_limits<double>::epsilon() * sum;
}

double polish_root(std::span<const double> c, double x, double carried) {
    const double noise = rounding_at(c, x) + carried;
    const int degree = static_cast<int>(c.size()) - 1;
    // Well-conditioned roots are left alone.
    if (std::abs(slope_at(c, x)) * std::abs(x) * 1e-11 > noise) return x;
    double best = x;
    for (int m = 2; m <= std::min(degree, 5); ++m) {
        double r = x;
        for (int i = 0; i < 20; ++i) {
            const double slope = m * derivative_at(c, r, m);
            if (slope == 0) break;
            const double step = derivative_at(c, r, m - 1) / slope;
            r -= step;
            if (std::abs(step) <= 1e-16 * std::abs(r)) break;
        }
        if (std::isfinite(r) && std::abs(r - x) < 1e-2 * std::abs(x) &&
            std::abs(derivative_at(c, r, 0)) <= 4 * (rounding_at(c, r) + carried))
            best = r;
    }
    return best;
}

namespace {

// Roots that are this near to each other, 2^-30 of the step, count as one.
constexpr int deepest_collected = 30;
// An extreme that comes no nearer to zero than this part of the polynomial's size touches nothing.
constexpr double near_touch = 1e-3;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Variation {
    int count = 0;
    bool all_zero = true;
};

Variation variations(const Bernstein& p) {
    Variation v;
    int last = 0;
    for (int i = 0; i <= p.degree; ++i) {
        const int s = sign_of(p.b[i]);
        if (s == 0) continue;
        v.all_zero = false;
        if (last != 0 && s != last) ++v.count;
        last = s;
    }
    return v;
}

// Changes of sign of a polynomial on [0, 1], none of them special.
struct Collector {
    std::span<const double> c;
    double h;
    std::vector<double>& roots;

    double value(double s) const { return derivative_at(c, s * h, 0); }

    void walk(const Bernstein& p, double lo, double hi, int depth) {
        const Variation v = variations(p);
        if (v.count == 0) return;
        if (v.count == 1 && sign_of(p.b[0]) * sign_of(p.b[p.degree]) < 0) return cross(lo, hi);
        if (depth > deepest_collected) return add(0.5 * (lo + hi));
        Bernstein left, right;
        halve(p, left, right);
        const double middle = 0.5 * (lo + hi);
        if (left.b[p.degree] == 0) add(middle);
        walk(left, lo, middle, depth + 1);
        walk(right, middle, hi, depth + 1);
    }
    void cross(double lo, double hi) {
        const double flo = value(lo), fhi = value(hi);
        if (sign_of(flo) * sign_of(fhi) >= 0) return add(flo == 0 ? lo : hi);
        std::uintmax_t iterations = 100;
        const auto [a, b] = boost::math::tools::toms748_solve(
            [&](double s) { return value(s); }, lo, hi, flo, fhi,
            boost::math::tools::eps_tolerance<double>(deepest_collected), iterations);
        add(0.5 * (a + b));
    }
    void add(double s) { roots.push_back(s * h); }
};

struct Searcher {
    struct Change {
        double at;
        bool counts;
    };
    const Bernstein& whole;
    const RootSearch& search;
    FunctionRef f, noise;
    int sign;  // before the part of the interval that is looked at
    std::optional<Change> last =
        {};  // the last change of sign; whether it is one shows when the next one comes

    bool counts() const { return search.direction == 0 || search.direction == -sign; }

    // The sign changes at s. Two changes with nothing but rounding between them are a touch, and none.
    std::optional<double> change(double s) {
        if (last && is_rounding(last->at, s)) {
            last.reset();
        } else {
            if (last && last->counts) return last->at;
            last = Change{s, counts()};
        }
        sign = -sign;
        return std::nullopt;
    }
    bool is_rounding(double lo, double hi) const {
        const double bound = noise(hi);
        const auto is_zero = [&](double part) { return std::abs(f(lo + part * (hi - lo))) <= bound; };
        return is_zero(0.25) && is_zero(0.5) && is_zero(0.75);
    }

    double refine(double lo, double hi) const {
        // An end where the sign is not what it should be is the root itself, to rounding.
        const double flo = f(lo), fhi = f(hi);
        if (sign_of(fhi) != -sign) return hi;
        if (sign_of(flo) != sign) return lo;
        if (lo == 0 && hi == 1 && whole.degree <= 2)
            if (const auto root = in_closed_form(flo, fhi)) return *root;
        std::uintmax_t iterations = 100;
        const auto close = [](double a, double b) { return std::abs(a - b) <= 2 * epsilon * std::abs(b); };
        const auto [a, b] = boost::math::tools::toms748_solve([&](double s) { return f(s); }, lo, hi, flo,
                                                              fhi, close, iterations);
        return std::abs(f(a)) <= std::abs(f(b)) ? a : b;
    }

    // The one root of a line or a parabola whose ends are of different sign: with r = s / (1 - s) the
    // Bernstein form is b0 + 2 b1 r + b2 r^2, whose positive root no cancellation touches. A step of Newton's
    // method takes out what the coefficients have rounded. Nothing where f itself does not change its sign
    // there.
    std::optional<double> in_closed_form(double b0, double b2) const {
        const double b1 = whole.degree == 2 ? whole.b[1] : 0.5 * (b0 + b2);
        const auto is_moderate = [](double b) { return std::abs(b) > 1e-140 && std::abs(b) < 1e140; };
        if (!is_moderate(b0) || !is_moderate(b2) || std::abs(b1) > 1e140) return std::nullopt;
        const double q = -(b1 + std::copysign(std::sqrt(b1 * b1 - b0 * b2), b1));
        const double s = (q > 0) == (b2 > 0) ? q / (q + b2) : b0 / (b0 + q);
        const double slope = 2 * ((b1 - b0) * (1 - s) + (b2 - b1) * s);
        const double here = f(s), moved = std::clamp(s - here / slope, 0.0, 1.0);
        const double root = std::abs(f(moved)) < std::abs(here) ? moved : s, width = 4 * epsilon * root;
        const bool changes = f(root - width) * sign >= 0 && f(root + width) * sign <= 0;
        return changes ? std::optional(root) : std::nullopt;
    }

    // Walks [lo, hi] from the left; `sign` follows.
    std::optional<double> walk(const Bernstein& p, double lo, double hi, int depth) {
        const Variation v = variations(p);
        if (v.all_zero) return std::nullopt;
        const double zero = search.touch ? noise(hi) : 0;
        if (search.touch && lo > 0 && is_noise(p, zero)) return 0.5 * (lo + hi);
        if (v.count == 0 && !(search.touch && depth <= 50 && comes_near(p, zero))) return uniform(p, lo);
        if (v.count == 1 && is_before(p, lo) && is_beyond(p, hi)) return cross(lo, hi);
        if (depth > 50) return blur(p, lo, hi);
        Bernstein left, right;
        halve(p, left, right);
        const double middle = 0.5 * (lo + hi);
        if (const auto root = walk(left, lo, middle, depth + 1)) return root;
        return walk(right, middle, hi, depth + 1);
    }

    // Is the root inside, or at one of the ends? An end that the function comes to from zero, or goes to zero
    // from, is near another root, and rounding can take that one for this one.
    bool is_before(const Bernstein& p, double lo) const { return is_clear(p, p.b[0], p.b[1], sign, lo); }
    bool is_beyond(const Bernstein& p, double hi) const {
        return is_clear(p, p.b[p.degree], p.b[p.degree - 1], -sign, hi);
    }
    bool is_clear(const Bernstein& p, double end, double beside, int wanted, double at) const {
        if (sign_of(end) != wanted) return false;
        if (sign_of(beside) == -wanted) return true;
        double largest = 0;
        for (int i = 0; i <= p.degree; ++i) largest = std::max(largest, std::abs(p.b[i]));
        return std::abs(end) > 1e-6 * largest && sign_of(f(at)) == wanted;
    }

    static bool is_noise(const Bernstein& p, double zero) {
        return std::all_of(p.b.begin(), p.b.begin() + p.degree + 1,
                           [&](double b) { return std::abs(b) <= zero; });
    }

    static bool comes_near(const Bernstein& p, double zero) {
        return std::any_of(p.b.begin(), p.b.begin() + p.degree + 1,
                           [&](double b) { return std::abs(b) <= zero; });
    }

    // No root inside; the sign may have changed at the left end.
    std::optional<double> uniform(const Bernstein& p, double lo) {
        int s = 0;
        for (int i = 0; i <= p.degree && s == 0; ++i) s = sign_of(p.b[i]);
        if (search.touch && p.b[0] == 0 && lo > 0) return lo;
        return s == sign ? std::nullopt : change(lo);
    }
    std::optional<double> cross(double lo, double hi) {
        if (search.touch) return refine(lo, hi);
        return change(refine(lo, hi));
    }
    // Too narrow to tell apart: a touch, or a crossing that rounding hides.
    std::optional<double> blur(const Bernstein& p, double lo, double hi) {
        if (search.touch) return lo;
        const int s = sign_of(p.b[p.degree]);
        return s == 0 || s == sign ? std::nullopt : change(hi);
    }
};

}  // namespace

void append_roots(std::span<const double> c, double h, std::vector<double>& roots) {
    Collector{c, h, roots}.walk(bernstein_from_taylor(c, h), 0, 1, 0);
}

std::optional<double> first_touch(std::span<const double> c, double h, FunctionRef excess) {
    const Bernstein p = bernstein_from_taylor(c, h);
    double size = 0, least = HUGE_VAL;
    for (int i = 0; i <= p.degree; ++i) {
        size = std::max(size, std::abs(p.b[i]));
        least = std::min(least, std::copysign(1.0, p.b[0]) * p.b[i]);  // the polynomial is nowhere less
    }
    if (least > near_touch * size) return std::nullopt;
    std::array<double, highest_degree> slope;
    for (std::size_t k = 1; k < c.size(); ++k) slope[k - 1] = static_cast<double>(k) * c[k];
    std::vector<double> extremes;
    append_roots({slope.data(), c.size() - 1}, h, extremes);
    for (const double x : extremes)
        if (x > 0 && std::abs(horner(c, x)) <= near_touch * size && excess(x) <= 0) return x;
    return std::nullopt;
}

std::optional<double> first_root(const Bernstein& p, const RootSearch& search, FunctionRef f,
                                 FunctionRef noise) {
    if (search.sign == 0) return std::nullopt;
    Searcher searcher{p, search, f, noise, search.sign};
    if (const auto root = searcher.walk(p, 0, 1, 0)) return root;
    return searcher.last && searcher.last->counts ? std::optional(searcher.last->at) : std::nullopt;
}

}  // namespace deltaflow
