// Random linear bond graphs without switches against the matrix exponential of their state space.
#include "engine/simulate.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <unsupported/Eigen/MatrixFunctions>

#include <algorithm>
#include <random>

using namespace deltaflow;

namespace {

// A tree of junctions, each with elements of its own.
struct Tree {
    struct Element {
        char type;  // R C I e(ffort source) f(low source)
        double value, initial;
        int junction;
        bool outwards;  // does the bond point away from the junction?
    };
    struct Link {
        int a, b;   // junctions
        char type;  // plain, T(ransformer), G(yrator)
        double ratio;
    };
    std::vector<bool> zero;  // per junction
    std::vector<Element> elements;
    std::vector<Link> links;
};

Tree random_tree(std::mt19937& random) {
    std::uniform_real_distribution<double> real(0.5, 2);
    Tree t;
    const int junctions = std::uniform_int_distribution<int>(1, 5)(random);
    for (int j = 0; j < junctions; ++j) {
        t.zero.push_back(random() % 2 == 0);
        const int count = std::uniform_int_distribution<int>(1, 3)(random);
        for (int i = 0; i < count; ++i) {
            const char type = "RCIef"[random() % 5];
            t.elements.push_back({type, real(random), real(random) - 1, j,
                                  type == 'e' || type == 'f' ? random() % 4 == 0 : random() % 4 != 0});
        }
        if (j > 0) {
            const int to = static_cast<int>(random() % static_cast<unsigned>(j));
            t.links.push_back({to, j, "pTG"[random() % 3], real(random)});
        }
    }
    return t;
}

std::string text_of(const Tree& t) {
    std::string elements, bonds, record;
    for (std::size_t j = 0; j < t.zero.size(); ++j)
        elements += fmt::format("j{} = {{ type = \"{}\" }}\n", j, t.zero[j] ? "0" : "1");
    for (std::size_t i = 0; i < t.elements.size(); ++i) {
        const auto& e = t.elements[i];
        const std::string own =
            e.type == 'C'
                ? fmt::format("type = \"C\", value = {:.17g}, displacement = {:.17g}", e.value, e.initial)
            : e.type == 'I'
                ? fmt::format("type = \"I\", value = {:.17g}, momentum = {:.17g}", e.value, e.initial)
            : e.type == 'R' ? fmt::format("type = \"R\", value = {:.17g}", e.value)
            : e.type == 'e' ? fmt::format("type = \"Se\", effort = {:.17g}", e.value)
                            : fmt::format("type = \"Sf\", flow = {:.17g}", e.value);
        elements += fmt::format("x{} = {{ {} }}\n", i, own);
        bonds += e.outwards ? fmt::format("b{0} = \"j{1} -> x{0}\"\n", i, e.junction)
                            : fmt::format("b{0} = \"x{0} -> j{1}\"\n", i, e.junction);
        record += fmt::format("\"b{0}.effort\", \"b{0}.flow\", ", i);
    }
    for (std::size_t i = 0; i < t.links.size(); ++i) {
        const auto& l = t.links[i];
        if (l.type == 'p') {
            bonds += fmt::format("l{} = \"j{} -> j{}\"\n", i, l.a, l.b);
            continue;
        }
        elements += fmt::format("t{} = {{ type = \"{}\", ratio = {:.17g} }}\n", i,
                                l.type == 'T' ? "TF" : "GY", l.ratio);
        bonds += fmt::format("l{0} = \"j{1} -> t{0}\"\nm{0} = \"t{0} -> j{2}\"\n", i, l.a, l.b);
    }
    return "[elements]\n" + elements + "[bonds]\n" + bonds + "[simulation]\nstop = 1.5\nrecord = [" + record +
           "]\n";
}

// All constitutive relations at once: unknowns are effort and flow of each bond, known are the states.
struct StateSpace {
    Eigen::MatrixXd a, outputs;  // x' = a x + b, bonds = outputs x + constant
    Eigen::VectorXd b, constant, start;
    bool regular = false;
};

StateSpace solve(const Tree& t) {
    struct Bond {
        int from_junction, to_junction;  // -1: not a junction
    };
    std::vector<Bond> bonds;
    for (const auto& e : t.elements)
        bonds.push_back(e.outwards ? Bond{e.junction, -1} : Bond{-1, e.junction});
    std::vector<std::pair<int, int>> two_ports;
    for (const auto& l : t.links) {
        if (l.type == 'p') {
            bonds.push_back({l.a, l.b});
            two_ports.emplace_back(-1, -1);
        } else {
            two_ports.emplace_back(static_cast<int>(bonds.size()), static_cast<int>(bonds.size()) + 1);
            bonds.push_back({l.a, -1});
            bonds.push_back({-1, l.b});
        }
    }
    const auto n = static_cast<Eigen::Index>(bonds.size());
    int states = 0;
    for (const auto& e : t.elements) states += e.type == 'C' || e.type == 'I';
    if (states == 0) return {};
    Eigen::MatrixXd left = Eigen::MatrixXd::Zero(2 * n, 2 * n), right = Eigen::MatrixXd::Zero(2 * n, states);
    Eigen::VectorXd known = Eigen::VectorXd::Zero(2 * n);
    StateSpace s;
    s.start = Eigen::VectorXd::Zero(states);
    Eigen::MatrixXd pick = Eigen::MatrixXd::Zero(states, 2 * n);
    Eigen::Index row = 0, state = 0;
    const auto effort = [](Eigen::Index b) { return 2 * b; };
    const auto flow = [](Eigen::Index b) { return 2 * b + 1; };
    for (std::size_t i = 0; i < t.elements.size(); ++i) {
        const auto& e = t.elements[i];
        const auto b = static_cast<Eigen::Index>(i);
        const bool source = e.type == 'e' || e.type == 'f';
        const double sign = e.outwards != source ? 1 : -1;
        switch (e.type) {
            case 'R':
                left(row, effort(b)) = 1;
                left(row, flow(b)) = -e.value * sign;
                break;
            case 'C':
                left(row, effort(b)) = e.value;
                right(row, state) = 1;
                pick(state, flow(b)) = sign;
                s.start(state++) = e.initial;
                break;
            case 'I':
                left(row, flow(b)) = e.value * sign;
                right(row, state) = 1;
                pick(state, effort(b)) = 1;
                s.start(state++) = e.initial;
                break;
            case 'e':
                left(row, effort(b)) = 1;
                known(row) = e.value;
                break;
            default:
                left(row, flow(b)) = sign;
                known(row) = e.value;
        }
        ++row;
    }
    for (std::size_t i = 0; i < t.links.size(); ++i) {
        if (two_ports[i].first < 0) continue;
        const Eigen::Index in = two_ports[i].first, out = two_ports[i].second;
        const bool transformer = t.links[i].type == 'T';
        const double r = t.links[i].ratio;
        left(row, effort(in)) = 1;
        left(row++, transformer ? effort(out) : flow(out)) = -r;
        left(row, transformer ? flow(out) : effort(out)) = 1;
        left(row++, flow(in)) = -r;
    }
    for (std::size_t j = 0; j < t.zero.size(); ++j) {
        Eigen::Index first = -1;
        const Eigen::Index sum = row++;
        for (Eigen::Index b = 0; b < n; ++b)
            for (int end = 0; end < 2; ++end) {
                if ((end == 0 ? bonds[b].from_junction : bonds[b].to_junction) != static_cast<int>(j))
                    continue;
                left(sum, t.zero[j] ? flow(b) : effort(b)) += end == 0 ? -1 : 1;
                if (first >= 0) {
                    left(row, t.zero[j] ? effort(b) : flow(b)) = 1;
                    left(row++, t.zero[j] ? effort(first) : flow(first)) = -1;
                }
                first = b;
            }
    }
    if (row != 2 * n) return s;
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(left);
    // Only graphs in which every storage is independent, and well away from those in which it is not.
    if (!lu.isInvertible() || lu.rcond() < 1e-3) return s;
    s.outputs = lu.solve(right);
    s.constant = lu.solve(known);
    s.a = pick * s.outputs;
    s.b = pick * s.constant;
    s.regular = true;
    return s;
}

// (x, 1)' = [a b; 0 0] (x, 1)
Eigen::VectorXd state_at(const StateSpace& s, double t) {
    const auto n = s.a.rows();
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n + 1, n + 1);
    m.topLeftCorner(n, n) = s.a * t;
    m.topRightCorner(n, 1) = s.b * t;
    Eigen::VectorXd x(n + 1);
    x << s.start, 1;
    return (Eigen::MatrixXd(m.exp()) * x).head(n);
}

}  // namespace

