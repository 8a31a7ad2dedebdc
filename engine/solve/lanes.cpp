// Rows of numbers, eight lanes at a time, and what a processor has for them.
#include "engine/solve/lanes.hpp"

#include "signal/sine.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

#if defined(__GNUC__)
#define DELTAFLOW_INLINE inline __attribute__((always_inline))
#else
#define DELTAFLOW_INLINE inline
#endif

// Of these eight make a word of the widest processors; others take it in parts.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
typedef double Word __attribute__((vector_size(64), may_alias));
typedef std::int64_t Bits __attribute__((vector_size(64), may_alias));
constexpr std::size_t words = lane_count / 8;

DELTAFLOW_INLINE Word& word(Row& row, std::size_t w) { return reinterpret_cast<Word*>(row.lane.data())[w]; }
DELTAFLOW_INLINE const Word& word(const Row& row, std::size_t w) {
    return reinterpret_cast<const Word*>(row.lane.data())[w];
}

bool is_algebra(Primitive op) {
    switch (op) {
        case Primitive::constant:
        case Primitive::time:
        case Primitive::sine:
        case Primitive::polynomial:
        case Primitive::affine:
        case Primitive::product:
        case Primitive::exp:
        case Primitive::sin:
        case Primitive::cos:
        case Primitive::atan:
        case Primitive::sinh:
        case Primitive::cosh:
        case Primitive::tanh:
            return true;
        default:
            return false;
    }
}

// In a batch whose coefficients are equal, inputs that all its blocks share come first (execute.cpp).
bool shared_come_first(const Program& p, const Run& run) {
    if (run.batch < 0 || run.op != Primitive::affine) return false;
    const Batch& b = p.batches[run.batch];
    if (b.parameter_step != 0 || b.terms < 1 || b.terms > 6) return false;
    const auto* in = p.batch_inputs.data() + b.first_input;
    return std::all_of(in, in + b.terms,
                       [](const auto& input) { return input.second == 0 || input.second == 1; });
}

}  // namespace

bool runs_in_lanes(const System& s, const Program& p) {
    if (!p.loops.empty() || p.highest != 0) return false;
    return std::all_of(p.runs.begin(), p.runs.end(),
                       [&](const Run& run) {
                           return run.offset <= 0 && (run.op == Primitive::integrator || is_algebra(run.op));
                       }) &&
           s.delays.empty();
}

LaneProgram lane_program(const System& s, const Program& p) {
    LaneProgram all;
    for (const Run& run : p.runs) {
        if (run.op == Primitive::integrator || run.op == Primitive::constant || run.offset < 0) continue;
        const bool reordered = shared_come_first(p, run);
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const NodeId n = p.order[run.first + i];
            const Node& node = s.d.nodes[n];
            LaneProgram::Block block{run.op,
                                     n,
                                     static_cast<std::uint32_t>(all.terms.size()),
                                     0,
                                     node.first_parameter,
                                     node.parameter_count};
            for (const bool shared : {true, false})
                for (std::uint32_t j = 0; j < node.input_count; ++j) {
                    const bool is_shared =
                        !reordered || p.batch_inputs[p.batches[run.batch].first_input + j].second == 0;
                    if (is_shared == shared)
                        all.terms.push_back({s.d.inputs_of(n)[j], node.first_parameter + j + 1});
                }
            block.count = static_cast<std::uint32_t>(all.terms.size()) - block.first;
            all.blocks.push_back(block);
        }
    }
    return all;
}

// Everything that is done many times. It is compiled once for each kind of processor.
struct LaneFlow::Work {
    LaneFlow& f;

    template <class F>
    DELTAFLOW_INLINE static void each(Row& out, const Row& u, const F& function) {
        for (std::size_t i = 0; i < lane_count; ++i) out.lane[i] = function(u.lane[i]);
    }

    DELTAFLOW_INLINE static void sines(Row& out, const Row& u, int quarters) {
        Word far = {};  // a choice stays in words; the bits of a comparison alone would be made one by one
        for (std::size_t w = 0; w < words; ++w) {
            far += word(u, w) <= sine::largest ? Word{} : Word{} + 1.0;
            far += word(u, w) >= -sine::largest ? Word{} : Word{} + 1.0;
        }
        if ((far[0] + far[1]) + (far[2] + far[3]) + ((far[4] + far[5]) + (far[6] + far[7])) != 0)
            return each(out, u, [&](double x) { return quarters == 0 ? sine::sin(x) : sine::cos(x); });
        for (std::size_t w = 0; w < words; ++w) sine::of<Word, Bits>(word(u, w), quarters, word(out, w));
    }

