// What the errors of states are measured against.
#pragma once

#include "engine/compile/system.hpp"
#include "engine/limits.hpp"
#include "engine/model/archive.hpp"
#include "engine/model/model.hpp"

#include <span>
#include <vector>

namespace deltaflow {

// The error of state i may be tolerance * max(|x|, a): a is `absolute` / `tolerance`, but never more than the
// largest size that the state, or another instance of it in its array, has shown so far; without `absolute`
// it is a part of what the state itself has shown, and at most of 1. Of single steps a part of that is asked
// (limits::local_share).
class ErrorScale {
public:
    ErrorScale(const Settings& settings, const System& system, double share = limits::local_share);
    // `given`: these are the values that the model begins with, and not the rounding of others.
    void show(std::span<const double> x, bool given = false);
    double of(std::size_t i, double size) const;
    // The error that all steps together may have.
    double in_all(std::size_t i, double size) const;
    // The largest error in units of what is allowed; infinite where something is not finite.
    double ratio(std::span<const double> error, std::span<const double> x0, std::span<const double> x1) const;
    // The size that state i has shown.
    double shown(std::size_t i) const { return shown_[i]; }
    void archive(Archive& a) { a(largest_, shown_, least_, given_, shown_in_family_); }

private:
    double least(std::size_t i) const;
    double shown_by_kin(std::size_t i) const;

    double local_;      // tolerance of a step
    double tolerance_;  // and of all
    double absolute_;   // in units of the tolerance; negative: by the sizes shown
    double largest_ = 0;
    std::vector<double> shown_, least_;
    const std::vector<std::uint32_t>& families_;
    std::vector<double> shown_in_family_;
    std::vector<std::uint8_t> given_;  // not zero at the beginning
};

}  // namespace deltaflow
