// Jumps of random constrained systems against the saddle-point system M (v+ - v-) = B L, C v+ = 0.
#include "engine/simulate.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>
#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>

using namespace deltaflow;

namespace {

// Storages coupled by ideal constraints sum_j a_j f_j = 0 that begin at t = 1, one automaton for all of them
// or one for each. `dual`: capacitors and voltages instead of masses and velocities.
struct Constrained {
    Eigen::VectorXd inertia, before;
    Eigen::MatrixXd rows;  // one constraint a row
    bool dual = false, shared = false;
};

Constrained random_system(std::mt19937& random) {
    std::uniform_real_distribution<double> real(-1, 1);
    const int n = std::uniform_int_distribution<int>(1, 6)(random);
    const int k = std::uniform_int_distribution<int>(1, n)(random);
    Constrained s;
    s.inertia = Eigen::VectorXd::NullaryExpr(n, [&] { return 1.5 + real(random); });
    s.before = Eigen::VectorXd::NullaryExpr(n, [&] { return 3 * real(random); });
    s.rows = Eigen::MatrixXd::NullaryExpr(k, n, [&] {
        const double x = real(random);
        return std::abs(x) < 0.3 ? 0.0 : x;
    });
    for (int i = 0; i < k; ++i)
        if (s.rows.row(i).isZero()) s.rows(i, 0) = 1;
    s.dual = random() % 2 == 0;
    s.shared = random() % 2 == 0;
    return s;
}

// Lines of a model file, and what to record.
struct Lines {
    std::vector<std::string> elements, bonds;
    std::string automata, record;
};

// Names begin with `p`; the constraints begin at `at`.
void add_to(Lines& lines, const Constrained& s, const std::string& p, double at) {
    auto& elements = lines.elements;
    auto& bonds = lines.bonds;
    const std::string storage = s.dual ? "C" : "I", state = s.dual ? "displacement" : "momentum";
    const std::string node = s.dual ? "0" : "1", constraint = s.dual ? "1" : "0";
    for (int j = 0; j < s.inertia.size(); ++j) {
        elements.push_back(fmt::format("{}s{} = {{ type = \"{}\", value = {:.17g}, {} = {:.17g} }}", p, j,
                                       storage, s.inertia(j), state, s.inertia(j) * s.before(j)));
        elements.push_back(fmt::format("{}n{} = {{ type = \"{}\" }}", p, j, node));
        bonds.push_back(fmt::format("{0}b{1} = \"{0}n{1} -> {0}s{1}\"", p, j));
        lines.record += fmt::format("\"{0}s{1}.effort\", \"{0}s{1}.flow\", \"{0}s{1}.{2}\", ", p, j, state);
    }
    for (int i = 0; i < s.rows.rows(); ++i) {
        elements.push_back(fmt::format("{0}c{1} = {{ type = \"{2}\", automaton = \"{0}lock{3}\" }}", p, i,
                                       constraint, s.shared ? 0 : i));
        for (int j = 0; j < s.rows.cols(); ++j) {
            if (s.rows(i, j) == 0) continue;
            // Flow: f_to = ratio f_from. Effort: e_from = ratio e_to, so the arrow turns round.
            elements.push_back(
                fmt::format("{}r{}_{} = {{ type = \"TF\", ratio = {:.17g} }}", p, i, j, s.rows(i, j)));
            bonds.push_back(s.dual ? fmt::format("{0}x{1}_{2} = \"{0}r{1}_{2} -> {0}n{2}\"", p, i, j)
                                   : fmt::format("{0}x{1}_{2} = \"{0}n{2} -> {0}r{1}_{2}\"", p, i, j));
            bonds.push_back(s.dual ? fmt::format("{0}y{1}_{2} = \"{0}c{1} -> {0}r{1}_{2}\"", p, i, j)
                                   : fmt::format("{0}y{1}_{2} = \"{0}r{1}_{2} -> {0}c{1}\"", p, i, j));
        }
    }
    const auto locks = s.shared ? 1 : s.rows.rows();
    for (Eigen::Index i = 0; i < locks; ++i)
        lines.automata += fmt::format(
            "[automata.{}lock{}]\ninitial = \"open\"\nstates = {{ open = \"off\", closed = \"on\" }}\n"
            "transitions = [{{ from = \"open\", to = \"closed\", when = \"t >= {}\" }}]\n",
            p, i, at);
}

std::string text_of(Lines lines, std::mt19937& random) {
    std::shuffle(lines.elements.begin(), lines.elements.end(), random);
    std::shuffle(lines.bonds.begin(), lines.bonds.end(), random);
    std::string text = "[elements]\n";
    for (const auto& line : lines.elements) text += line + "\n";
    text += "[bonds]\n";
    for (const auto& line : lines.bonds) text += line + "\n";
    return text + lines.automata + "[simulation]\nstop = 2\nrecord = [" + lines.record + "]\n";
}

std::string text_of(const Constrained& s, std::mt19937& random) {
    Lines lines;
    add_to(lines, s, "", 1);
    return text_of(std::move(lines), random);
}

// v+ and the impulses on the constraints, for independent constraints.
Eigen::VectorXd after(const Constrained& s) {
    const Eigen::MatrixXd m = s.inertia.asDiagonal();
    const auto n = s.inertia.size(), k = s.rows.rows();
    Eigen::MatrixXd saddle = Eigen::MatrixXd::Zero(n + k, n + k);
    saddle.topLeftCorner(n, n) = m;
    saddle.topRightCorner(n, k) = s.rows.transpose();
    saddle.bottomLeftCorner(k, n) = s.rows;
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n + k);
    right.head(n) = m * s.before;
    return saddle.fullPivLu().solve(right).head(n);
}

