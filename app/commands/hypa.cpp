// `deltaflow hypa`: a bond graph as constitutive hybrid processes.
#include "report/hypa/hypa.hpp"
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/input.hpp"

namespace deltaflow::app {

int hypa(const HypaOptions& options) {
    const FlatModel model = load_input(options.model, options.load);
    const std::string text = report::hybrid_processes(model, options.latex, options.most_modes);
    write_file("-", [&](Output& output) { output.write(text); });
    return 0;
}

}  // namespace deltaflow::app
