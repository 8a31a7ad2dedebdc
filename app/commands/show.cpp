// `deltaflow show`: the model as a picture, as DOT, or as a list.
#include "app/arguments.hpp"
#include "app/commands/commands.hpp"
#include "app/dot.hpp"
#include "app/files.hpp"
#include "app/input.hpp"
#include "app/interrupt.hpp"
#include "app/picture_file.hpp"
#include "engine/simulate.hpp"
#include "report/plot/sketch.hpp"
#include "report/scheme/svg.hpp"
#include "report/text/notation.hpp"

#include <algorithm>
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

// The model with a block for each expression of a shape, and these recorded.
FlatModel moving_model(const ShowOptions& options, const FlatModel& model, const Animation& animation) {
    LoadOptions load = options.load;
    load.record = animation.blocks();
    try {
        return load_model_text(model.sources.files[0].path, text_with_shapes(model, animation), load);
    } catch (ModelError& error) {
        if (!error.sources.files.empty()) error.sources.files[0].path += " with its shapes";
        throw;
    }
}

// Values of the shapes at these times, each once, in order.
std::vector<AnimationFrame> frames_of(const ShowOptions& options, const FlatModel& model,
                                      const Animation& animation) {
    std::vector<double> times = options.at;
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    FlatModel moving = moving_model(options, model, animation);
    for (const double t : times)
        if (t < moving.settings.start || t > moving.settings.stop)
            throw std::invalid_argument(fmt::format("--at {}: the run goes from {} to {}", number_text(t),
                                                    number_text(moving.settings.start),
                                                    number_text(moving.settings.stop)));
    moving.settings.at = times;
    std::vector<AnimationFrame> frames;
    if (moving.record.empty()) {
        for (const double t : times) frames.push_back({t, {}});
        return frames;
    }
    const Trace trace = simulate(moving);
    for (std::size_t k = 0; k < trace.t.size(); ++k) {
        frames.push_back({trace.t[k], {}});
        for (const auto& column : trace.samples) frames.back().values.push_back(column[k]);
    }
    if (frames.empty()) throw std::invalid_argument("the run ends before these times");
    return frames;
}

int show_shapes(const ShowOptions& options) {
    const FlatModel model = load_input(options.model, options.load);
    claim_outputs({options.svg}, files_of(model));
    const Animation animation = animation_of(model);
    if (animation.shapes.empty()) throw std::invalid_argument("--at: the model has no shapes in [animation]");
    if (options.svg.empty()) throw std::invalid_argument("--at draws shapes: add --svg FILE");
    const auto frames = frames_of(options, model, animation);
    write_picture(options.svg, [&](Output& output) { write_svg(model.name, animation, frames, output); });
    return 0;
}

}  // namespace

int show(const ShowOptions& options) {
    try {
        if (!options.at.empty()) return show_shapes(options);
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
