// Points in the order of time.
#include "report/plot/phase.hpp"

#include <cmath>

namespace deltaflow::report {

namespace {

// More points than this are not seen; then every second one goes.
constexpr std::size_t most_points = 40000;

}  // namespace

std::optional<std::pair<std::string, std::string>> phase_names(const std::string& pattern) {
    const std::size_t colon = pattern.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == pattern.size()) return std::nullopt;
    return std::pair(pattern.substr(0, colon), pattern.substr(colon + 1));
}

// What an event does not tell of is where it was.
void PhasePen::add(const Trace& part, const Instant& instant) {
    for (const Event& event : instant.events) {
        if (!event.committed) continue;
        std::optional<double> left[2] = {last_[0], last_[1]}, right[2] = {last_[0], last_[1]};
        bool jumps = false;
        for (const Jump& jump : part.jumps_of(event))
            for (int side = 0; side < 2; ++side)
                if (jump.signal == signals_[side]) {
                    left[side] = jump.left;
                    right[side] = jump.right;
                    jumps = jumps || jump.left != jump.right;
                }
        if (!jumps) continue;
        put(left);
        curve_.pieces.emplace_back();
        put(right);
    }
    if (!instant.sample) return;
    const std::optional<double> here[2] = {part.samples[signals_[0]][*instant.sample],
                                           part.samples[signals_[1]][*instant.sample]};
    put(here);
}

void PhasePen::put(const std::optional<double> (&at)[2]) {
    if (!at[0] || !at[1]) return;
    if (curve_.pieces.empty()) curve_.pieces.emplace_back();
    if (!std::isfinite(*at[0]) || !std::isfinite(*at[1])) {
        if (!curve_.pieces.back().empty()) curve_.pieces.emplace_back();
        return;
    }
    curve_.pieces.back().push_back({*at[0], *at[1]});
    last_[0] = at[0];
    last_[1] = at[1];
    if (++points_ > most_points) thin();
}

void PhasePen::thin() {
    points_ = 0;
    for (auto& piece : curve_.pieces) {
        std::vector<CurvePoint> kept;
        for (std::size_t i = 0; i < piece.size(); ++i)
            if (i % 2 == 0 || i + 1 == piece.size()) kept.push_back(piece[i]);
        piece = std::move(kept);
        points_ += piece.size();
    }
    if (points_ <= most_points / 2 || curve_.pieces.size() < most_points / 4) return;
    curve_.pieces.erase(curve_.pieces.begin(),
                        curve_.pieces.begin() + static_cast<std::ptrdiff_t>(curve_.pieces.size() / 2));
}

}  // namespace deltaflow::report
