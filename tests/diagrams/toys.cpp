// A woodpecker toy against steps of Moreau's, and a pendulum on a string against flights and swings.
#include "tests/diagrams/piecewise.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

using Triple = Vector<3>;

double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// A contact of the toy: gap = at + n q, restitution, and the direction that it slides in.
struct Touch {
    double at;
    Triple n, t;
    double restitution;
    Triple by_n = {}, by_t = {};  // what a unit of impulse does to the velocities
    double impulse = 0, rub = 0;
};

// M v' = h(q) with contacts and friction, by Moreau's midpoint steps: impulses of a step are found by
// projections, one contact after the other, until none changes.
class Toy {
public:
    Toy() {
        const double ms = 0.0045, lm = 0.010, lg = 0.015;
        const std::array<Triple, 3> m{{{ms + 0.0003, ms * lm, ms * lg},
                                       {ms * lm, 5e-9 + ms * lm * lm, ms * lm * lg},
                                       {ms * lg, ms * lm * lg, 7e-7 + ms * lg * lg}}};
        invert(m);
        for (Touch& c : touches_) {
            c.by_n = answer(c.n);
            c.by_t = answer(c.t);
        }
    }

    Triple q{0, -0.0006 / 0.0058, -0.28}, v{-0.34, 0, -7.4};

    void step(double h) {
        const Triple middle = moved(q, h / 2, v);
        Triple after = moved(v, h, answer(force(middle)));
        for (Touch& c : touches_) c.impulse = c.rub = 0;
        for (int round = 0; round < 100000; ++round)
            if (project(middle, after) < 1e-12) break;
        v = after;
        q = moved(middle, h / 2, v);
    }

private:
    void invert(const std::array<Triple, 3>& m) {
        double determinant = 0;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                const auto a = (j + 1) % 3, b = (j + 2) % 3, p = (i + 1) % 3, r = (i + 2) % 3;
                inverse_[i][j] = m[a][p] * m[b][r] - m[a][r] * m[b][p];
            }
        for (std::size_t j = 0; j < 3; ++j) determinant += m[0][j] * inverse_[j][0];
        for (Triple& row : inverse_)
            for (double& x : row) x /= determinant;
    }
    Triple answer(const Triple& f) const {
        return {dot(inverse_[0], f), dot(inverse_[1], f), dot(inverse_[2], f)};
    }
    static Triple force(const Triple& x) {
        const double g = 9.81, twist = 0.0056 * (x[1] - x[2]);
        return {-0.0048 * g, -twist - 0.0045 * g * 0.010, twist - 0.0045 * g * 0.015};
    }
    // How much it has changed.
    double project(const Triple& x, Triple& after) {
        const Triple before = after;
        for (Touch& c : touches_) {
            if (c.at + dot(c.n, x) > 0) continue;
            const double n =
                std::max(0.0, c.impulse - (dot(c.n, after) + c.restitution * dot(c.n, v)) / dot(c.n, c.by_n));
            after = moved(after, n - c.impulse, c.by_n);
            c.impulse = n;
            const double t =
                std::clamp(c.rub - dot(c.t, after) / dot(c.t, c.by_t), -0.3 * c.impulse, 0.3 * c.impulse);
            after = moved(after, t - c.rub, c.by_t);
            c.rub = t;
        }
        const Triple change = moved(after, -1, before);
        return std::abs(change[0]) + std::abs(change[1]) + std::abs(change[2]);
    }

    std::array<Triple, 3> inverse_{};
    std::array<Touch, 3> touches_{{{0.0024, {0, 0, -0.02}, {1, 0.010, 0.015 - 0.0201}, 0.5},
                                   {0.0006, {0, 0.0058, 0}, {1, 0.0031, 0}, 0},
                                   {0.0006, {0, -0.0058, 0}, {1, 0.0031, 0}, 0}}};
};

}  // namespace

