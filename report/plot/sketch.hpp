// The shapes of a model at some times, side by side.
#pragma once

#include "report/plot/shapes.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

// Values of Animation::blocks() at one time.
struct AnimationFrame {
    double t = 0;
    std::vector<double> values;
};

// One picture for each frame, all of one scale.
void write_svg(const std::string& title, const Animation& animation,
               const std::vector<AnimationFrame>& frames, Output& output);

}  // namespace deltaflow::report