TEST_CASE("Linear graphs follow the exponential of their state matrix", "[bonds]") {
    std::mt19937 random(7);
    int tried = 0, drawn = 0;
    while (tried < 120 && drawn < 20000) {
        ++drawn;
        const Tree tree = random_tree(random);
        const StateSpace s = solve(tree);
        if (!s.regular || s.start.size() == 0) continue;
        ++tried;
        const std::string text = text_of(tree);
        INFO(text);
        const Trace trace = simulate(load_model_text("random.toml", text));
        for (const auto& error : trace.errors) FAIL(error.text);
        CHECK(trace.events.empty());
        const Eigen::VectorXd wanted = s.outputs * state_at(s, 1.5) + s.constant;
        const double size = std::max(1.0, wanted.cwiseAbs().maxCoeff());
        for (std::size_t i = 0; i < tree.elements.size(); ++i)
            for (std::size_t k = 0; k < 2; ++k)
                CHECK(trace.samples[2 * i + k].back() ==
                      Approx(wanted(static_cast<Eigen::Index>(2 * i + k))).margin(1e-11 * size));
        const EnergyLedger& ledger = trace.energy;
        double balance = ledger.stored_at_start - ledger.stored_at_end,
               turnover = std::abs(ledger.stored_at_start);
        for (const auto& [element, work] : ledger.supplied) balance += work, turnover += std::abs(work);
        for (const auto& [element, work] : ledger.dissipated) balance -= work, turnover += std::abs(work);
        CHECK(std::abs(balance) <= 1e-10 * std::max(1.0, turnover));
    }
    CHECK(tried == 120);
}
