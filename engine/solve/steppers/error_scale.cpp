// Sizes that states have shown, and the errors that they allow.
#include "engine/solve/steppers/error_scale.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// What a state has shown counts for less than what it is: a state that decays keeps its digits for a while,
// and one that passes zero costs a few short steps.
constexpr double shown_part = 1e-4;

}  // namespace

ErrorScale::ErrorScale(const Settings& settings, const System& system, double share)
    : local_(std::max(share * settings.tolerance, limits::smallest_local_tolerance)),
      tolerance_(std::max(settings.tolerance, local_)),
      absolute_(settings.absolute ? *settings.absolute / settings.tolerance : -1),
      shown_(system.states.size(), 0.0),
      least_(system.states.size(), 0.0),
      families_(system.families),
      shown_in_family_(families_.empty() ? 0 : *std::max_element(families_.begin(), families_.end()) + 1) {}

void ErrorScale::show(std::span<const double> x, bool given) {
    bool news = given_.empty();
    if (given_.empty())
        for (const double value : x) given_.push_back(given && value != 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!(std::abs(x[i]) > shown_[i])) continue;
        shown_[i] = std::abs(x[i]);
        largest_ = std::max(largest_, shown_[i]);
        news = true;
    }
    if (!news) return;
    for (std::size_t i = 0; i < families_.size(); ++i)
        shown_in_family_[families_[i]] = std::max(shown_in_family_[families_[i]], shown_[i]);
    for (std::size_t i = 0; i < x.size(); ++i) least_[i] = least(i);
}

double ErrorScale::shown_by_kin(std::size_t i) const {
    return families_.empty() ? shown_[i] : shown_in_family_[families_[i]];
}

// A state that began as zero matters once it is no longer negligible beside the largest. `absolute` is one
// number for charges and temperatures alike: what a quantity has shown is never given away for it.
double ErrorScale::least(std::size_t i) const {
    const double largest = largest_ > 0 ? std::min(largest_, 1.0) : 1;
    const double beside = given_[i] ? 0 : limits::size_beside_largest * largest;
    if (absolute_ >= 0)
        return std::min(absolute_, std::max({shown_by_kin(i), beside, limits::least_absolute_size}));
    return std::max({shown_part * std::min(shown_[i], 1.0), beside, limits::least_size});
}

double ErrorScale::of(std::size_t i, double size) const { return local_ * std::max(size, least_[i]); }

double ErrorScale::in_all(std::size_t i, double size) const { return tolerance_ * std::max(size, least_[i]); }

double ErrorScale::ratio(std::span<const double> error, std::span<const double> x0,
                         std::span<const double> x1) const {
    double worst = 0, finite = 0;
    for (std::size_t i = 0; i < error.size(); ++i) {
        finite += 0 * x1[i] + 0 * error[i];
        worst = std::max(worst, std::abs(error[i]) / of(i, std::max(std::abs(x0[i]), std::abs(x1[i]))));
    }
    return finite == 0 ? worst : HUGE_VAL;
}

}  // namespace deltaflow
