// Work over a step.
#include "engine/run/flow/work.hpp"

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// The integral over [0, h] of the product of two polynomials.
double integral_of_product(std::span<const double> a, std::span<const double> b, double h) {
    double sum = 0, power = h;
    for (std::size_t k = 0; k < a.size() + b.size() - 1; ++k, power *= h) {
        double c = 0;
        for (std::size_t i = k < b.size() ? 0 : k - b.size() + 1; i <= k && i < a.size(); ++i)
            c += a[i] * b[k - i];
        sum += c * power / static_cast<double>(k + 1);
    }
    return sum;
}

}  // namespace

void Work::add(double h) {
    if (!at_.m->stepper->has_series()) return add_by_points(h);
    const auto& elements = modes_->graph().elements;
    const auto work_of = [&](const bonds::Element& e) {
        const auto effort = at_.m->stepper->series(e.effort), flow = at_.m->stepper->series(e.flow);
        return effort.empty() || flow.empty() ? 0.0 : integral_of_product(effort, flow, h);
    };
    for (auto* side : {&book_.ledger.supplied, &book_.ledger.dissipated})
        for (auto& [element, work] : *side) {
            const double more = work_of(elements[element]);
            work += more;
            book_.turnover += std::abs(more);
        }
}

// Without series: Gauss's rule on the method's own interpolation.
void Work::add_by_points(double h) {
    using Rule = boost::math::quadrature::gauss<double, 7>;
    for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
        const double x = Rule::abscissa()[i], w = Rule::weights()[i];
        add_at(0.5 * h * (1 + x), 0.5 * h * w);
        if (x != 0) add_at(0.5 * h * (1 - x), 0.5 * h * w);
    }
}

void Work::add_at(double s, double weight) {
    Rungs<double>& rungs = at_.m->ledger;
    at_.m->stepper->states(s, at_.m->scratch);
    for (std::size_t i = 0; i < at_.s->states.size(); ++i) *rungs.at(at_.s->states[i]) = at_.m->scratch[i];
    fill_delayed(state_, at_.s->delays, rungs, state_.t + s, static_cast<int>(rungs.stride));
    const Frame<double> f{rungs.a.data(), rungs.stride, &at_.s->d, &state_.now, state_.t + s};
    execute(at_.s->ledger, at_.m->ledger_work, f, -at_.s->ledger.highest, 0);
    const auto& elements = modes_->graph().elements;
    for (auto* side : {&book_.ledger.supplied, &book_.ledger.dissipated})
        for (auto& [element, work] : *side) {
            const double more =
                weight * *rungs.at(elements[element].effort) * *rungs.at(elements[element].flow);
            work += more;
            book_.turnover += std::abs(more);
        }
}

}  // namespace deltaflow
