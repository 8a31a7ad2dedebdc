// Random networks of ideal diodes, resistors, coils, capacitors and sources against linear complementarity
// problems that are solved here, by other means: node voltages given the states, and the states by steps of
// the implicit Euler method with small leaks.
#include "tests/engine/run.hpp"
#include "tests/engine/seeds.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <optional>
#include <random>

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

struct Branch {
    char kind;  // v, i, r, c, l, d
    int from, to;
    double value, initial;  // of a source: amplitude and phase
};

struct Circuit {
    int nodes = 0;
    std::vector<Branch> branches;
};

double source(const Branch& b, double t) { return b.value * std::sin(3 * t + b.initial); }

std::string line_of(const Branch& b, std::size_t i) {
    const auto node = [](int n) { return n == 0 ? std::string("ground") : fmt::format("n{}", n); };
    const std::string ends = fmt::format("between = \"{} {}\"", node(b.from), node(b.to));
    const auto line = [&](const char* type, const std::string& rest) {
        return fmt::format("b{} = {{ type = \"{}\", {}{} }}\n", i, type, ends, rest);
    };
    switch (b.kind) {
        case 'v':
        case 'i':
            return line(b.kind == 'v' ? "voltage" : "current",
                        fmt::format(", value = \"{}*sin(3*t + {})\"", b.value, b.initial));
        case 'r':
            return line("resistor", fmt::format(", value = {}", b.value));
        case 'd':
            return line("diode", "");
        default:
            return line(b.kind == 'c' ? "capacitor" : "inductor",
                        fmt::format(", value = {}, initial = {}", b.value, b.initial));
    }
}

// `order`: the lines may stand in any.
std::string text_of(const Circuit& circuit, const std::vector<std::size_t>& order, double stop) {
    std::string text = "[circuit]\n";
    for (const std::size_t i : order) text += line_of(circuit.branches[i], i);
    text += fmt::format("[simulation]\nstop = {}\nrecord = [", stop);
    for (int n = 1; n <= circuit.nodes; ++n) text += fmt::format("\"n{}.voltage\", ", n);
    for (std::size_t i = 0; i < circuit.branches.size(); ++i)
        text += fmt::format("\"b{0}.current\", \"b{0}.voltage\", ", i);
    return text + "]\n";
}