TEST_CASE("A woodpecker jams, pecks and slides down in its rhythm", "[diagrams][slow]") {
    const Trace trace =
        run_diagram("woodpecker", {{"simulation.stop", "0.6"}, {"simulation.every", "0.015"}});
    Toy toy;
    constexpr int steps = 1500;  // a sample
    for (int k = 1; k <= 40; ++k) {
        for (int i = 0; i < steps; ++i) toy.step(0.015 / steps);
        CAPTURE(k * 0.015);
        CHECK(sample_near(trace, "y", k * 0.015) == Approx(toy.q[0]).margin(3e-4));
        CHECK(sample_near(trace, "a", k * 0.015) == Approx(toy.q[1]).margin(1e-2));
        CHECK(sample_near(trace, "b", k * 0.015) == Approx(toy.q[2]).margin(1e-2));
    }
    CHECK(sample_near(trace, "y", 0.6) < -0.07);
}

TEST_CASE("A pendulum on a string swings round, goes slack, flies and is caught", "[diagrams]") {
    const Trace trace = run_diagram("pendulum_on_a_string");
    const double g = 9.81;
    Vector<4> x{0.1, -0.97, 5.6, 0};  // slack at first
    const auto flight = [&](double, const Vector<4>& s) { return Vector<4>{s[2], s[3], 0, -g}; };
    const auto swing = [&](double, const Vector<2>& s) { return Vector<2>{s[1], -g * std::sin(s[0])}; };
    const auto beyond = [](const Vector<4>& s) { return s[0] * s[0] + s[1] * s[1] - 1; };
    double t = 0;
    int slack = 0;
    const auto check = [&](double at, double px, double py) {
        CAPTURE(at);
        CHECK(sample_near(trace, "x", at) == about(px, 1e-7));
        CHECK(sample_near(trace, "y", at) == about(py, 1e-7));
    };
    const double step = 0.02;  // of the samples
    while (t < 4 - 1e-9) {
        // In flight: to the circle.
        double end = t;
        while (end < 4 && beyond(flow_on(flight, t, end + 1e-3, x, 10)) < 0) end += 1e-3;
        const double caught =
            end >= 4
                ? 4
                : root_of([&](double s) { return beyond(flow_on(flight, t, s, x, 10)); }, end, end + 1e-3);
        for (double at = std::ceil(t / step + 1e-9) * step; at < caught; at += step) {
            const auto here = flow_on(flight, t, at, x, 10);
            check(at, here[0], here[1]);
        }
        if (caught >= 4) break;
        x = flow_on(flight, t, caught, x, 10);
        t = caught;
        CHECK(event_at(trace, t).t == about(t, 1e-7));
        // Taut: an angle from straight down, and its rate; slack where w^2 + g cos(angle) falls to zero.
        Vector<2> s{std::atan2(x[0], -x[1]), x[2] * -x[1] + x[3] * x[0]};
        double from = t;
        const auto pull = [&](const Vector<2>& p) { return p[1] * p[1] + g * std::cos(p[0]); };
        while (t < 4 && pull(s) > 0) {
            const Vector<2> next = flow_on(swing, t, t + step / 8, s, 20);
            if (pull(next) <= 0) break;
            s = next;
            t += step / 8;
            const double at = std::round(t / step) * step;
            if (at >= from && std::abs(t - at) < step / 8) {
                const Vector<2> here = flow_on(swing, t, at, s, 20);
                check(at, std::sin(here[0]), -std::cos(here[0]));
            }
        }
        if (t >= 4) break;
        const double loose =
            root_of([&](double at) { return pull(flow_on(swing, t, at, s, 20)); }, t, t + step / 8);
        s = flow_on(swing, t, loose, s, 20);
        t = loose;
        ++slack;
        CHECK(event_at(trace, t).t == about(t, 1e-7));
        const double inside = 1 - 1e-12;
        x = {inside * std::sin(s[0]), -inside * std::cos(s[0]), s[1] * std::cos(s[0]), s[1] * std::sin(s[0])};
    }
    CHECK(slack >= 1);
}
