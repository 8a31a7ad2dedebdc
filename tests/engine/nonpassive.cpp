// Networks that are not passive: controlled sources, and bodies that rub. Exchanging states one by one may
// lead nowhere there.
#include "tests/engine/run.hpp"
#include "tests/engine/seeds.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <optional>
#include <random>

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

// w = q + M z, as diodes behind resistors of 1 and sources that the currents of all of them control.
struct Problem {
    Eigen::MatrixXd m;
    Eigen::VectorXd q;
};

std::string text_of(const Problem& p) {
    std::string elements = "[elements]\n", bonds = "[bonds]\n", record;
    for (int i = 0; i < p.q.size(); ++i) {
        std::string effort = fmt::format("{}", -p.q[i]);
        for (int j = 0; j < p.q.size(); ++j)
            effort += fmt::format(" + ({})*d{}.flow", (i == j ? 1 : 0) - p.m(i, j), j);
        elements += fmt::format(
            "s{0} = {{ type = \"MSe\", effort = \"{1}\" }}\nj{0} = {{ type = \"1\" }}\n"
            "r{0} = {{ type = \"R\", value = 1 }}\nd{0} = {{ type = \"D\" }}\n",
            i, effort);
        bonds +=
            fmt::format("a{0} = \"s{0} -> j{0}\"\nb{0} = \"j{0} -> r{0}\"\nc{0} = \"j{0} -> d{0}\"\n", i);
        record += fmt::format("{}\"d{}.flow\"", i == 0 ? "" : ", ", i);
    }
    return elements + bonds + "[simulation]\nstop = 1\nrecord = [" + record + "]\n";
}

// z where exactly these are on; nothing if that contradicts.
std::optional<Eigen::VectorXd> solution(const Problem& p, unsigned set) {
    std::vector<int> on;
    for (int i = 0; i < p.q.size(); ++i)
        if (set >> i & 1) on.push_back(i);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(p.q.size());
    if (!on.empty()) {
        const Eigen::MatrixXd part = p.m(on, on);
        if (std::abs(part.determinant()) < 1e-6) return {};
        const Eigen::VectorXd known = -p.q(on), found = part.partialPivLu().solve(known);
        for (std::size_t k = 0; k < on.size(); ++k) z[on[k]] = found[static_cast<Eigen::Index>(k)];
    }
    Eigen::VectorXd w = p.q + p.m * z;
    for (const int i : on) w[i] = 0;
    return z.minCoeff() >= 0 && w.minCoeff() >= 0 ? std::optional(z) : std::nullopt;
}

std::vector<Eigen::VectorXd> solutions(const Problem& p) {
    std::vector<Eigen::VectorXd> all;
    for (unsigned set = 0; set < 1u << p.q.size(); ++set)
        if (const auto z = solution(p, set)) all.push_back(*z);
    return all;
}

Eigen::VectorXd flows(const Trace& trace, Eigen::Index n) {
    Eigen::VectorXd z(n);
    for (int i = 0; i < n; ++i) z[i] = last_sample(trace, fmt::format("d{}.flow", i));
    return z;
}

// A block on two corners that rub, for small angles: its middle is h above the floor, the corners 2 b apart.
std::string block(const std::string& parameters) {
    return "[parameters]\n" + parameters + R"toml(
J = "(b*b + h*h)/3"
[elements]
vx = { type = "1" }
vy = { type = "1" }
spin = { type = "1" }
mx = { type = "I", value = 1, momentum = "speed" }
my = { type = "I", value = 1 }
body = { type = "I", value = "J" }
weight = { type = "Se", effort = -9.81 }
tl = { type = "TF", ratio = "-1/b" }
tr = { type = "TF", ratio = "1/b" }
l = { type = "0" }
r = { type = "0" }
k1 = { type = "contact", gap = 0, restitution = "e" }
k2 = { type = "contact", gap = "2*b*start", restitution = "e" }
fl = { type = "0" }
fr = { type = "0" }
al = { type = "TF", ratio = "h" }
ar = { type = "TF", ratio = "h" }
f1 = { type = "friction", mu = "mu", normal = "k1" }
f2 = { type = "friction", mu = "mu", normal = "k2" }
[bonds]
b1 = "vy -> my"
b2 = "spin -> body"
b3 = "weight -> vy"
b4 = "vx -> mx"
l1 = "l -> vy"
l2 = "tl -> spin"
l3 = "l -> tl"
l4 = "k1 -> l"
r1 = "r -> vy"
r2 = "tr -> spin"
r3 = "r -> tr"
r4 = "k2 -> r"
x1 = "vx -> fl"
x2 = "spin -> al"
x3 = "al -> fl"
x4 = "fl -> f1"
y1 = "vx -> fr"
y2 = "spin -> ar"
y3 = "ar -> fr"
y4 = "fr -> f2"
[simulation]
stop = 2
record = ["k1.gap", "k2.gap", "spin.flow", "vx.flow", "vy.flow"]
)toml";
}

}  // namespace

