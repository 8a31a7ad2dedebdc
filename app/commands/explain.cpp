// `explain`: one instant worked step by step.
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/input.hpp"
#include "app/interrupt.hpp"
#include "app/picture_file.hpp"
#include "report/explain/lesson.hpp"
#include "report/text/exit_code.hpp"
#include "report/text/notation.hpp"

#include <fmt/format.h>

namespace deltaflow::app {

using namespace report;

namespace {

std::string nothing_words(const ExplainOptions& options, const Explanation& e) {
    std::string text =
        options.at ? fmt::format("nothing happens at t = {}", time_text(*options.at))
                   : fmt::format("there is no event {}; the run has {}", options.event, e.event_count);
    if (e.near.empty()) return text + fmt::format(", and no instant at all up to t = {}", time_text(e.end_t));
    text += "\ninstants near it:";
    for (const auto& [t, event] : e.near)
        text +=
            fmt::format("\n  --at {}{}", time_text(t), event > 0 ? fmt::format("   (event {})", event) : "");
    return text;
}

}  // namespace

int explain(const ExplainOptions& options) {
    const FlatModel model = load_input(options.model, options.load);
    if (model.settings.impulses != ImpulseKind::symbolic) {
        tell(
            fmt::format("deltaflow explain: numeric impulses have no instants to explain; add --set "
                        "simulation.impulses=symbolic\n"));
        return 2;
    }
    claim_outputs({options.json, options.svg}, files_of(model));
    const Explanation e = deltaflow::explain(model, {options.at, options.event, options.all});
    if (!e.found) {
        tell(fmt::format("deltaflow explain: {}\n", nothing_words(options, e)));
        return 2;
    }
    const Lesson lesson = lesson_of(e, options.all);
    if (!options.json.empty()) write_file(options.json, [&](Output& output) { write_json(lesson, output); });
    if (!options.svg.empty()) write_picture(options.svg, [&](Output& output) { write_svg(lesson, output); });
    if (options.json != "-" && options.svg != "-")
        write_file("-", [&](Output& output) {
            options.latex ? write_latex(lesson, output) : write_text(lesson, output);
        });
    for (const RunError& error : e.errors) tell(line_text(error.text));
    return e.errors.empty() ? 0 : exit_code(e.errors.front().kind);
}

}  // namespace deltaflow::app
