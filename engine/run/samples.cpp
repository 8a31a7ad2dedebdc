// Times of samples, exactly rounded.
#include "engine/run/samples.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

constexpr double largest_exact = 0x1p53;  // whole numbers up to here are doubles

double as_double(const Integer& n) { return n.convert_to<double>(); }

}  // namespace

SampleTimes::SampleTimes(const Settings& s) : start_(s.start), stop_(s.stop) {
    if (!s.at.empty()) {
        std::copy_if(s.at.begin(), s.at.end(), std::back_inserter(at_),
                     [&](double t) { return t >= s.start && t <= s.stop; });
        std::sort(at_.begin(), at_.end());
        size_ = at_.size();
        return;
    }
    if (!s.every) {
        size_ = default_intervals + 1;
        return;
    }
    first_ = exact(s.start);
    every_ = *s.every;
    is_grid_ = true;
    const Rational last = (exact(s.stop) - first_) / every_;
    size_ = static_cast<std::size_t>(Integer(last.numerator() / last.denominator())) + 1;
    const Integer d = first_.denominator() * every_.denominator();
    const Integer n = first_.numerator() * every_.denominator(),
                  k = every_.numerator() * first_.denominator();
    const Integer far = abs(n) + k * Integer(size_);
    if (as_double(far) < largest_exact && as_double(d) < largest_exact) {
        numerator_ = as_double(n);
        stride_ = as_double(k);
        denominator_ = as_double(d);
    }
    // A last sample that rounds to the stop counts.
    if (on_grid(size_) <= stop_) ++size_;
}

double SampleTimes::on_grid(std::size_t k) const {
    if (denominator_ != 0) return (numerator_ + static_cast<double>(k) * stride_) / denominator_;
    return to_double(first_ + every_ * Rational(Integer(k)));
}

void SampleColumns::drop_before(std::size_t n) {
    const auto count = static_cast<std::ptrdiff_t>(std::min(n, end()) - first);
    for (auto& column : columns) column.erase(column.begin(), column.begin() + count);
    if (!own_times.empty()) own_times.erase(own_times.begin(), own_times.begin() + count);
    first += static_cast<std::size_t>(count);
}

void SampleColumns::rewind(std::size_t n) {
    for (auto& column : columns) column.resize(n - first);
}

}  // namespace deltaflow
