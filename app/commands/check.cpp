// `deltaflow check`: what can be said of a model without running it.
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/input.hpp"
#include "engine/simulate.hpp"
#include "report/write/json.hpp"
#include "report/write/summary.hpp"

namespace deltaflow::app {

using namespace report;

int check(const CheckOptions& options) {
    const FlatModel model = load_input(options.model, options.load);
    claim_outputs({options.json}, files_of(model));
    const CheckReport report = deltaflow::check(model);
    if (!options.json.empty())
        write_file(options.json, [&](Output& output) { write_json(report, model.sources, output); });
    if (!options.quiet && options.json != "-")
        write_file("-", [&](Output& output) { write_summary(model, report, output); });
    return 0;
}

}  // namespace deltaflow::app
