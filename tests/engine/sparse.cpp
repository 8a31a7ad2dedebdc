// Large stiff models: what the Jacobian looks like is known before the run, and used.
#include "engine/compile/sparsity.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

#include <set>

namespace deltaflow::engine_test {

namespace {

// A line of cells, each joined to its neighbours; `law` is the slope of cell i.
std::string line(int cells, const std::string& law, const std::string& simulation) {
    return fmt::format(R"toml(
[diagrams.cell]
inputs = ["left", "right"]
outputs = ["u"]
parameters = {{ first = 0.0 }}
[diagrams.cell.blocks]
u = {{ type = "integrator", in = "{1}", initial = "first" }}
[parameters]
n = {0}
[blocks]
cell = {{ type = "cell", count = "n", left = "cell[max(i - 1, 0)].u", right = "cell[min(i + 1, n - 1)].u", first = "cos(pi*(i + 1/2)/n)" }}
[simulation]
{2}
)toml",
                       cells, law, simulation);
}

using Entries = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Entries entries_of(const Sparsity& p) {
    Entries all;
    for (std::uint32_t c = 0; c < p.size(); ++c)
        for (std::uint32_t e = p.first[c]; e < p.first[c + 1]; ++e) all.emplace(p.rows[e], c);
    return all;
}

Sparsity pattern_of(const std::string& text) {
    const auto systems = compile_model(model_of(text));
    REQUIRE(systems.size() == 1);
    return *sparsity_of(systems[0], 1000000);
}

}  // namespace

TEST_CASE("A line of cells has a band of entries, and three evaluations show all of them") {
    const Sparsity p = pattern_of(line(50, "left - 2*u + right", ""));
    REQUIRE(p.size() == 50);
    CHECK(p.entries() == 50 + 2 * 49);
    CHECK(p.groups.size() == 3);
    for (const auto& group : p.groups) {
        std::set<std::uint32_t> rows;
        std::size_t count = 0;
        for (const std::uint32_t c : group)
            for (std::uint32_t e = p.first[c]; e < p.first[c + 1]; ++e) {
                rows.insert(p.rows[e]);
                ++count;
            }
        CHECK(rows.size() == count);
    }
}

TEST_CASE("Everything that an algebraic loop reads reaches everything that reads it") {
    const Sparsity p = pattern_of(R"toml(
[blocks]
x = { type = "integrator", in = "a" }
y = { type = "integrator", in = "b" }
z = { type = "integrator", in = "-z + y" }
a = "x - b/2"
b = "y - a/3"
)toml");
    CHECK(p.entries() == 4 + 2);
}

TEST_CASE("A derivative of a state brings what the state's slope reads") {
    // y' = der(x) = z, so y depends on z though it reads x alone.
    const Entries entries = entries_of(pattern_of(R"toml(
[blocks]
y = { type = "integrator", in = "der(x)" }
x = { type = "integrator", in = "z" }
z = { type = "integrator", in = "-y", initial = 1 }
)toml"));
    CHECK(entries.size() >= 3 + 3);  // diagonals, and a cycle of three at least
}

TEST_CASE("A pattern that would be too large is not made") {
    const auto systems = compile_model(model_of(line(50, "left - 2*u + right", "")));
    CHECK_FALSE(sparsity_of(systems[0], 100));
    CHECK(sparsity_of(systems[0], 148));
}

// The first mode of the line, cos(pi (i + 1/2) / n), decays with rate k 4 sin(pi / 2n)^2.
TEST_CASE("Heat in a line of 300 cells decays as its mode does, by every stiff method") {
    constexpr int n = 300;
    constexpr double k = 1e5, stop = 1, pi = 3.14159265358979323846;
    const double rate = k * 4 * std::pow(std::sin(pi / (2 * n)), 2);
    for (const std::string method : {"cvode", "rosenbrock4", "auto"}) {
        INFO(method);
        const Trace trace = run(line(n, "1e5*(left - 2*u + right)",
                                     "tolerance = 1e-8\nrecord = [\"cell[0].u\", \"cell[299].u\"]"),
                                {stop}, {{"simulation.method", method}, {"simulation.stop", "1"}});
        const double first = std::cos(pi / (2 * n)) * std::exp(-rate * stop);
        CHECK(last_sample(trace, "cell[0].u") == close_to(first, 1e-8));
        CHECK(last_sample(trace, "cell[299].u") == close_to(-first, 1e-8));
        CHECK(trace.statistics.evaluations < 30000);  // an explicit method would need 200,000 steps
    }
}

// Reaction and diffusion: methods that share nothing but the equations agree.
TEST_CASE("A front in a nonlinear line is the same by sparse, dense and explicit methods") {
    const std::string law = "2000*(left - 2*u + right) + 40*u*(1 - u^2) - 10*heaviside(u - 0.5)*sin(t)";
    const auto end = [&](const std::string& method, int cells) {
        return last_sample(run(line(cells, law, "tolerance = 1e-9\nrecord = [\"cell[3].u\"]"), {0.2},
                               {{"simulation.method", method}, {"simulation.stop", "0.2"}}),
                           "cell[3].u");
    };
    for (const int cells : {20, 60}) {  // below and above where elimination becomes sparse
        const double explicit_end = end("dopri5", cells);
        CHECK(end("cvode", cells) == close_to(explicit_end, 1e-7));
        CHECK(end("rosenbrock4", cells) == close_to(explicit_end, 1e-7));
    }
}

}  // namespace deltaflow::engine_test
