// Where a run is sampled, and the samples of one island that nobody has taken yet.
#pragma once

#include "engine/model/model.hpp"

#include <cstddef>
#include <vector>

namespace deltaflow {

// `at`, else the grid start + k every, else 200 intervals. Times are computed when they are asked for: there
// may be more of them than fit into memory.
class SampleTimes {
public:
    SampleTimes() = default;  // none
    explicit SampleTimes(const Settings& settings);
    std::size_t size() const { return size_; }
    double operator[](std::size_t k) const {
        if (!at_.empty()) return at_[k];
        if (is_grid_) return on_grid(k);
        return k == default_intervals
                   ? stop_
                   : start_ + (stop_ - start_) * static_cast<double>(k) / default_intervals;
    }

private:
    static constexpr int default_intervals = 200;

    double on_grid(std::size_t k) const;

    std::vector<double> at_;
    double start_ = 0, stop_ = 0;
    bool is_grid_ = false;
    Rational first_{0}, every_{0};
    // The same as whole numbers over one denominator, where all of them are doubles: n / d is then rounded
    // once.
    double numerator_ = 0, stride_ = 0, denominator_ = 0;
    std::size_t size_ = 0;
};

// Samples of some signals, a column each; the first of them is number `first` of the run.
struct SampleColumns {
    std::size_t first = 0;
    std::vector<std::vector<double>> columns;
    std::vector<double> own_times;  // only where samples stand where the run puts them

    std::size_t end() const { return first + (columns.empty() ? 0 : columns[0].size()); }
    // Forgets samples before number `n`, and from number `n` on.
    void drop_before(std::size_t n);
    void rewind(std::size_t n);
};

}  // namespace deltaflow
