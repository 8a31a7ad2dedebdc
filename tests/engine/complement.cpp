// The block complement: pairs of which one is zero, against closed forms and a small solver of its own.
#include "engine/exact.hpp"
#include "tests/engine/run.hpp"

#include <random>

namespace deltaflow::engine_test {

namespace {

const std::vector<std::string> all_methods{"taylor", "dopri5", "rk4", "rosenbrock4", "auto"};

// A unit mass falls on a floor that it does not leave.
const std::string falling = R"toml(
[blocks]
v = { type = "integrator", in = "z - 10" }
x = { type = "integrator", in = "v", initial = 5 }
z = { type = "complement", w = "x" }
[simulation]
stop = 3
step = 0.001
)toml";

std::string pairs(const std::string& blocks) { return "[blocks]\n" + blocks + "[simulation]\nstop = 3\n"; }

using Row = std::vector<double>;

// z with z >= 0, q + M z >= 0, one of each zero: all sets are tried.
Row solved(const std::vector<Row>& m, const Row& q) {
    const std::size_t n = q.size();
    for (std::size_t set = 0; set < (std::size_t{1} << n); ++set) {
        std::vector<Row> a(n, Row(n + 1, 0));
        for (std::size_t i = 0; i < n; ++i) {
            const bool on = (set >> i & 1) != 0;
            for (std::size_t j = 0; j < n; ++j) a[i][j] = on ? m[i][j] : i == j;
            a[i][n] = on ? -q[i] : 0;
        }
        for (std::size_t k = 0; k < n; ++k) {
            const auto pivot =
                std::max_element(a.begin() + static_cast<std::ptrdiff_t>(k), a.end(),
                                 [&](const Row& x, const Row& y) { return std::abs(x[k]) < std::abs(y[k]); });
            std::swap(a[k], *pivot);
            for (std::size_t i = 0; i < n; ++i) {
                const double f = i == k ? 0 : a[i][k] / a[k][k];
                for (std::size_t j = k; j <= n && f != 0; ++j) a[i][j] -= f * a[k][j];
            }
        }
        Row z(n);
        bool good = true;
        for (std::size_t i = 0; i < n; ++i) good = good && (z[i] = a[i][n] / a[i][i]) > -1e-12;
        for (std::size_t i = 0; i < n; ++i) {
            double w = q[i];
            for (std::size_t j = 0; j < n; ++j) w += m[i][j] * z[j];
            good = good && w > -1e-12;
        }
        if (good) return z;
    }
    return {};
}

}  // namespace

TEST_CASE("a pair that its input reads directly", "[complement]") {
    const Trace trace = run(pairs("z = { type = \"complement\", w = \"z - 2 + t\" }\n"), {0.5, 2.5});
    CHECK(sample(trace, "z", 0.5) == close_to(1.5));
    CHECK(sample(trace, "z", 2.5) == 0);
    REQUIRE(trace.events.size() == 1);
    CHECK(trace.events[0].t == close_to(2));
    CHECK(trace.causes_of(trace.events[0]) == std::vector<std::string>{"z"});
}

TEST_CASE("a pair through two states stops them by an impulse, by every method", "[complement]") {
    for (const std::string& method : all_methods) {
        INFO(method);
        const Trace trace = run(falling, {0.5, 2}, {{"simulation.method", method}});
        CHECK(sample(trace, "x", 0.5) == close_to(3.75, 1e-9));
        CHECK(sample(trace, "x", 2) == close_to(0, 1e-9));
        CHECK(sample(trace, "z", 2) == close_to(10, 1e-9));
        const auto hit = happenings(trace, "z");
        REQUIRE(hit.size() == 1);
        CHECK(hit[0].t == close_to(1, 1e-9));
        check_impulses(hit[0].impulses, {10}, 1e-9);
    }
    const Trace sampled = run(falling, {0.5, 2}, {{"simulation.impulses", "numeric"}});
    CHECK(sample(sampled, "x", 0.5) == close_to(3.75, 1e-2));
    CHECK(sample(sampled, "x", 2) == close_to(0, 1e-2));
    CHECK(sample(sampled, "z", 2) == close_to(10, 1e-2));
    const FractionBook book;
    const ExactTrace exact = run_exactly(model_of(falling), book);
    for (const RunError& error : exact.errors) FAIL_CHECK(error.text);
    REQUIRE(exact.signals[2].pieces.size() == 2);
    CHECK(exact.signals[2].pieces[1].from == Quadratic(1));
}