TEST_CASE("where each exchange leads back, another mode is the solution", "[networks]") {
    Problem p{Eigen::MatrixXd(2, 2), Eigen::VectorXd(2)};
    p.m << -1, 3, -1, 1;
    p.q << -1, 0.5;
    const Trace trace = run(text_of(p));
    CHECK(last_sample(trace, "d0.flow") == close_to(1.25));
    CHECK(last_sample(trace, "d1.flow") == close_to(0.75));
}

TEST_CASE("bodies that are apart are not taken for closed where other modes are tried", "[networks]") {
    Problem p{Eigen::MatrixXd(2, 2), Eigen::VectorXd(2)};
    p.m << -1, 3, -1, 1;
    p.q << -1, 0.5;
    std::string text = text_of(p);
    text.replace(text.find("[bonds]"), 7, R"toml(
v = { type = "1" }
m = { type = "I", value = 1 }
push = { type = "MSe", effort = "d0.flow" }
k = { type = "contact", gap = 2 }
[bonds]
mv = "v -> m"
pv = "push -> v"
kv = "v -> k"
)toml");
    const Trace trace = run(text);
    CHECK(last_sample(trace, "d0.flow") == close_to(1.25));
    for (const std::string& warning : trace.warnings) CHECK(warning.find("\"k\"") == std::string::npos);
}

TEST_CASE("where exchanges end in a mode that settles nothing, and no other does, that is told",
          "[networks]") {
    Problem p{Eigen::MatrixXd(4, 4), Eigen::VectorXd(4)};
    p.m << -3.08, -0.3, 0.6, -2.45, -3.77, 0, -2.24, 3.73, -1.79, -2.94, -2.85, 2.3, -3.88, 1.51, 2.14, 1.59;
    p.q << 1.58, -3.46, -0.09, 2.05;
    REQUIRE(solutions(p).empty());
    const Trace trace = try_run(text_of(p));
    REQUIRE(trace.errors.size() == 1);
    CHECK(exit_code(trace.errors[0].kind) == 3);
    CHECK(trace.errors[0].text.find("no consistent state") != std::string::npos);
}

TEST_CASE("Networks with controlled sources have a solution wherever there is one", "[networks]") {
    for (unsigned seed = 0; seed < tests::seeds(60); ++seed) {
        std::mt19937 random(seed);
        const auto draw = [&] { return static_cast<double>(static_cast<int>(random() % 801) - 400) / 100; };
        const int n = 2 + static_cast<int>(seed % 3);
        Problem p{Eigen::MatrixXd(n, n), Eigen::VectorXd(n)};
        for (int i = 0; i < n; ++i) {
            p.q[i] = draw();
            for (int j = 0; j < n; ++j) p.m(i, j) = draw();
        }
        const auto all = solutions(p);
        INFO("seed " << seed << ", " << all.size() << " solutions\n" << text_of(p));
        const Trace trace = try_run(text_of(p));
        REQUIRE((trace.end_reason == EndReason::stop) == !all.empty());
        if (all.empty()) continue;
        const Eigen::VectorXd z = flows(trace, n);
        CHECK(std::any_of(all.begin(), all.end(), [&](const auto& s) { return (z - s).norm() < 1e-9; }));
    }
}

TEST_CASE("a slender block that does not slip rocks as Housner says", "[networks]") {
    const Trace trace = run(block("b = 0.1\nh = 0.5\nmu = 0.3\nstart = 0.05\ne = 0\nspeed = 0"));
    const double ratio = 1 - 1.5 * 0.01 / (0.01 + 0.25);
    const auto hits = happenings(trace, "spin.flow");
    REQUIRE(hits.size() == 6);
    for (const auto& hit : hits) CHECK(hit.right / hit.left == close_to(ratio, 1e-10));
}

TEST_CASE("blocks that rub and rock come to rest", "[networks]") {
    for (const char* parameters : {"b = 0.403\nh = 0.867\nmu = 0.2\nstart = 0.046\ne = 0.3\nspeed = 0",
                                   "b = 0.282\nh = 0.631\nmu = 1.5\nstart = 0.104\ne = 0\nspeed = 0",
                                   // Hops at each turn: their points of accumulation accumulate.
                                   "b = 0.2\nh = 0.5\nmu = 0.6\nstart = 0.02\ne = 0.3\nspeed = 0",
                                   "b = 0.2\nh = 0.5\nmu = 0.3\nstart = 0.08\ne = 0.3\nspeed = 0.4",
                                   "b = 0.4\nh = 0.5\nmu = 0.3\nstart = 0.02\ne = 0.3\nspeed = 0.4",
                                   "b = 0.4\nh = 0.5\nmu = 0.6\nstart = 0.02\ne = 0.3\nspeed = 0",
                                   "b = 0.505\nh = 0.468\nmu = 0.8\nstart = 0.014\ne = 0.3\nspeed = 0"}) {
        INFO(parameters);
        const Trace trace = run(block(parameters));
        CHECK(trace.events.size() < 1000);
        for (const char* signal : {"k1.gap", "k2.gap", "spin.flow", "vx.flow", "vy.flow"})
            CHECK(std::abs(last_sample(trace, signal)) < 1e-6);
    }
}
