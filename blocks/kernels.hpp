// What each primitive block does to germs, and which rungs it reads: one entry each.
//
// Flow and right limits share `rung`: rung k of the output from Taylor rungs of the inputs. A view gives
//   v.u(j)  input j as a series, v.y() the output's own lower rungs, v.p(i) parameter i,
//   v.branch() the branch in force, v.held() the value kept by hold and unit_delay,
//   v.piece() the current piece of a schedule, v.t() the time.
// Intervals want a little more: v.in tells whether two inputs are one signal, v.saturating() is u where the
// block is 1 - tanh(u)^2. What happens to impulses is one of a few kinds (Impulses); instant programs carry
// them out.
#pragma once

#include "blocks/traits.hpp"
#include "signal/bounded.hpp"
#include "signal/dual.hpp"
#include "signal/interval.hpp"
#include "signal/taylor.hpp"

#include <array>
#include <utility>

namespace deltaflow {

template <>
struct Rule<Primitive::constant> {
    static constexpr Traits traits = kernel::source;
    template <class V>
    static auto rung(const V& v, int k) {
        return k == 0 ? typename V::Scalar(v.p(0)) : kernel::zero(v);
    }
};

template <>
struct Rule<Primitive::time> {
    static constexpr Traits traits = kernel::source;
    template <class V>
    static auto rung(const V& v, int k) {
        return k == 0 ? v.t() : typename V::Scalar(k == 1 ? 1 : 0);
    }
};

// y'' = -omega^2 y
template <>
struct Rule<Primitive::sine> {
    static constexpr Traits traits{.sources = true, .beyond_fractions = "a sine"};
    template <class V>
    static auto rung(const V& v, int k) {
        using S = typename V::Scalar;
        using std::cos;
        using std::sin;
        const S omega = S(v.p(1));
        if (k == 0) return S(S(v.p(0)) * sin(omega * v.t() + S(v.p(2))));
        if (k == 1) return S(S(v.p(0)) * omega * cos(omega * v.t() + S(v.p(2))));
        return S(-(omega * omega * v.y()(k - 2)) / S(k * (k - 1)));
    }
};

// y[k] = sum_j C(j,k) c_j t^(j-k), by Horner
template <>
struct Rule<Primitive::polynomial> {
    static constexpr Traits traits = kernel::source;
    template <class V>
    static auto rung(const V& v, int k) {
        using S = typename V::Scalar;
        S sum = S(0);
        kernel::Binomial<S> binomial = 1;
        const int degree = v.parameter_count() - 1;
        for (int j = k + 1; j <= degree; ++j) binomial = binomial * j / (j - k);
        for (int j = degree; j >= k; --j) {
            sum = sum * v.t() + S(binomial) * S(v.p(j));
            if (j > k) binomial = binomial * (j - k) / j;
        }
        return sum;
    }
};

template <>
struct Rule<Primitive::schedule> {
    static constexpr Traits traits = kernel::source;
    template <class V>
    static auto rung(const V& v, int k) {
        using S = typename V::Scalar;
        const Piece& piece = v.piece();
        if (k == 0)
            return piece.slope == 0 ? S(piece.value)
                                    : S(S(piece.value) + S(piece.slope) * (v.t() - S(piece.since)));
        return S(k == 1 ? piece.slope : 0.0);
    }
};

// (003:18, 19)
template <>
struct Rule<Primitive::affine> {
    static constexpr Traits traits{
        .shift_first = 0, .shift_second = 0, .shift_third = 0, .impulses = Impulses::linear};
    template <class V>
    static auto rung(const V& v, int k) {
        using S = typename V::Scalar;
        if constexpr (std::is_same_v<S, Interval>)
            if (k == 0)
                if (const S* u = v.saturating()) return sech_squared(*u);
        S sum = S(k == 0 ? v.p(0) : 0.0);
        for (int j = 0; j < v.input_count(); ++j) sum = sum + S(v.p(j + 1)) * v.u(j)(k);
        return sum;
    }
};

template <>
struct Rule<Primitive::product> {
    static constexpr Traits traits{.shift_first = 0, .shift_second = 0, .impulses = Impulses::leibniz};
    template <class V>
    static auto rung(const V& v, int k) {
        if constexpr (std::is_same_v<typename V::Scalar, Interval>)
            if (v.in[0] == v.in[1]) return taylor::squared(v.u(0), k);
        return taylor::product(v.u(0), v.u(1), k);
    }
};

template <>
struct Rule<Primitive::inverse> {
    static constexpr Traits traits = kernel::function(nullptr);
    template <class V>
    static auto rung(const V& v, int k) {
        return taylor::inverse(v.u(0), v.y(), k);
    }
};

template <>
struct Rule<Primitive::exp> {
    static constexpr Traits traits = kernel::function("exp", "an exponential");
    template <class V>
    static auto rung(const V& v, int k) {
        return taylor::exponential(v.u(0), v.y(), k);
    }
};

template <>
struct Rule<Primitive::log> {
    static constexpr Traits traits = kernel::function("log", "a logarithm");
    template <class V>
    static auto rung(const V& v, int k) {
        return taylor::logarithm(v.u(0), v.y(), k);
    }
};

template <>
struct Rule<Primitive::sqrt> {
    static constexpr Traits traits = kernel::function("sqrt");
    template <class V>
    static auto rung(const V& v, int k) {
        return taylor::square_root(v.u(0), v.y(), k);
    }
};

// sin' = cos u'
template <>
struct Rule<Primitive::sin> {
    static constexpr Traits traits = kernel::function("sin", "a sine");
    template <class V>
    static auto rung(const V& v, int k) {
        using taylor::sin;
        return k == 0 ? typename V::Scalar(sin(v.u(0)(0))) : taylor::chain(v.u(0), v.u(1), k);
    }
};

// cos' = -sin u'
template <>
struct Rule<Primitive::cos> {
    static constexpr Traits traits = kernel::function("cos", "a cosine");
    template <class V>
    static auto rung(const V& v, int k) {
        using taylor::cos;
        return k == 0 ? typename V::Scalar(cos(v.u(0)(0))) : -taylor::chain(v.u(0), v.u(1), k);
    }
};

// tan' = (1 + tan^2) u'
template <>
struct Rule<Primitive::tan> {
    static constexpr Traits traits = kernel::function("tan", "a tangent");
    template <class V>
    static auto rung(const V& v, int k) {
        using taylor::tan;
        return k == 0 ? typename V::Scalar(tan(v.u(0)(0))) : taylor::chain(v.u(0), v.u(1), k);
    }
};

// asin' = u' / sqrt(1 - u^2)
template <>
struct Rule<Primitive::asin> {
    static constexpr Traits traits = kernel::function("asin", "an inverse trigonometric function");
    template <class V>
    static auto rung(const V& v, int k) {
        using taylor::asin;
        return k == 0 ? typename V::Scalar(asin(v.u(0)(0)))
                      : taylor::quotient_chain(v.u(0), v.u(1), v.y(), k);
    }
};

// atan' = u' / (1 + u^2)
template <>
struct Rule<Primitive::atan> {
    static constexpr Traits traits = kernel::function("atan", "an inverse trigonometric function");
    template <class V>
    static auto rung(const V& v, int k) {
        using taylor::atan;
        return k == 0 ? typename V::Scalar(atan(v.u(0)(0)))
                      : taylor::quotient_chain(v.u(0), v.u(1), v.y(), k);
    }
};

template <>
struct Rule<Primitive::sinh> {
    static constexpr Traits traits = kernel::function("sinh", "a hyperbolic function");
    template <class V>
    static auto rung(const V& v, int k) {
        using taylor::sinh;
        return k == 0 ? typename V::Scalar(sinh(v.u(0)(0))) : taylor::chain(v.u(0), v.u(1), k);
    }
};

template <>
struct Rule<Primitive::cosh> {
    static constexpr Traits traits = kernel::function("cosh", "a hyperbolic function");
    template <class V>
    static auto rung(const V& v, int k) {
        using taylor::cosh;
        return k == 0 ? typename V::Scalar(cosh(v.u(0)(0))) : taylor::chain(v.u(0), v.u(1), k);
    }
};

template <>
struct Rule<Primitive::tanh> {
    static constexpr Traits traits = kernel::function("tanh", "a hyperbolic function");
    template <class V>
    static auto rung(const V& v, int k) {
        using taylor::tanh;
        return k == 0 ? typename V::Scalar(tanh(v.u(0)(0))) : taylor::chain(v.u(0), v.u(1), k);
    }
};

template <>
struct Rule<Primitive::power> {
    static constexpr Traits traits = kernel::function(nullptr, "a power with a broken exponent");
    template <class V>
    static auto rung(const V& v, int k) {
        return taylor::power(v.u(0), v.y(), v.p(0), k);
    }
};

// theta' = (x y' - y x') / (x^2 + y^2); `side` says on which side of the cut y = 0, x < 0 we are.
template <>
struct Rule<Primitive::atan2> {
    static constexpr Traits traits = kernel::angle("atan2", "an inverse trigonometric function");
    template <class V>
    static auto rung(const V& v, int k) {
        using S = typename V::Scalar;
        using taylor::atan2;
        const auto y = v.u(0);
        const auto x = v.u(1);
        if constexpr (std::is_same_v<S, Interval> || std::is_same_v<S, DualOf<Interval>>) {
            if (k == 0) return S(angle(y(0), x(0), v.p(0)));
        } else if (k == 0) {
            // On the cut rounding must not choose the side: y counts as zero, the side as given.
            const bool on_cut = value(x(0)) < 0 && value(y(0)) * v.p(0) <= 0;
            const S angle = atan2(on_cut ? S(y(0) - S(value(y(0)))) : S(y(0)), x(0));
            return on_cut && v.p(0) < 0 ? S(angle - S(2 * 3.141592653589793)) : angle;
        }
        const S sum = taylor::weighted(y, x, k, k) - taylor::weighted(x, y, k, k) -
                      taylor::weighted(v.y(), v.u(2), k, k - 1);
        return S(sum / (S(k) * v.u(2)(0)));
    }
};

// y[k] = u[k-1] / k; rung 0 is the state.
template <>
struct Rule<Primitive::integrator> {
    static constexpr Traits traits{.shift_first = -1, .impulses = Impulses::climb};
    template <class V>
    static auto rung(const V& v, int k) {
        using S = typename V::Scalar;
        return k == 0 ? v.y()(0) : S(v.u(0)(k - 1) / S(k));
    }
};

// y[k] = (k+1) u[k+1]
template <>
struct Rule<Primitive::derivative> {
    static constexpr Traits traits{.shift_first = 1, .impulses = Impulses::fall};
    template <class V>
    static auto rung(const V& v, int k) {
        using S = typename V::Scalar;
        return S(S(k + 1) * v.u(0)(k + 1));
    }
};

// Its rungs are filled in from the history of its input.
template <>
struct Rule<Primitive::delay> {
    static constexpr Traits traits{.impulses = Impulses::store};
    template <class V>
    static auto rung(const V& v, int k) {
        return v.y()(k);
    }
};

// Branch b is y_b + s_b (u - x_b).
template <>
struct Rule<Primitive::piecewise> {
    static constexpr Traits traits{.shift_first = 0, .impulses = Impulses::refuse, .branches = true};
    template <class V>
    static auto rung(const V& v, int k) {
        using S = typename V::Scalar;
        const int at = 1 + static_cast<int>(v.p(0)) + 3 * v.branch();
        const double slope = v.p(at + 1);
        if (slope == 0) return S(k == 0 ? v.p(at) : 0.0);
        if (k > 0) return S(S(slope) * v.u(0)(k));
        return S(S(v.p(at)) + S(slope) * (v.u(0)(0) - S(v.p(at + 2))));
    }
};

template <>
struct Rule<Primitive::floor> {
    static constexpr Traits traits{.impulses = Impulses::refuse, .branches = true, .word = "floor"};
    template <class V>
    static auto rung(const V& v, int k) {
        return typename V::Scalar(k == 0 ? v.branch() : 0);
    }
};

// (003:23): branch 1 is `then`
template <>
struct Rule<Primitive::decision> {
    static constexpr Traits traits{.shift_first = unread,
                                   .shift_second = 0,
                                   .shift_third = 0,
                                   .impulses = Impulses::select,
                                   .branches = true};
    template <class V>
    static auto rung(const V& v, int k) {
        return v.u(v.branch() == 1 ? 1 : 2)(k);
    }
};

template <>
struct Rule<Primitive::sign> {
    static constexpr Traits traits{.impulses = Impulses::refuse, .branches = true, .word = "sign"};
    template <class V>
    static auto rung(const V& v, int k) {
        return typename V::Scalar(k == 0 ? v.branch() : 0);
    }
};

template <>
struct Rule<Primitive::hysteresis> {
    static constexpr Traits traits{.impulses = Impulses::refuse, .branches = true, .word = "hysteresis"};
    template <class V>
    static auto rung(const V& v, int k) {
        return typename V::Scalar(k == 0 ? v.branch() : 0);
    }
};

// Nothing but an impulse, and that only at instants.
template <>
struct Rule<Primitive::crossing> {
    static constexpr Traits traits{.impulses = Impulses::refuse, .word = "crossing"};
    template <class V>
    static auto rung(const V& v, int) {
        return kernel::zero(v);
    }
};

// In flow the left limit is the signal itself.
template <>
struct Rule<Primitive::pre> {
    static constexpr Traits traits{.shift_first = 0, .word = "pre"};
    template <class V>
    static auto rung(const V& v, int k) {
        return v.u(0)(k);
    }
};

template <>
struct Rule<Primitive::hold> {
    static constexpr Traits traits{.impulses = Impulses::sample, .word = "hold"};
    template <class V>
    static auto rung(const V& v, int k) {
        return k == 0 ? typename V::Scalar(v.held()) : kernel::zero(v);
    }
};

template <>
struct Rule<Primitive::unit_delay> {
    static constexpr Traits traits{.impulses = Impulses::sample, .word = "unit_delay"};
    template <class V>
    static auto rung(const V& v, int k) {
        return k == 0 ? typename V::Scalar(v.held()) : kernel::zero(v);
    }
};

template <>
struct Rule<Primitive::assertion> {
    static constexpr Traits traits{.shift_first = 0, .impulses = Impulses::refuse};
    template <class V>
    static auto rung(const V& v, int k) {
        return v.u(0)(k);
    }
};

// The weight of a branch's upper side while it slides: its equation is c^(r) = 0, an algebraic loop on rungs.
// With r = 0, where integrators are sums over a step, c = threshold.
template <>
struct Rule<Primitive::held> {
    static constexpr Traits traits{
        .shift_first = 0, .shift_second = 0, .impulses = Impulses::refuse, .word = "held"};
    template <class V>
    static auto rung(const V& v, int k) {
        using S = typename V::Scalar;
        const int order = static_cast<int>(v.p(0));
        S c = v.u(0)(k + order);
        if (k + order == 0) c = c - S(v.p(1));
        kernel::Binomial<S> factor = 1;
        for (int i = 1; i <= order; ++i) factor = factor * (k + i);
        return S(v.u(1)(k) + S(v.p(2)) * S(factor) * c);
    }
};

template <>
struct Rule<Primitive::strength> {
    static constexpr Traits traits{.impulses = Impulses::none, .word = "impulse"};
    template <class V>
    static auto rung(const V& v, int) {
        return kernel::zero(v);
    }
};

template <>
struct Rule<Primitive::free> {
    static constexpr Traits traits = kernel::source;
    template <class V>
    static auto rung(const V& v, int) {
        return kernel::zero(v);
    }
};

namespace kernel {
template <std::size_t... I>
constexpr std::array<Traits, primitive_count> collect(std::index_sequence<I...>) {
    return {Rule<static_cast<Primitive>(I)>::traits...};
}
inline constexpr auto all_traits = collect(std::make_index_sequence<primitive_count>{});

// The rule of any primitive, for one kind of view.
template <class V, Primitive P>
typename V::Scalar rung(const V& v, int k) {
    return Rule<P>::rung(v, k);
}
template <class V, std::size_t... I>
constexpr auto rung_table(std::index_sequence<I...>) {
    return std::array{&rung<V, static_cast<Primitive>(I)>...};
}
}  // namespace kernel

constexpr const Traits& traits_of(Primitive op) { return kernel::all_traits[static_cast<std::size_t>(op)]; }

// Input j of node n is read up to rung k + this.
inline int shift_of(const Diagram& d, NodeId n, std::size_t input) {
    const Primitive op = d.nodes[n].op;
    return op == Primitive::held && input == 0 ? static_cast<int>(d.parameters_of(n)[0])
                                               : traits_of(op).shift(input);
}

// Rung k of a block of any kind.
template <class V>
typename V::Scalar rung_of(Primitive op, const V& v, int k) {
    static constexpr auto table = kernel::rung_table<V>(std::make_index_sequence<primitive_count>{});
    return table[static_cast<std::size_t>(op)](v, k);
}

}  // namespace deltaflow
