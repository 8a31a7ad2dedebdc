// `deltaflow exact`: the run in fractions, each signal in closed form.
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/input.hpp"
#include "app/interrupt.hpp"
#include "report/text/exit_code.hpp"
#include "report/text/notation.hpp"
#include "report/write/exact_text.hpp"

namespace deltaflow::app {

using namespace report;

int closed_forms(const ExactOptions& options) {
    const FractionBook book;  // notes what the numbers of the model are while it is read
    const FlatModel model = load_input(options.model, options.load);
    claim_outputs({options.json}, files_of(model));
    constexpr double patience = 0.15;  // seconds: a single number may take long
    keep_order(patience);
    const ExactTrace trace = run_exactly(model, book, {&interrupt_flag(), {}});
    keep_order();
    if (!options.json.empty())
        write_file(options.json, [&](Output& output) { write_exact_json(trace, output); });
    if (!options.quiet && options.json != "-")
        write_file("-", [&](Output& output) {
            options.latex ? write_exact_latex(trace, output) : write_exact_text(trace, output);
        });
    for (const RunError& error : trace.errors) tell(line_text(error.text));
    return unless_interrupted(trace.errors.empty() ? 0 : exit_code(trace.errors.front().kind));
}

}  // namespace deltaflow::app
