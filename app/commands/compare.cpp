// `deltaflow compare`: symbolic against numeric impulses over a list of steps.
#include "app/arguments.hpp"
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/input.hpp"
#include "app/interrupt.hpp"
#include "app/picture_file.hpp"
#include "app/progress.hpp"
#include "engine/simulate.hpp"
#include "report/plot/detail.hpp"
#include "report/plot/svg.hpp"
#include "report/text/exit_code.hpp"
#include "report/text/notation.hpp"
#include "report/write/comparison.hpp"

namespace deltaflow::app {

using namespace report;

namespace {

// A hundredth, a thousandth and a ten thousandth of the run.
std::vector<Rational> default_steps(const Settings& s) {
    const Rational span = exact(s.stop) - exact(s.start);
    return {span / Rational(Integer(100)), span / Rational(Integer(1000)), span / Rational(Integer(10000))};
}

void write_if_asked(const std::string& path, const Writer& writer) {
    if (!path.empty()) write_file(path, writer);
}

int complain(const std::string& what) {
    tell(fmt::format("deltaflow compare: {}\n", what));
    return 2;
}

// Rows that were done are written before.
int interrupted() {
    tell("deltaflow compare: interrupted; steps that were not done are left out\n");
    return interrupt_code();
}

}  // namespace

int compare(const CompareOptions& options) {
    const FlatModel all = load_input(options.model, options.load);
    claim_outputs({options.json, options.svg}, files_of(all));
    if (options.signal.empty() && all.record.empty())
        return complain("the model records nothing; --signal says what to compare");
    keep_order();
    Progress progress;
    const RunControl control{&interrupt_flag(), [&progress](double fraction) { progress.show(fraction); }};
    const RunControl silent{&interrupt_flag(), {}};
    const std::string signal = options.signal.empty() ? signal_to_compare(all, silent) : options.signal;
    const FlatModel one = recording(all, {signal}, "--signal");
    if (one.record.size() != 1)
        return complain(fmt::format("--signal: \"{}\" are {} signals; compare takes one at a time",
                                    options.signal, one.record.size()));
    Sketch sketch({}, svg_columns, true);
    const auto run_drawn = [&](FlatModel symbolic) {
        const SampleShares shares = sample_for_page(symbolic, svg_columns);
        TraceSink whole;
        SamplesAt of_trace(whole, shares.trace), of_page(sketch, shares.page);
        Sinks sinks;
        sinks.add(of_trace);
        sinks.add(of_page);
        deltaflow::run(symbolic, sinks, silent);
        return std::move(whole.trace());
    };
    const Comparison comparison =
        deltaflow::compare(all, one, options.steps.empty() ? default_steps(all.settings) : options.steps,
                           options.svg.empty() ? Runner() : run_drawn, control);
    if (comparison.interrupted && comparison.rows.empty()) return interrupted();
    write_if_asked(options.json, [&](Output& output) { write_json(comparison, output); });
    if (!options.quiet && options.json != "-" && options.svg != "-")
        write_file("-", [&](Output& output) { write_comparison(comparison, output); });
    if (!options.svg.empty())
        write_picture(options.svg,
                      [&](Output& output) { write_svg(comparison, sketch.picture(svg_columns), output); });
    if (comparison.interrupted) return interrupted();
    for (const RunError& error : comparison.errors) tell(line_text(error.text));
    return comparison.errors.empty() ? 0 : exit_code(comparison.errors.front().kind);
}

}  // namespace deltaflow::app
