#include "engine/solve/exact/roots.hpp"

#include "engine/limits.hpp"
#include "engine/solve/exact/bounds.hpp"

#include <algorithm>

namespace deltaflow::closed_form {

namespace {

const Rational half(1, 2);

struct Interval {
    Rational low, high;  // low < root <= high; low is no root
};

// Sturm's chain: p, p', minus the rests of dividing each by the next.
class SturmChain {
public:
    explicit SturmChain(const Polynomial& p) : chain_{p, derivative(p)} {
        while (degree(chain_.back()) > 0) {
            Polynomial rest = divide(chain_[chain_.size() - 2], chain_.back()).rest;
            if (rest.empty()) break;
            check_length(rest, limits::exact_work_bits);
            for (Quadratic& c : rest) c = -c;
            chain_.push_back(std::move(rest));
        }
    }
    // Distinct roots in (low, high].
    int count(const Rational& low, const Rational& high) const { return variations(low) - variations(high); }

private:
    int variations(const Rational& x) const {
        int changes = 0, before = 0;
        for (const Polynomial& p : chain_) {
            const int s = sign(evaluate(p, x));
            if (s != 0 && before != 0 && s != before) ++changes;
            if (s != 0) before = s;
        }
        return changes;
    }
    std::vector<Polynomial> chain_;
};

void isolate(const SturmChain& chain, const Interval& i, int count, std::vector<Interval>& roots) {
    if (count == 0) return;
    if (count == 1) return roots.push_back(i);
    const Rational middle = (i.low + i.high) * half;
    const int below = chain.count(i.low, middle);
    isolate(chain, {i.low, middle}, below, roots);
    isolate(chain, {middle, i.high}, count - below, roots);
}

// All roots of a square-free p in (low, high], in order.
std::vector<Interval> roots_within(const Polynomial& p, const Rational& low, const Rational& high) {
    if (degree(p) < 1 || low >= high) return {};
    const SturmChain chain(p);
    std::vector<Interval> roots;
    isolate(chain, {low, high}, chain.count(low, high), roots);
    return roots;
}

// One halving; an end that is the root itself becomes both ends.
void refine(const Polynomial& p, Interval& i) {
    if (i.low == i.high) return;
    if (is_zero(evaluate(p, i.high))) {
        i.low = i.high;
        return;
    }
    const Rational middle = (i.low + i.high) * half;
    const int here = sign(evaluate(p, middle)), above = sign(evaluate(p, i.high));
    if (here == 0)
        i.low = i.high = middle;
    else
        (here == above ? i.high : i.low) = middle;
}

void refine(const Polynomial& p, Interval& i, const Rational& width) {
    while (i.high - i.low > width) refine(p, i);
}

Rational absolute(const Rational& r) { return sign(r) < 0 ? Rational(-r) : r; }

// A bound of the roots of a monic polynomial (Cauchy).
Rational root_bound(const Polynomial& p) {
    Rational most(0);
    for (const Quadratic& c : p) {
        const auto near = bounds(c, 8);
        most = std::max({most, absolute(near.first), absolute(near.second)});
    }
    return most + Rational(1);
}

std::vector<Interval> all_roots(const Polynomial& p) {
    const Rational bound = root_bound(p);
    return roots_within(p, -bound, bound);
}

// The k with k times every root an algebraic integer: a common denominator of a monic polynomial.
Integer denominator(const Polynomial& p) {
    Integer common = 1;
    for (const Quadratic& c : p)
        for (const Rational& r : {c.a, c.b}) common = lcm(common, r.denominator());
    return common;
}

Integer nearest(const Rational& r) {
    const Rational x = r + half;
    Integer q = x.numerator() / x.denominator();
    if (sign(x) < 0 && q * x.denominator() != x.numerator()) --q;
    return q;
}

Rational middle(const Interval& i) { return (i.low + i.high) * half; }

bool contains(const Interval& i, const Quadratic& x) {
    if (i.low == i.high) return x == Quadratic(i.low);
    return Quadratic(i.low) < x && x <= Quadratic(i.high);
}

// The root of x^2 + p x + q that lies in the interval, where the field has it.
std::optional<Quadratic> quadratic_root(const Quadratic& p, const Quadratic& q, const Interval& i,
                                        const Integer& d) {
    const Quadratic two(2);
    const auto root = square_root(p * p - Quadratic(4) * q, d);
    if (!root) return {};
    for (const Quadratic& x : {(-p - *root) / two, (-p + *root) / two})
        if (contains(i, x)) return x;
    return {};
}

// A root that is a fraction: its denominator divides k.
std::optional<Quadratic> rational_root(const Polynomial& p, const Integer& k, Interval i) {
    refine(p, i, Rational(Integer(1), Integer(4 * k)));
    const Quadratic x(Rational(nearest(middle(i) * Rational(k)), k));
    if (!is_zero(evaluate(p, x))) return {};
    return x;
}

// Over the fractions: an irrational root of degree two has its conjugate among the real roots; their sum and
// product are fractions whose denominators divide k and k^2.
std::optional<Quadratic> paired_root(const Polynomial& p, const Integer& k, Interval i, const Integer& d) {
    const Rational bound = root_bound(p) * Rational(2) + Rational(1);
    const Rational width = Rational(Integer(1), Integer(16 * k * k)) / bound;
    refine(p, i, width);
    for (Interval other : all_roots(p)) {
        refine(p, other, width);
        const Rational sum(nearest((middle(i) + middle(other)) * Rational(k)), k);
        const Rational product(nearest(middle(i) * middle(other) * Rational(Integer(k * k))), Integer(k * k));
        const Polynomial factor{Quadratic(product), Quadratic(-sum), Quadratic(1)};
        if (!divide(p, factor).rest.empty()) continue;
        if (const auto root = quadratic_root(factor[1], factor[0], i, d)) return root;
    }
    return {};
}

// Over sqrt(d): the conjugate of a + b sqrt(d) is a root of the conjugate polynomial; 2 k a and 2 k d b are
// whole.
std::optional<Quadratic> conjugated_root(const Polynomial& p, const Integer& k, Interval i,
                                         const Integer& d) {
    const Polynomial q = conjugate(p);
    const Rational root = bounds(Quadratic(Rational(0), Rational(1), d), 16).second;
    const Rational width = Rational(Integer(1), Integer(16 * k * d)) / root;
    refine(p, i, width);
    const auto bits = static_cast<unsigned>(msb(Integer(64 * k * d))) +
                      static_cast<unsigned>(msb(nearest(root_bound(p)) + 1)) + 8;
    const Rational exact_root = bounds(Quadratic(Rational(0), Rational(1), d), bits).first;
    for (Interval other : all_roots(q)) {
        refine(q, other, width);
        const Rational sum = middle(i) + middle(other), difference = middle(i) - middle(other);
        const Rational a(nearest(sum * Rational(k)), Integer(2 * k));
        const Rational b(nearest(difference * exact_root * Rational(k)), Integer(2 * k * d));
        const Quadratic x(a, b, d);
        if (contains(i, x) && is_zero(evaluate(p, x))) return x;
    }
    return {};
}

// The root of a monic square-free polynomial in an interval, as a number.
std::optional<Quadratic> value_of(const Polynomial& p, const Interval& i, const Integer& d) {
    if (degree(p) == 1) return -p[0];
    if (degree(p) == 2) return quadratic_root(p[1], p[0], i, d);
    const Integer k = denominator(p);
    check_length(Quadratic(Rational(k)), limits::exact_root_bits);
    if (!is_rational(p)) return conjugated_root(p, k, i, d);
    if (const auto root = rational_root(p, k, i)) return root;
    return paired_root(p, k, i, d);
}

// A fraction at or above x, and near it.
Rational above(const Quadratic& x) { return bounds(x, 32).second; }

int multiplicity(Polynomial p, const Quadratic& x) {
    int m = 0;
    for (; is_zero(evaluate(p, x)); ++m) p = derivative(p);
    return m;
}

// Does p change its sign at the root that alone lies within (low, high]? Where it is no number, no end is a
// root.
bool changes_sign(const Polynomial& p, const Root& root) {
    if (root.value) return multiplicity(p, *root.value) % 2 == 1;
    return sign(evaluate(p, root.low)) != sign(evaluate(p, root.high));
}

}  // namespace

bool is_at_most(Root& root, const Quadratic& x) {
    if (root.value) return *root.value <= x;
    Interval i{root.low, root.high};
    while (Quadratic(i.low) < x && x < Quadratic(i.high)) refine(root.of, i);
    root.low = i.low;
    root.high = i.high;
    return Quadratic(i.high) <= x;
}

Rational near(Root root) {
    if (root.value) return bounds(*root.value, 64).first;
    Interval i{root.low, root.high};
    refine(root.of, i, Rational(Integer(1), Integer(1) << 64));
    return middle(i);
}

std::optional<Root> first_root(const Polynomial& p, const Search& search, const Quadratic& end,
                               const Integer& d) {
    if (degree(p) < 1) return {};
    const Polynomial simple = square_free(p);
    int side = sign(p[0]);
    for (const Interval& i : roots_within(simple, Rational(0), above(end))) {
        Root root{value_of(simple, i, d), i.low, i.high, simple};
        if (!is_at_most(root, end)) return {};
        const bool passes = changes_sign(p, root);
        if (passes) side = -side;
        if (passes ? search.touch || search.direction == 0 || search.direction == side : search.touch)
            return root;
    }
    return {};
}

}  // namespace deltaflow::closed_form
