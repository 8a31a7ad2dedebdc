// The engine as the page sees it: a question as JSON in, an answer as JSON out.
#include "web/engine.hpp"

#include "blocks/json_text.hpp"
#include "engine/compare.hpp"
#include "engine/exact.hpp"
#include "engine/explain.hpp"
#include "engine/front/load.hpp"
#include "engine/simulate.hpp"
#include "report/explain/lesson.hpp"
#include "report/hypa/hypa.hpp"
#include "report/plot/detail.hpp"
#include "report/plot/svg.hpp"
#include "report/write/comparison.hpp"
#include "report/write/csv.hpp"
#include "report/write/exact_text.hpp"
#include "report/write/json.hpp"
#include "report/write/summary.hpp"
#include "report/write/table.hpp"
#include "web/json.hpp"

#include <array>
#include <exception>
#include <utility>

namespace deltaflow::web {

namespace {

using report::Output;
using report::text_of;

using json_text::object;  // of pieces that are JSON already

std::string quoted(const std::string& text) { return dumped(Json(text)); }

LoadOptions options_of(const Json& question) {
    LoadOptions options;
    if (question.contains("sets"))
        for (const auto& [name, value] : question.at("sets").items())
            options.set.emplace_back(name, value.get<std::string>());
    if (question.contains("record")) options.record = question.at("record").get<std::vector<std::string>>();
    options.max_blocks = 200'000;  // a page has less room than a machine
    return options;
}

FlatModel load(const Json& question) {
    return load_model_text(question.at("path").get<std::string>(), question.at("text").get<std::string>(),
                           options_of(question));
}

RunControl watched() {
    RunControl control;
    control.progress = tell_progress;
    return control;
}

std::string errors_of(const std::vector<RunError>& errors) {
    Json list = Json::array();
    for (const RunError& error : errors)
        list.push_back({{"kind", std::string(name_of(error.kind))}, {"t", error.t}, {"text", error.text}});
    return dumped(list);
}

// Samples of a window alone, as many as the page has columns.
void look_into(const Json& question, FlatModel& model) {
    const double from = std::max(question.at("from").get<double>(), model.settings.start);
    const double to = std::min(question.at("to").get<double>(), model.settings.stop);
    const int columns = question.value("columns", 600);
    model.settings.at.clear();
    for (int i = 0; i < columns; ++i) model.settings.at.push_back(from + (to - from) * i / columns);
    model.settings.at.push_back(to);
}

struct Drawn {
    double end;           // of the run
    Trace trace;          // with the samples that people look at
    std::string picture;  // as JSON
};

Drawn draw_all(const Json& question, FlatModel& model) {
    const auto columns = question.value("columns", std::size_t{600});
    const report::SampleShares shares = report::sample_for_page(model, columns);
    TraceSink whole;
    report::Sketch sketch(question.value("panels", std::vector<report::Group>()), columns, shares.dense);
    report::SamplesAt of_trace(whole, shares.trace), of_page(sketch, shares.page);
    Sinks sinks;
    sinks.add(of_trace);
    sinks.add(of_page);
    run(model, sinks, watched());
    return {whole.trace().end_t, std::move(whole.trace()), picture_text(sketch.picture(columns))};
}

Drawn draw_window(const Json& question, FlatModel& model) {
    look_into(question, model);
    const double from = question.at("from").get<double>(), to = question.at("to").get<double>();
    Trace whole = simulate(model, watched());
    const double end = whole.end_t;
    Trace trace = within(std::move(whole), from, to);
    const auto groups = question.value("panels", std::vector<report::Group>());
    std::string picture =
        picture_text(report::picture_of(trace, groups, question.value("columns", std::size_t{600})));
    return {end, std::move(trace), std::move(picture)};
}

// More events than anybody looks at would hold up the page; the picture has been drawn of all of them, and a
// window of time has its own.
constexpr std::size_t most_events = 20'000;

// The run for the picture: as fine as the page can show it, and all that is known of it.
std::string drawn(const Json& question) {
    FlatModel model = load(question);
    Drawn drawn = question.contains("from") ? draw_window(question, model) : draw_all(question, model);
    Trace& trace = drawn.trace;
    if (trace.events.size() > most_events) trace.events.resize(most_events);
    return object({{"model", dumped(model_json(model))},
                   {"end", dumped(Json(drawn.end))},
                   {"picture", drawn.picture},
                   {"trace", text_of([&](Output& o) { report::write_json(trace, o); })},
                   {"errors", errors_of(trace.errors)},
                   {"warnings", dumped(Json(trace.warnings))}});
}

// The run as the program would write it into files.
std::string written(const Json& question) {
    FlatModel model = load(question);
    const std::string what = question.at("as").get<std::string>();
    if (what == "svg") report::sample_for_page(model, report::svg_columns);
    const Trace trace = simulate(model, watched());
    const std::string text = text_of([&](Output& o) {
        if (what == "csv") report::write_csv(trace, o);
        if (what == "json") report::write_json(trace, o);
        if (what == "svg") report::write_svg(report::picture_of(trace, {}, report::svg_columns), o);
        if (what == "table") report::write_table(trace, o);
        if (what == "summary") report::write_summary(trace, o);
    });
    return object({{"text", quoted(text)}, {"errors", errors_of(trace.errors)}});
}

std::string checked(const Json& question) {
    const FlatModel model = load(question);
    const CheckReport found = check(model);
    return object({{"report", text_of([&](Output& o) { report::write_json(found, model.sources, o); })},
                   {"text", quoted(text_of([&](Output& o) { report::write_summary(model, found, o); }))}});
}

std::string explained(const Json& question) {
    const FlatModel model = load(question);
    InstantChoice choice;
    if (question.contains("at"))
        choice.at = question.at("at").get<double>();
    else
        choice.event = question.at("event").get<std::uint64_t>();
    const Explanation e = explain(model, choice, watched());
    if (!e.found) return object({{"found", "false"}, {"events", std::to_string(e.event_count)}});
    const report::Lesson lesson = report::lesson_of(e, question.value("all", false));
    return object({{"found", "true"},
                   {"lesson", text_of([&](Output& o) { report::write_json(lesson, o); })},
                   {"latex", quoted(text_of([&](Output& o) { report::write_latex(lesson, o); }))},
                   {"text", quoted(text_of([&](Output& o) { report::write_text(lesson, o); }))},
                   {"errors", errors_of(e.errors)}});
}

std::string exactly(const Json& question) {
    const FractionBook book;  // notes what the numbers of the model are while it is read
    const FlatModel model = load(question);
    const ExactTrace trace = run_exactly(model, book, watched());
    return object({{"forms", text_of([&](Output& o) { report::write_exact_json(trace, o); })},
                   {"latex", quoted(text_of([&](Output& o) { report::write_exact_latex(trace, o); }))},
                   {"text", quoted(text_of([&](Output& o) { report::write_exact_text(trace, o); }))},
                   {"errors", errors_of(trace.errors)}});
}

std::vector<Rational> steps_of(const Json& question, const Settings& s) {
    const Rational span = exact(s.stop) - exact(s.start);
    std::vector<Rational> steps;
    for (const std::string& text : question.value("steps", std::vector<std::string>()))
        if (const auto step = parse_rational(text)) steps.push_back(*step);
    if (!steps.empty()) return steps;
    for (const int parts : question.value("parts", std::vector<int>{100, 1000, 10000}))
        steps.push_back(span / Rational(Integer(parts)));
    return steps;
}

std::string compared(const Json& question) {
    const FlatModel all = load(question);
    LoadOptions only;
    only.record =
        std::vector<std::string>{question.contains("signal") ? question.at("signal").get<std::string>()
                                                             : signal_to_compare(all, watched())};
    const FlatModel one = with(all, only);
    const std::vector<Rational> steps = steps_of(question, all.settings);
    const Comparison comparison = compare(all, one, {steps.data(), steps.size()});
    return object({{"rows", text_of([&](Output& o) { report::write_json(comparison, o); })},
                   {"text", quoted(text_of([&](Output& o) { report::write_comparison(comparison, o); }))},
                   {"errors", errors_of(comparison.errors)}});
}

std::string shown(const Json& question) {
    namespace scheme = report::scheme;
    const FlatModel model = load(question);
    const bonds::Mode mode = scheme::read_mode(model.graph, question.value("mode", std::string()));
    const scheme::Picture picture =
        scheme::make_picture(model, mode, {question.value("flat", false), false, 150});
    return object({{"scheme", dumped(scheme_json(picture))},
                   {"text", quoted(scheme::listing(picture))},
                   {"rightwards", quoted(scheme::dot_text(picture, scheme::Direction::rightwards))},
                   {"downwards", quoted(scheme::dot_text(picture, scheme::Direction::downwards))}});
}

std::string processes(const Json& question) {
    return object(
        {{"text", quoted(report::hybrid_processes(load(question), question.value("latex", false)))}});
}

std::string catalogue(const Json&) { return dumped(catalogue_json()); }
std::string loaded(const Json& question) { return object({{"model", dumped(model_json(load(question)))}}); }

struct Answerer {
    std::string_view what;
    std::string (*answer)(const Json&);
};
constexpr std::array<Answerer, 10> answerers{{{"catalogue", catalogue},
                                              {"load", loaded},
                                              {"run", drawn},
                                              {"write", written},
                                              {"check", checked},
                                              {"explain", explained},
                                              {"exact", exactly},
                                              {"compare", compared},
                                              {"show", shown},
                                              {"hypa", processes}}};

std::string failure(const std::string& text) { return object({{"failure", quoted(text)}}); }

std::string answer(const Json& question) {
    const std::string what = question.at("do").get<std::string>();
    for (const Answerer& answerer : answerers)
        if (answerer.what == what) return answerer.answer(question);
    return failure("nobody knows how to " + what);
}

}  // namespace

std::string answer_to(const char* question) {
    try {
        return answer(Json::parse(question));
    } catch (const ModelError& error) {
        return object({{"mistakes", dumped(mistakes_json(error))}, {"text", quoted(error.what())}});
    } catch (const std::bad_alloc&) {
        return failure("there is not enough memory for this in a browser");
    } catch (const std::exception& error) {
        return failure(error.what());
    }
}

}  // namespace deltaflow::web
