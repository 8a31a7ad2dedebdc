// Asks the engine about a model, and puts what it finds into text.
#include "report/ask/ask.hpp"

#include "engine/compare.hpp"
#include "engine/exact.hpp"
#include "engine/explain.hpp"
#include "engine/front/load.hpp"
#include "engine/library.hpp"
#include "report/explain/lesson.hpp"
#include "report/hypa/hypa.hpp"
#include "report/plot/svg.hpp"
#include "report/scheme/svg.hpp"
#include "report/text/notation.hpp"
#include "report/write/comparison.hpp"
#include "report/write/exact_text.hpp"
#include "report/write/json.hpp"
#include "report/write/summary.hpp"

#include <fmt/format.h>

namespace deltaflow::report {

namespace {

RunControl control_of(const Watch& watch) {
    RunControl control;
    control.interrupt = watch.interrupt;
    control.progress = watch.progress;
    return control;
}

[[noreturn]] void fail_option(const std::string& text) { throw Error(ErrorKind::option, text); }

std::string nothing_words(const Moment& moment, const Explanation& e) {
    std::string text = moment.at
                           ? fmt::format("nothing happens at t = {}", time_text(*moment.at))
                           : fmt::format("there is no event {}; the run has {}", moment.event, e.event_count);
    if (e.near.empty()) return text + fmt::format(", and no instant at all up to t = {}", time_text(e.end_t));
    text += "; instants near it:";
    for (const auto& [t, event] : e.near)
        text +=
            fmt::format("\n  t = {}{}", time_text(t), event > 0 ? fmt::format("   (event {})", event) : "");
    return text;
}

std::vector<Rational> exact_steps(const std::vector<double>& steps, const Settings& s) {
    std::vector<Rational> all;
    for (const double h : steps) {
        if (!(h > 0 && std::isfinite(h))) fail_option(fmt::format("a step of {} is none", h));
        all.push_back(decimal(h));
    }
    const Rational span = deltaflow::exact(s.stop) - deltaflow::exact(s.start);
    for (const int parts : {100, 1000, 10000})
        if (steps.empty()) all.push_back(span / Rational(Integer(parts)));
    return all;
}

}  // namespace

std::string check(const Model& model, Form form) {
    const CheckReport report = in_public([&] { return deltaflow::check(model.flat()); });
    return text_of([&](Output& output) {
        if (form == Form::json)
            write_json(report, model.flat().sources, output);
        else
            write_summary(model.flat(), report, output);
    });
}

Answer exact(const Model& model, Form form, const Watch& watch) {
    const FractionBook book;  // notes what the numbers of the model are while it is made once more
    const ExactTrace trace =
        in_public([&] { return run_exactly(deltaflow::with(model.flat(), {}), book, control_of(watch)); });
    const auto write = form == Form::json    ? write_exact_json
                       : form == Form::latex ? write_exact_latex
                                             : write_exact_text;
    return {text_of([&](Output& output) { write(trace, output); }), trace.errors};
}

Answer explain(const Model& model, const Moment& moment, Form form, const Watch& watch) {
    if (model.flat().settings.impulses != ImpulseKind::symbolic)
        fail_option("numeric impulses have no instants to explain");
    const Explanation e = in_public([&] {
        return deltaflow::explain(model.flat(), {moment.at, moment.event, moment.all}, control_of(watch));
    });
    if (!e.found) fail_option(nothing_words(moment, e));
    const Lesson lesson = lesson_of(e, moment.all);
    return {text_of([&](Output& output) {
                if (form == Form::json)
                    write_json(lesson, output);
                else if (form == Form::latex)
                    write_latex(lesson, output);
                else
                    write_text(lesson, output);
            }),
            e.errors};
}

Answer compare(const Model& model, const std::vector<double>& steps, const std::string& signal, Form form,
               const Watch& watch) {
    const RunControl control = control_of(watch), silent = control_of({watch.interrupt, {}});
    if (signal.empty() && model.signals().empty())
        fail_option("the model records nothing that could be compared");
    const std::string name =
        signal.empty() ? in_public([&] { return signal_to_compare(model.flat(), silent); }) : signal;
    const Model one = model.recording({name});
    if (one.signals().size() != 1) fail_option(fmt::format("\"{}\" are several signals", signal));
    const Comparison comparison = in_public([&] {
        return deltaflow::compare(model.flat(), one.flat(), exact_steps(steps, model.flat().settings), {},
                                  control);
    });
    return {text_of([&](Output& output) {
                if (form == Form::json)
                    write_json(comparison, output);
                else if (form == Form::svg)
                    write_svg(comparison, picture_of(comparison.symbolic, {}, svg_columns), output);
                else
                    write_comparison(comparison, output);
            }),
            comparison.errors};
}

std::string show(const Model& model, const Drawing& drawing, Form form,
                 const std::function<std::string(const std::string& dot)>& place) {
    try {
        const scheme::Picture picture = in_public([&] {
            const bonds::Mode mode = scheme::read_mode(model.flat().graph, drawing.mode);
            return scheme::make_picture(model.flat(), mode, {drawing.flat, drawing.primitives, drawing.most});
        });
        if (form == Form::dot) return scheme::dot_text(picture);
        if (form != Form::svg) return scheme::listing(picture);
        const scheme::Layout layout = scheme::lay_out(picture, place);
        return text_of([&](Output& output) { scheme::write_svg(picture, layout, output); });
    } catch (const scheme::LayoutError& error) {
        throw Error(ErrorKind::file, error.what());
    } catch (const std::invalid_argument& error) {
        fail_option(error.what());
    }
}

std::string hypa(const Model& model, Form form, std::uint64_t most_modes) {
    return in_public([&] { return hybrid_processes(model.flat(), form == Form::latex, most_modes); });
}

}  // namespace deltaflow::report
