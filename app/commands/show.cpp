// `deltaflow show`: the model as a picture, as DOT, or as a list.
#include "app/commands/commands.hpp"
#include "app/dot.hpp"
#include "app/files.hpp"
#include "app/input.hpp"
#include "app/interrupt.hpp"
#include "app/picture_file.hpp"
#include "report/scheme/svg.hpp"

#include <stdexcept>

namespace deltaflow::app {

using namespace report;

namespace {

scheme::Layout lay_out(const scheme::Picture& picture) {
    try {
        return scheme::lay_out(picture, run_dot);
    } catch (const scheme::LayoutError& error) {
        throw OutputError(error.what());
    }
}

scheme::Picture picture_of(const ShowOptions& options) {
    const FlatModel model = load_input(options.model, options.load);
    claim_outputs({options.svg, options.dot}, files_of(model));
    const bonds::Mode mode = scheme::read_mode(model.graph, options.mode);
    return scheme::make_picture(model, mode, {options.flat, options.primitives, options.most});
}

void write_text(const std::string& path, const std::string& text) {
    write_file(path, [&](Output& output) { output.write(text); });
}

}  // namespace

int show(const ShowOptions& options) {
    try {
        const scheme::Picture picture = picture_of(options);
        if (options.svg.empty() && options.dot.empty()) write_text("-", scheme::listing(picture));
        if (!options.dot.empty()) write_text(options.dot, scheme::dot_text(picture));
        if (options.svg.empty()) return 0;
        const scheme::Layout layout = lay_out(picture);
        write_picture(options.svg, [&](Output& output) { scheme::write_svg(picture, layout, output); });
        return 0;
    } catch (const std::invalid_argument& error) {
        tell(fmt::format("deltaflow show: {}\nTry \"deltaflow show --help\".\n", error.what()));
        return 2;
    }
}

}  // namespace deltaflow::app
