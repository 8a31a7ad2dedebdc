// One signal over another: a curve of a phase plane.
#pragma once

#include "report/plot/curve.hpp"
#include "report/write/instants.hpp"

#include <optional>
#include <string>
#include <utility>

namespace deltaflow::report {

// "x:y" is y over x.
std::optional<std::pair<std::string, std::string>> phase_names(const std::string& pattern);

// Draws while a run goes on; the room it takes is bounded. Where one of the two jumps the line is broken.
class PhasePen {
public:
    PhasePen(std::size_t across, std::size_t up) : signals_{across, up} {}
    void add(const Trace& part, const Instant& instant);
    const Curve& curve() const { return curve_; }  // CurvePoint::t is the signal across

private:
    void put(const std::optional<double> (&at)[2]);
    void thin();

    std::size_t signals_[2];
    std::optional<double> last_[2];
    Curve curve_;
    std::size_t points_ = 0;
};

}  // namespace deltaflow::report
