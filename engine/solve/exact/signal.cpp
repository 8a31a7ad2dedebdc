// Walks back from a signal to states and sources, in fractions.
#include "engine/solve/exact/signal.hpp"

#include <algorithm>
#include <map>

namespace deltaflow {

namespace {

using closed_form::Polynomial;

// A chain of blocks longer than this is left undecided.
constexpr int deepest = 500;

struct NotPolynomial {};

Polynomial constant(double x) { return closed_form::trimmed({Quadratic(x)}); }

Polynomial sum(Polynomial a, const Polynomial& b) {
    if (a.size() < b.size()) a.resize(b.size());
    for (std::size_t k = 0; k < b.size(); ++k) a[k] = a[k] + b[k];
    return closed_form::trimmed(std::move(a));
}

Polynomial scaled(Polynomial a, double factor) {
    for (Quadratic& c : a) c = c * Quadratic(factor);
    return closed_form::trimmed(std::move(a));
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
    if (a.empty() || b.empty()) return {};
    Polynomial c(a.size() + b.size() - 1);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) c[i + j] = c[i + j] + a[i] * b[j];
    return closed_form::trimmed(std::move(c));
}

Polynomial integral(const Polynomial& a, double from) {
    Polynomial c{Quadratic(from)};
    for (std::size_t k = 0; k < a.size(); ++k) c.push_back(a[k] / Quadratic(static_cast<int>(k) + 1));
    return closed_form::trimmed(std::move(c));
}

struct Walker {
    const System& s;
    const Discrete& discrete;
    double t;
    std::span<const double> x;
    std::map<NodeId, std::optional<Polynomial>> known;  // nothing: on the way
    int depth = 0;

    const Polynomial& of(NodeId n) {
        const auto [at, is_new] = known.try_emplace(n);
        if (!is_new && !at->second) throw NotPolynomial{};  // a loop
        if (is_new) {
            if (++depth > deepest) throw NotPolynomial{};
            Polynomial p = made(n);
            at->second = std::move(p);
            --depth;
        }
        return *at->second;
    }
    const Polynomial& input(NodeId n, std::size_t j) { return of(s.d.inputs_of(n)[j]); }
    Polynomial time() const { return {Quadratic(t), Quadratic(1)}; }
    double state(NodeId n) const {
        return x[static_cast<std::size_t>(std::find(s.states.begin(), s.states.end(), n) - s.states.begin())];
    }

    Polynomial affine(NodeId n) {
        const auto p = s.d.parameters_of(n);
        Polynomial all = constant(p[0]);
        for (std::size_t j = 0; j < s.d.inputs_of(n).size(); ++j)
            if (p[j + 1] != 0) all = sum(std::move(all), scaled(input(n, j), p[j + 1]));
        return all;
    }
    // value + slope (signal - origin)
    static Polynomial line(double value, double slope, const Polynomial& signal, double origin) {
        if (slope == 0) return constant(value);
        return sum(constant(value), scaled(sum(signal, constant(-origin)), slope));
    }
    Polynomial of_time(std::span<const double> c) const {
        Polynomial p;
        for (const double x : c) p.emplace_back(x);
        return closed_form::trimmed(closed_form::shifted(p, Quadratic(t)));
    }

    Polynomial made(NodeId n) {
        const Node& node = s.d.nodes[n];
        const auto p = s.d.parameters_of(n);
        switch (node.op) {
            case Primitive::constant:
                return constant(p[0]);
            case Primitive::time:
                return time();
            case Primitive::polynomial:
                return of_time(p);
            case Primitive::schedule: {
                const Piece& piece = discrete.pieces[node.extra];
                return line(piece.value, piece.slope, time(), piece.since);
            }
            case Primitive::affine:
                return affine(n);
            case Primitive::product:
                return product(input(n, 0), input(n, 1));
            case Primitive::integrator:
                return integral(input(n, 0), state(n));
            case Primitive::derivative:
                return closed_form::derivative(input(n, 0));
            case Primitive::piecewise: {
                const auto at =
                    1 + static_cast<std::size_t>(p[0]) + 3 * static_cast<std::size_t>(discrete.branch[n]);
                return line(p[at], p[at + 1], p[at + 1] == 0 ? Polynomial{} : input(n, 0), p[at + 2]);
            }
            case Primitive::decision:
                return input(n, discrete.branch[n] == 1 ? 1 : 2);
            case Primitive::sign:
            case Primitive::floor:
            case Primitive::hysteresis:
                return constant(discrete.branch[n]);
            case Primitive::hold:
            case Primitive::unit_delay:
                return constant(discrete.held[n]);
            case Primitive::pre:
            case Primitive::assertion:
                return input(n, 0);
            case Primitive::crossing:
            case Primitive::strength:
                return {};
            default:
                throw NotPolynomial{};
        }
    }
};

}  // namespace

std::optional<closed_form::Polynomial> exact_signal(const System& s, const Discrete& discrete, double t,
                                                    std::span<const double> x, NodeId node) {
    try {
        return Walker{s, discrete, t, x, {}}.of(node);
    } catch (const NotPolynomial&) {
        return std::nullopt;
    }
}

}  // namespace deltaflow