TEST_CASE("a start that a pair does not allow is left by a jump, one that it does is no event",
          "[complement]") {
    const std::string text = "x = { type = \"integrator\", in = \"z - 1\", initial = ";
    const Trace jumps = run(pairs(text + "-2 }\nz = { type = \"complement\", w = \"x\" }\n"));
    REQUIRE(jumps.events.size() == 1);
    check_impulses(happenings(jumps, "z")[0].impulses, {2});
    CHECK(last_sample(jumps, "x") == close_to(0));
    const Trace rests = run(pairs(text + "0 }\nz = { type = \"complement\", w = \"x\" }\n"));
    CHECK(rests.events.empty());
    CHECK(last_sample(rests, "z") == close_to(1));
}

TEST_CASE("random pairs are those of a linear complementarity problem", "[complement]") {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int trial = 0; trial < 12; ++trial) {
        const std::size_t n = 2 + static_cast<std::size_t>(trial) % 4;
        std::vector<Row> b(n, Row(n)), m(n, Row(n, 0));
        for (Row& row : b)
            for (double& x : row) x = number(random);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                for (std::size_t k = 0; k < n; ++k) m[i][j] += b[i][k] * b[j][k];
                m[i][j] += i == j ? 0.1 : b[i][j] - b[j][i];
            }
        Row at(n), slope(n);
        std::string text;
        for (std::size_t i = 0; i < n; ++i) {
            at[i] = number(random);
            slope[i] = number(random);
            std::string w = std::to_string(at[i]) + " + t*" + std::to_string(slope[i]);
            at[i] = std::stod(std::to_string(at[i]));
            slope[i] = std::stod(std::to_string(slope[i]));
            for (std::size_t j = 0; j < n; ++j) {
                w += " + " + std::to_string(m[i][j]) + "*z" + std::to_string(j);
                m[i][j] = std::stod(std::to_string(m[i][j]));
            }
            text += "z" + std::to_string(i) + " = { type = \"complement\", w = \"" + w + "\" }\n";
        }
        INFO(text);
        const std::vector<double> times{0.1, 0.77, 1.5, 2.3, 2.9};
        const Trace trace = run(pairs(text), times);
        for (const double t : times) {
            Row q(n);
            for (std::size_t i = 0; i < n; ++i) q[i] = at[i] + t * slope[i];
            const Row z = solved(m, q);
            for (std::size_t i = 0; i < n; ++i)
                CHECK(sample(trace, "z" + std::to_string(i), t) == close_to(z.at(i), 1e-9));
        }
    }
}

TEST_CASE("pairs come through modes in which they are not settled", "[complement]") {
    const Trace skew =
        run(pairs("a = { type = \"complement\", w = \"b - 1\" }\n"
                  "b = { type = \"complement\", w = \"2 - a\" }\n"));
    CHECK(last_sample(skew, "a") == close_to(2));
    CHECK(last_sample(skew, "b") == close_to(1));
    const Trace twice =
        run(pairs("a = { type = \"complement\", w = \"a + b - 1\" }\n"
                  "b = { type = \"complement\", w = \"a + b - 1\" }\n"));
    CHECK(last_sample(twice, "a") + last_sample(twice, "b") == close_to(1));
}

TEST_CASE("pairs without a solution, and with several", "[complement]") {
    const Trace never = try_run(pairs("z = { type = \"complement\", w = \"-1 - z\" }\n"));
    REQUIRE(never.errors.size() == 1);
    CHECK(exit_code(never.errors[0].kind) == 3);
    const Trace later = try_run(pairs("z = { type = \"complement\", w = \"1 - t - z\" }\n"));
    REQUIRE(later.errors.size() == 1);
    CHECK(exit_code(later.errors[0].kind) == 7);
    CHECK(later.errors[0].t == close_to(1));
    const Trace several = run(pairs("z = { type = \"complement\", w = \"1 - z\" }\n"));
    REQUIRE(several.warnings.size() == 1);
    CHECK(several.warnings[0].find("several") != std::string::npos);
}

}  // namespace deltaflow::engine_test
