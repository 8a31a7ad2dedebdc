// `deltaflow exact`: the run in fractions, each signal in closed form.
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/input.hpp"
#include "app/interrupt.hpp"
#include "report/text/exit_code.hpp"
#include "report/text/notation.hpp"
#include "report/write/exact_text.hpp"

#include <algorithm>

namespace deltaflow::app {

using namespace report;

namespace {

constexpr std::size_t pieces_at_once = 1000;  // of a signal

// Up to where a signal has more pieces than that.
ExactTrace beginning_of(ExactTrace trace) {
    for (const ExactSignal& signal : trace.signals)
        if (signal.pieces.size() > pieces_at_once && signal.pieces[pieces_at_once].from < trace.end) {
            trace.end = signal.pieces[pieces_at_once].from;
            trace.end_is_exact = false;  // something else begins there
        }
    for (ExactSignal& signal : trace.signals) {
        const auto is_later = [&](const auto& at) { return !(at < trace.end); };
        const auto last = std::find_if(signal.pieces.begin(), signal.pieces.end(),
                                       [&](const ExactPiece& piece) { return is_later(piece.from); });
        signal.pieces.erase(last, signal.pieces.end());
        std::erase_if(signal.impulses, [&](const ExactImpulses& i) { return is_later(i.at); });
    }
    return trace;
}

// Who interrupts does not wait for a hundred thousand lines.
ExactTrace shown_of(ExactTrace trace) {
    const bool is_long =
        std::any_of(trace.signals.begin(), trace.signals.end(),
                    [](const ExactSignal& signal) { return signal.pieces.size() > pieces_at_once; });
    if (trace.end_reason != EndReason::interrupted || !is_long) return trace;
    trace = beginning_of(std::move(trace));
    tell(fmt::format("the closed forms are written up to t = {}\n", time_text(to_double(trace.end))));
    return trace;
}

void write_for_people(const ExactTrace& trace, bool latex) {
    write_file("-", [&](Output& output) {
        latex ? write_exact_latex(trace, output) : write_exact_text(trace, output);
    });
}

}  // namespace

int closed_forms(const ExactOptions& options) {
    const FractionBook book;  // notes what the numbers of the model are while it is read
    const FlatModel model = load_input(options.model, options.load);
    claim_outputs({options.json}, files_of(model));
    constexpr double patience = 0.15;  // seconds: a single number may take long
    keep_order(patience);
    ExactTrace trace = run_exactly(model, book, {&interrupt_flag(), {}});
    keep_order();
    const std::vector<RunError> errors = trace.errors;
    if (!options.json.empty())
        write_file(options.json, [&](Output& output) { write_exact_json(trace, output); });
    if (!options.quiet && options.json != "-") write_for_people(shown_of(std::move(trace)), options.latex);
    for (const RunError& error : errors) tell(line_text(error.text));
    return unless_interrupted(errors.empty() ? 0 : exit_code(errors.front().kind));
}

}  // namespace deltaflow::app