std::vector<std::size_t> in_order(const Circuit& circuit) {
    std::vector<std::size_t> order(circuit.branches.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

class Dice {
public:
    explicit Dice(unsigned seed) : random_(seed) {}
    int whole(int a, int b) { return std::uniform_int_distribution<int>(a, b)(random_); }
    double real(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
    template <class T>
    void shuffle(std::vector<T>& list) {
        std::shuffle(list.begin(), list.end(), random_);
    }

private:
    std::mt19937 random_;
};

// z >= 0, q + M z >= 0, one of each pair zero, by exchanging the violated pair of least index (Murty). M is
// made definite by a leak.
Eigen::VectorXd complementary(Eigen::MatrixXd m, const Eigen::VectorXd& q, double leak) {
    const auto n = q.size();
    m.diagonal().array() += leak;
    std::vector<bool> on(static_cast<std::size_t>(n), false);
    for (int tries = 0; tries < 100000; ++tries) {
        std::vector<Eigen::Index> basis;
        for (Eigen::Index i = 0; i < n; ++i)
            if (on[static_cast<std::size_t>(i)]) basis.push_back(i);
        const auto size = static_cast<Eigen::Index>(basis.size());
        Eigen::MatrixXd part(size, size);
        Eigen::VectorXd right(size), z = Eigen::VectorXd::Zero(n);
        for (Eigen::Index i = 0; i < size; ++i) {
            right(i) = -q(basis[static_cast<std::size_t>(i)]);
            for (Eigen::Index j = 0; j < size; ++j)
                part(i, j) = m(basis[static_cast<std::size_t>(i)], basis[static_cast<std::size_t>(j)]);
        }
        if (size > 0) {
            const Eigen::VectorXd solved = part.partialPivLu().solve(right);
            for (Eigen::Index i = 0; i < size; ++i) z(basis[static_cast<std::size_t>(i)]) = solved(i);
        }
        const Eigen::VectorXd w = q + m * z;
        Eigen::Index bad = n;
        for (Eigen::Index i = 0; i < n && bad == n; ++i)
            if (on[static_cast<std::size_t>(i)] ? z(i) < -1e-9 : w(i) < -1e-9) bad = i;
        if (bad == n) return z;
        on[static_cast<std::size_t>(bad)] = !on[static_cast<std::size_t>(bad)];
    }
    FAIL("the reference found no solution");
    return q;
}

// Kirchhoff's laws and those of the branches: unknowns are voltages of nodes and currents of branches. With
// h > 0 coils and capacitors take an implicit Euler step from their states, else their states are given.
class Laws {
public:
    Laws(const Circuit& circuit, double h) : circuit_(circuit), n_(circuit.nodes) {
        const auto all = n_ + static_cast<Eigen::Index>(circuit.branches.size());
        Eigen::MatrixXd m = Eigen::MatrixXd::Zero(all, all);
        for (std::size_t i = 0; i < circuit.branches.size(); ++i) {
            const Branch& b = circuit.branches[i];
            const Eigen::Index row = n_ + static_cast<Eigen::Index>(i);
            if (b.from > 0) m(b.from - 1, row) += 1;
            if (b.to > 0) m(b.to - 1, row) -= 1;
            const bool by_current = b.kind == 'i' || b.kind == 'd' || (b.kind == 'l' && h == 0);
            if (!by_current && b.from > 0) m(row, b.from - 1) += 1;
            if (!by_current && b.to > 0) m(row, b.to - 1) -= 1;
            m(row, row) = by_current      ? 1
                          : b.kind == 'r' ? -b.value
                          : b.kind == 'c' ? -h / b.value
                          : b.kind == 'l' ? -b.value / h
                                          : 0;
            if (b.kind == 'd') diodes_.push_back(i);
        }
        // An open network has nodes that float: a leak to ground holds them.
        for (int n = 0; n < n_; ++n) m(n, n) += h == 0 ? 1e-10 : 1e-6;
        solver_ = m.fullPivLu();
        prepare(all);
    }

    Eigen::VectorXd solve(const std::vector<double>& states, double t, double h, double leak) const {
        Eigen::VectorXd right = Eigen::VectorXd::Zero(solver_.rows());
        for (std::size_t i = 0; i < circuit_.branches.size(); ++i) {
            const Branch& b = circuit_.branches[i];
            const Eigen::Index row = n_ + static_cast<Eigen::Index>(i);
            if (b.kind == 'v' || b.kind == 'i') right(row) = source(b, t);
            if (b.kind == 'c') right(row) = states[i];
            if (b.kind == 'l') right(row) = h == 0 ? states[i] : -b.value / h * states[i];
        }
        const Eigen::VectorXd open = solver_.solve(right);
        Eigen::VectorXd q(static_cast<Eigen::Index>(diodes_.size()));
        for (std::size_t k = 0; k < diodes_.size(); ++k) q(static_cast<Eigen::Index>(k)) = -across(open, k);
        return diodes_.empty() ? open : open + columns_ * complementary(matrix_, q, leak);
    }

    double voltage(const Eigen::VectorXd& x, int node) const { return node == 0 ? 0 : x(node - 1); }

private:
    double across(const Eigen::VectorXd& x, std::size_t k) const {
        const Branch& b = circuit_.branches[diodes_[k]];
        return voltage(x, b.from) - voltage(x, b.to);
    }

    // What a unit of current through each diode does.
    void prepare(Eigen::Index all) {
        const auto count = static_cast<Eigen::Index>(diodes_.size());
        columns_ = Eigen::MatrixXd::Zero(all, count);
        matrix_ = Eigen::MatrixXd::Zero(count, count);
        for (std::size_t k = 0; k < diodes_.size(); ++k) {
            Eigen::VectorXd unit = Eigen::VectorXd::Zero(all);
            unit(n_ + static_cast<Eigen::Index>(diodes_[k])) = 1;
            const auto column = static_cast<Eigen::Index>(k);
            columns_.col(column) = solver_.solve(unit);
            for (std::size_t j = 0; j < diodes_.size(); ++j)
                matrix_(static_cast<Eigen::Index>(j), column) = -across(columns_.col(column), j);
        }
    }

    const Circuit& circuit_;
    int n_;
    std::vector<std::size_t> diodes_;
    Eigen::FullPivLU<Eigen::MatrixXd> solver_;
    Eigen::MatrixXd columns_, matrix_;
};

// Where a chain of diodes leads from `node`.
std::vector<bool> reached(const Circuit& c, int node, bool backwards) {
    std::vector<bool> found(static_cast<std::size_t>(c.nodes) + 1, false);
    std::vector<int> work{node};
    while (!work.empty()) {
        const int n = work.back();
        work.pop_back();
        if (found[static_cast<std::size_t>(n)]) continue;
        found[static_cast<std::size_t>(n)] = true;
        for (const Branch& b : c.branches)
            if (b.kind == 'd' && (backwards ? b.to : b.from) == n) work.push_back(backwards ? b.from : b.to);
    }
    return found;
}

// A tree of resistors, so that voltages follow from states; no chain of diodes joins two nodes whose voltages
// are held, by a source or a capacitor.
Circuit draw_regular(Dice& dice) {
    Circuit c{dice.whole(2, dice.whole(0, 3) == 0 ? 30 : 8), {}};
    std::vector<bool> held(static_cast<std::size_t>(c.nodes) + 1, false);
    held[0] = true;
    for (int n = 1; n <= c.nodes; ++n)
        c.branches.push_back({'r', n, dice.whole(0, n - 1), dice.real(0.5, 2), 0});
    for (int n = 1; n <= c.nodes; ++n)
        if (dice.whole(0, 2) == 0) {
            held[static_cast<std::size_t>(n)] = true;
            c.branches.push_back({"ccv"[dice.whole(0, 2)], n, 0, dice.real(0.5, 2), dice.real(-1, 1)});
        }
    const auto any_held = [&](const std::vector<bool>& nodes) {
        for (std::size_t n = 0; n < nodes.size(); ++n)
            if (nodes[n] && held[n]) return true;
        return false;
    };
    for (int i = dice.whole(1, 2 * c.nodes); i > 0; --i) {
        const int a = dice.whole(0, c.nodes), b = (a + dice.whole(1, c.nodes)) % (c.nodes + 1);
        const char kind = "dddli"[dice.whole(0, 4)];
        if (kind == 'd' && any_held(reached(c, a, true)) && any_held(reached(c, b, false))) continue;
        c.branches.push_back({kind, a, b, dice.real(0.5, 2), dice.real(-1, 1)});
    }
    return c;
}

std::vector<double> states_at(const Circuit& circuit, const Trace& trace, double t) {
    std::vector<double> states;
    for (std::size_t i = 0; i < circuit.branches.size(); ++i) {
        const char kind = circuit.branches[i].kind;
        states.push_back(kind == 'c'   ? sample(trace, fmt::format("b{}.voltage", i), t)
                         : kind == 'l' ? sample(trace, fmt::format("b{}.current", i), t)
                                       : 0);
    }
    return states;
}

// Nothing, and a failure, where a run does not go well.
std::optional<Trace> run_well(const std::string& text, const std::vector<double>& at) {
    try {
        Trace trace = run(text, at);
        if (trace.end_reason == EndReason::stop) return trace;
    } catch (const ModelError& error) {
        FAIL_CHECK(error.what());
    }
    return std::nullopt;
}

void check_laws(const Circuit& circuit, const Trace& trace, double t) {
    const Laws laws(circuit, 0);
    const Eigen::VectorXd x = laws.solve(states_at(circuit, trace, t), t, 0, 1e-7);
    for (int n = 1; n <= circuit.nodes; ++n)
        CHECK(sample(trace, fmt::format("n{}.voltage", n), t) == close_to(x(n - 1), 1e-5));
}

// Steps of implicit Euler: the states at t, to the order of h.
std::vector<double> euler(const Circuit& circuit, double t, double h) {
    const Laws laws(circuit, h);
    std::vector<double> states;
    for (const Branch& b : circuit.branches) states.push_back(b.initial);
    for (int k = 1; k * h < t + h / 2; ++k) {
        const Eigen::VectorXd x = laws.solve(states, k * h, h, 1e-6);
        for (std::size_t i = 0; i < states.size(); ++i) {
            const Branch& b = circuit.branches[i];
            if (b.kind == 'c') states[i] = laws.voltage(x, b.from) - laws.voltage(x, b.to);
            if (b.kind == 'l') states[i] = x(circuit.nodes + static_cast<Eigen::Index>(i));
        }
    }
    return states;
}

void check_states(const Circuit& circuit, const Trace& trace, double t, double h, double tolerance) {
    const std::vector<double> wanted = euler(circuit, t, h), found = states_at(circuit, trace, t);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        INFO("b" << i);
        const char kind = circuit.branches[i].kind;
        if (kind == 'c' || kind == 'l') CHECK(found[i] == close_to(wanted[i], tolerance));
    }
}

}  // namespace

TEST_CASE("Random networks of ideal diodes obey their laws at every sample", "[networks][slow]") {
    for (unsigned seed = 0; seed < tests::seeds(200); ++seed) {
        Dice dice(seed);
        const Circuit circuit = draw_regular(dice);
        const std::string text = text_of(circuit, in_order(circuit), 1);
        INFO("seed " << seed << "\n" << text);
        const auto trace = run_well(text, {0, 0.3, 0.65, 1});
        if (!trace) continue;
        for (const double t : {0.0, 0.3, 0.65, 1.0}) check_laws(circuit, *trace, t);
        check_states(circuit, *trace, 1, 2e-3, 2e-2);
    }
}

TEST_CASE("The order of lines changes nothing in random networks of ideal diodes", "[networks]") {
    for (unsigned seed = 100; seed < 100 + tests::seeds(40); ++seed) {
        Dice dice(seed);
        const Circuit circuit = draw_regular(dice);
        std::vector<std::size_t> order = in_order(circuit);
        INFO("seed " << seed << "\n" << text_of(circuit, order, 1));
        const auto first = run_well(text_of(circuit, order, 1), {0.5, 1});
        dice.shuffle(order);
        const auto second = run_well(text_of(circuit, order, 1), {0.5, 1});
        if (!first || !second) continue;
        for (const std::string& signal : first->signals)
            for (const double t : {0.5, 1.0}) {
                INFO(signal << " at " << t);
                CHECK(sample(*second, signal, t) == close_to(sample(*first, signal, t), 1e-9));
            }
    }
}

namespace {

// Anything between anything, and no resistance where none is drawn: voltages of capacitors and currents of
// coils may jump, and parts may float.
Circuit draw_any(Dice& dice) {
    Circuit c{dice.whole(2, 7), {}};
    for (int n = 1; n <= c.nodes; ++n)
        c.branches.push_back(
            {"rcldd"[dice.whole(0, 4)], n, dice.whole(0, n - 1), dice.real(0.5, 2), dice.real(-1, 1)});
    for (int i = dice.whole(1, 2 * c.nodes); i > 0; --i) {
        const int a = dice.whole(0, c.nodes), b = (a + dice.whole(1, c.nodes)) % (c.nodes + 1);
        c.branches.push_back({"rcddl"[dice.whole(0, 4)], a, b, dice.real(0.5, 2), dice.real(-1, 1)});
    }
    return c;
}

double energy(const Circuit& circuit, const std::vector<double>& states) {
    double sum = 0;
    for (std::size_t i = 0; i < states.size(); ++i)
        if (const Branch& b = circuit.branches[i]; b.kind == 'c' || b.kind == 'l')
            sum += b.value * states[i] * states[i] / 2;
    return sum;
}

}  // namespace

TEST_CASE("Random networks of anything jump where they must, and create no energy", "[networks][slow]") {
    for (unsigned seed = 1000; seed < 1000 + tests::seeds(400); ++seed) {
        Dice dice(seed);
        const Circuit circuit = draw_any(dice);
        const std::string text = text_of(circuit, in_order(circuit), 1);
        INFO("seed " << seed << "\n" << text);
        const std::vector<double> times{0, 0.25, 0.5, 0.75, 1};
        const auto trace = run_well(text, times);
        if (!trace) continue;
        std::vector<double> start;
        for (const Branch& b : circuit.branches) start.push_back(b.initial);
        double before = energy(circuit, start);
        for (const double t : times) {
            const double now = energy(circuit, states_at(circuit, *trace, t));
            CHECK(now <= before * (1 + 1e-9) + 1e-12);
            before = now;
        }
        check_states(circuit, *trace, 1, 1e-3, 2e-2);
    }
}