bool well_posed(const Constrained& s) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(s.rows);
    return svd.singularValues().minCoeff() > 1e-2;
}

double value(const Trace& trace, const std::string& signal) {
    const auto at = std::find(trace.signals.begin(), trace.signals.end(), signal) - trace.signals.begin();
    return trace.samples[static_cast<std::size_t>(at)].back();
}

}  // namespace

TEST_CASE("Constraints that begin share momentum and charge as the saddle-point system says", "[bonds]") {
    std::mt19937 random(1);
    int tried = 0;
    while (tried < 150) {
        const Constrained s = random_system(random);
        if (!well_posed(s)) continue;
        ++tried;
        std::string text = text_of(s, random);
        const bool joined = tried % 2 == 0;  // else parts that share nothing are told apart
        if (joined) text.insert(text.find("record = [") + 10, "\"total.energy\", ");
        INFO(text);
        const Trace trace = simulate(load_model_text("random.toml", text));
        for (const auto& error : trace.errors) FAIL(error.text);
        const Eigen::VectorXd wanted = after(s);
        const double energy_before = 0.5 * s.before.dot(s.inertia.asDiagonal() * s.before);
        const double energy_after = 0.5 * wanted.dot(s.inertia.asDiagonal() * wanted);
        for (int j = 0; j < s.inertia.size(); ++j) {
            const std::string own = fmt::format("s{}.{}", j, s.dual ? "effort" : "flow");
            // The constraint matrices have conditions up to 1e3: three digits of sixteen.
            CHECK(value(trace, own) == Approx(wanted(j)).epsilon(1e-11).margin(1e-11));
        }
        CHECK(energy_after <= energy_before * (1 + 1e-12));
        if (energy_before - energy_after > 1e-6) {
            REQUIRE(trace.energy.instants.size() == 1);
            const EnergyEvent& e = trace.energy.instants[0];
            if (joined) CHECK(e.stored_before == Approx(energy_before));
            if (joined) CHECK(e.stored_after == Approx(energy_after).margin(1e-12));
            CHECK(e.stored_before <= energy_before * (1 + 1e-12));
            CHECK(e.stored_before - e.stored_after == Approx(energy_before - energy_after).margin(1e-12));
            double sum = 0;
            for (const auto& [element, work] : e.dissipated) sum += work;
            CHECK(sum == Approx(energy_before - energy_after).epsilon(1e-9));
        }
        CHECK(trace.warnings.empty());
    }
}

TEST_CASE("Constrained systems in one graph jump as each of them does alone", "[bonds]") {
    std::mt19937 random(2);
    for (int graph = 0; graph < 12; ++graph) {
        std::vector<Constrained> systems;
        Lines lines;
        while (systems.size() < 8) {
            const Constrained s = random_system(random);
            if (!well_posed(s)) continue;
            add_to(lines, s, fmt::format("g{}_", systems.size()),
                   0.25 * static_cast<double>(1 + random() % 6));
            systems.push_back(s);
        }
        const std::string text = text_of(std::move(lines), random);
        INFO(text);
        const Trace trace = simulate(load_model_text("random.toml", text));
        for (const auto& error : trace.errors) FAIL(error.text);
        for (std::size_t i = 0; i < systems.size(); ++i) {
            const Constrained& s = systems[i];
            const Eigen::VectorXd wanted = after(s);
            for (int j = 0; j < s.inertia.size(); ++j)
                CHECK(value(trace, fmt::format("g{}_s{}.{}", i, j, s.dual ? "effort" : "flow")) ==
                      Approx(wanted(j)).epsilon(1e-11).margin(1e-11));
        }
        CHECK(trace.warnings.empty());
    }
}
