// Settings as a run needs them: checked, whoever set them, and with all defaults.
#include "engine/course.hpp"
#include "engine/limits.hpp"
#include "engine/solve/steppers/stepper.hpp"

#include <fmt/format.h>

#include <cmath>

namespace deltaflow {

namespace {

// Numbers that a file could not have given; a program may have set them.
void check_numbers(const Settings& s, const Sources& sources) {
    const auto need = [&](bool holds, const char* what) {
        if (!holds) throw ModelError(ErrorKind::option, sources, {{Place{}, what, {}}});
    };
    need(std::isfinite(s.start) && std::isfinite(s.stop) && s.stop > s.start,
         "the stop time must come after the start time");
    need(s.tolerance > 0 && s.tolerance < 1, "\"tolerance\" must lie between 0 and 1");
    need(!s.absolute || *s.absolute > 0, "\"absolute\" must be greater than 0");
    need(!s.step || sign(*s.step) > 0, "\"step\" must be greater than 0");
    need(!s.every || sign(*s.every) > 0, "\"every\" must be greater than 0");
    need(!s.every || (s.stop - s.start) / to_double(*s.every) < limits::most_samples,
         "\"every\" is so short that there would be more than 10^10 samples");
}

}  // namespace

// The model with defaults that depend on other settings.
Settings complete(const FlatModel& model) {
    Settings s = model.settings;
    check_numbers(s, model.sources);
    if (s.certify && !s.method_given) s.method = Method::taylor;
    if (!s.step) s.step = (exact(s.stop) - exact(s.start)) / Rational(Integer(1000));
    const auto fail = [&](const std::string& message) {
        throw ModelError(ErrorKind::model, model.sources, {{Place{}, message, {}}});
    };
    const double step = to_double(*s.step);
    const bool fixed =
        s.impulses == ImpulseKind::numeric || s.method == Method::rk4 || s.method == Method::euler;
    if (fixed && !(s.start + step > s.start && s.stop - step < s.stop))
        fail(fmt::format("the step {} is lost in the rounding of the time from {} to {}", step, s.start,
                         s.stop));
    if (s.impulses == ImpulseKind::numeric && s.riemann == Riemann::left)
        for (const auto& automaton : model.graph.automata)
            throw ModelError(ErrorKind::model, model.sources,
                             {{automaton.place,
                               fmt::format("automaton {} has no meaning with the left sum: a storage that "
                                           "becomes dependent would get its impulse a step late, and again "
                                           "in the next step",
                                           automaton.name),
                               {"what to do: use riemann = \"right\", or impulses = \"symbolic\""}}});
    if (s.certify && (s.method != Method::taylor || s.impulses != ImpulseKind::symbolic))
        throw ModelError(
            ErrorKind::option, model.sources,
            {{Place{},
              fmt::format(
                  "certify proves runs of method \"taylor\" with symbolic impulses, not of {}",
                  s.method != Method::taylor ? fmt::format("\"{}\"", name_of(s.method)) : "numeric ones"),
              {}}});
    if (s.method == Method::cvode && !has_cvode())
        fail("method \"cvode\" needs SUNDIALS, which this program was built without");
    return s;
}

}  // namespace deltaflow