    DELTAFLOW_INLINE void affine(const LaneProgram& p, const LaneProgram::Block& b, Rows& a) const {
        const LaneProgram::Term* terms = p.terms.data() + b.first;
        for (std::size_t w = 0; w < words; ++w) {
            Word sum = word(f.numbers_[b.parameter], w);
            for (std::uint32_t j = 0; j < b.count; ++j)
                sum = sum + word(f.numbers_[terms[j].parameter], w) * word(a[terms[j].node], w);
            word(a[b.out], w) = sum;
        }
    }

    DELTAFLOW_INLINE void product(const LaneProgram::Term* terms, Row& out, const Rows& a) const {
        for (std::size_t w = 0; w < words; ++w)
            word(out, w) = word(a[terms[0].node], w) * word(a[terms[1].node], w);
    }

    DELTAFLOW_INLINE void sine(const LaneProgram::Block& b, Row& out, double t) const {
        const Row* p = f.numbers_.data() + b.parameter;
        for (std::size_t i = 0; i < lane_count; ++i)
            out.lane[i] = p[0].lane[i] * std::sin(p[1].lane[i] * t + p[2].lane[i]);
    }

    DELTAFLOW_INLINE void polynomial(const LaneProgram::Block& b, Row& out, double t) const {
        const Row* p = f.numbers_.data() + b.parameter;
        for (std::size_t w = 0; w < words; ++w) {
            Word sum = {};
            for (std::uint32_t j = b.parameter_count; j-- > 0;) sum = sum * t + word(p[j], w);
            word(out, w) = sum;
        }
    }

    DELTAFLOW_INLINE void run(const LaneProgram& p, Rows& a, double t) const {
        for (const LaneProgram::Block& b : p.blocks) {
            Row& out = a[b.out];
            const LaneProgram::Term* terms = p.terms.data() + b.first;
            switch (b.op) {
                case Primitive::affine:
                    affine(p, b, a);
                    break;
                case Primitive::product:
                    product(terms, out, a);
                    break;
                case Primitive::time:
                    out.lane.fill(t);
                    break;
                case Primitive::sine:
                    sine(b, out, t);
                    break;
                case Primitive::polynomial:
                    polynomial(b, out, t);
                    break;
                case Primitive::exp:
                    each(out, a[terms[0].node], [](double u) { return std::exp(u); });
                    break;
                case Primitive::sin:
                    sines(out, a[terms[0].node], 0);
                    break;
                case Primitive::cos:
                    sines(out, a[terms[0].node], 1);
                    break;
                case Primitive::atan:
                    each(out, a[terms[0].node], [](double u) { return std::atan(u); });
                    break;
                case Primitive::sinh:
                    each(out, a[terms[0].node], [](double u) { return std::sinh(u); });
                    break;
                case Primitive::cosh:
                    each(out, a[terms[0].node], [](double u) { return std::cosh(u); });
                    break;
                case Primitive::tanh:
                    each(out, a[terms[0].node], [](double u) { return std::tanh(u); });
                    break;
                default:
                    break;
            }
        }
    }

    DELTAFLOW_INLINE void slopes(double t, const Rows& x, Rows& slope) const {
        for (std::size_t i = 0; i < x.size(); ++i) f.a_[f.states_[i]] = x[i];
        run(f.slopes_, f.a_, t);
        for (std::size_t i = 0; i < x.size(); ++i) slope[i] = f.a_[f.slope_of_[i]];
    }

    // A stage at t, where the states stand: its part of the sum, and the states of the next one.
    DELTAFLOW_INLINE void stage(double t, const Rows& sum, double share, double ahead) const {
        run(f.slopes_, f.a_, t);
        for (const std::size_t i : f.moving_slopes_) f.kept_[i] = f.a_[f.slope_of_[i]];
        for (std::size_t i = 0; i < f.x0_.size(); ++i) {
            const Row& slope = f.is_moving_[i] ? f.kept_[i] : f.a_[f.slope_of_[i]];
            Row& state = f.a_[f.states_[i]];
            for (std::size_t w = 0; w < words; ++w) {
                const Word k = word(slope, w);
                word(f.x1_[i], w) = word(sum[i], w) + share * k;
                word(state, w) = word(f.x0_[i], w) + ahead * k;
            }
        }
    }

    DELTAFLOW_INLINE void note_bad(const Row& row) const {
        for (std::size_t w = 0; w < words; ++w) {
            const Word difference = word(row, w) - word(row, w);  // 0 of what is finite
            word(f.bad_, w) += difference != difference ? Word{} + 1.0 : Word{};
        }
    }

