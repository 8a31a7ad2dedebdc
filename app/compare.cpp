// `deltaflow compare`: symbolic against numeric impulses over a list of steps.
#include "app/commands.hpp"
#include "app/comparison.hpp"
#include "app/detail.hpp"
#include "app/notation.hpp"
#include "app/svg.hpp"

namespace deltaflow::app {

namespace {

// A hundredth, a thousandth and a ten thousandth of the run.
std::vector<Rational> default_steps(const Settings& s) {
    const Rational span = exact(s.stop) - exact(s.start);
    return {span / Rational(Integer(100)), span / Rational(Integer(1000)), span / Rational(Integer(10000))};
}

void write_if_asked(const std::string& path, const Writer& writer) {
    if (!path.empty()) write_file(path, writer);
}

}  // namespace

int compare(const CompareOptions& options) {
    const Model all = load_model(options.model, options.load);
    for (const std::string& path : {options.json, options.svg})
        if (!path.empty()) require_writable(path);
    LoadOptions load = options.load;
    load.record = {options.signal.empty() ? all.record.front().name : options.signal};
    const Model one = load_model(options.model, load);
    Comparison comparison =
        deltaflow::compare(all, one, options.steps.empty() ? default_steps(all.settings) : options.steps);
    write_if_asked(options.json, [&](Output& output) { write_json(comparison, output); });
    if (!options.quiet && options.json != "-" && options.svg != "-")
        write_file("-", [&](Output& output) { write_comparison(comparison, output); });
    if (!options.svg.empty()) comparison.symbolic = detailed(one, comparison.symbolic, svg_columns, {});
    write_if_asked(options.svg, [&](Output& output) { write_svg(comparison, output); });
    for (const RunError& error : comparison.errors) fmt::print(stderr, "{}", line_text(error.text));
    return comparison.errors.empty() ? 0 : comparison.errors.front().code;
}

}  // namespace deltaflow::app