    // In the order of Boost.Odeint's runge_kutta4_classic.
    DELTAFLOW_INLINE void step(double t, double h) const {
        const double half = h / 2, sixth = h / 6, third = h / 3;
        for (std::size_t i = 0; i < f.x0_.size(); ++i) f.a_[f.states_[i]] = f.x0_[i];
        stage(t, f.x0_, sixth, half);
        stage(t + half, f.x1_, third, half);
        stage(t + half, f.x1_, third, h);
        stage(t + h, f.x1_, sixth, 0);
    }

    DELTAFLOW_INLINE void interpolate(double s) const {
        const double h = f.h_, u = s / h;
        for (std::size_t i = 0; i < f.x0_.size(); ++i)
            for (std::size_t w = 0; w < words; ++w) {
                const Word x0 = word(f.x0_[i], w), d = word(f.x1_[i], w) - x0, f0 = word(f.f0_[i], w),
                           f1 = word(f.f1_[i], w);
                word(f.middle_[i], w) =
                    x0 + u * (h * f0 + u * ((3 * d - h * (2 * f0 + f1)) + u * (h * (f0 + f1) - 2 * d)));
            }
    }

    DELTAFLOW_INLINE void show(double t, const Rows& x) const {
        for (std::size_t i = 0; i < x.size(); ++i) f.shown_[f.states_[i]] = x[i];
        run(f.outputs_of_, f.shown_, t);
        for (const Row& row : f.shown_) note_bad(row);
    }
};
#pragma GCC diagnostic pop

namespace {

#if defined(__x86_64__) && defined(__GNUC__)
#define DELTAFLOW_WIDE 1
__attribute__((target("avx512f"))) void step_widest(const LaneFlow::Work& work, double t, double h) {
    work.step(t, h);
}
__attribute__((target("avx2"))) void step_wide(const LaneFlow::Work& work, double t, double h) {
    work.step(t, h);
}
#endif
void step_plainly(const LaneFlow::Work& work, double t, double h) { work.step(t, h); }

using StepFunction = void (*)(const LaneFlow::Work&, double, double);
StepFunction best_step() {
#ifdef DELTAFLOW_WIDE
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return step_widest;
    if (__builtin_cpu_supports("avx2")) return step_wide;
#endif
    return step_plainly;
}

}  // namespace

bool LaneFlow::is_possible(const System& s) {
    return !s.has_instants && !s.has_modes() && s.singular.empty() && s.assertions.empty() &&
           !s.derivative.offset.empty() && runs_in_lanes(s, s.derivative) && runs_in_lanes(s, s.output);
}

LaneFlow::LaneFlow(const System& s)
    : slopes_(lane_program(s, s.derivative)),
      outputs_of_(lane_program(s, s.output)),
      states_(s.states),
      numbers_(s.d.parameters.size()),
      a_(s.d.nodes.size()),
      shown_(s.d.nodes.size()) {
    for (const NodeId n : states_) {
        const NodeId slope = s.d.inputs_of(n)[0];
        const bool is_state = std::binary_search(states_.begin(), states_.end(), slope);
        if (is_state) moving_slopes_.push_back(slope_of_.size());
        is_moving_.push_back(is_state);
        slope_of_.push_back(slope);
        initial_.push_back(s.d.nodes[n].first_parameter);
    }
    for (NodeId n = 0; n < s.d.nodes.size(); ++n)
        if (s.d.nodes[n].op == Primitive::constant) {
            constants_.push_back(n);
            constant_.push_back(s.d.nodes[n].first_parameter);
        }
    for (const System::Output& output : s.outputs) outputs_.push_back(output.node);
    for (Rows* rows : {&x0_, &x1_, &f0_, &f1_, &kept_, &middle_}) rows->resize(states_.size());
}

void LaneFlow::set_numbers(std::size_t lane, std::span<const double> parameters) {
    for (std::size_t i = 0; i < parameters.size(); ++i) numbers_[i].lane[lane] = parameters[i];
}

void LaneFlow::begin() {
    bad_ = {};
    for (std::size_t i = 0; i < states_.size(); ++i) x0_[i] = numbers_[initial_[i]];
    for (std::size_t i = 0; i < constants_.size(); ++i)
        a_[constants_[i]] = shown_[constants_[i]] = numbers_[constant_[i]];
}

void LaneFlow::step(double t, double h) {
    static const StepFunction best = best_step();
    best(Work{*this}, t, h);
    t_ = t;
    h_ = h;
    knows_slopes_ = false;
}

void LaneFlow::show(double s) {
    const Work work{*this};
    if (s == h_) return work.show(t_ + s, x1_);
    if (!knows_slopes_) {
        work.slopes(t_, x0_, f0_);
        work.slopes(t_ + h_, x1_, f1_);
    }
    knows_slopes_ = true;
    work.interpolate(s);
    work.show(t_ + s, middle_);
}

void LaneFlow::show_here(double t) { Work{*this}.show(t, x0_); }

}  // namespace deltaflow
