// Writes samples of an island on samples.
#include "engine/run/sampled/writer.hpp"

namespace deltaflow {

void SampleWriter::add(const System& s, const std::vector<double>& a) {
    for (std::size_t i = 0; i < s.outputs.size(); ++i) samples_.columns[i].push_back(a[s.outputs[i].node]);
}

void SampleWriter::rewind(std::size_t n) {
    next_ = n;
    if (!own_) samples_.rewind(n);
}

void SampleWriter::rewind(std::size_t n, double t) {
    while (n < next_ && times_[n] < t) ++n;
    rewind(n);
}

void SampleWriter::write_until(double t, const System& s, const std::vector<double>& a) {
    if (own_) return;
    for (; next_ < times_.size() && times_[next_] < t; ++next_) add(s, a);
}

void SampleWriter::write_own(double t, const System& s, const std::vector<double>& a) {
    if (!own_ || s.outputs.empty()) return;
    samples_.own_times.push_back(t);
    add(s, a);
    next_ = samples_.end();
}

void SampleWriter::amend_own(const System& s, const std::vector<double>& a) {
    if (!own_) return;
    for (std::size_t i = 0; i < s.outputs.size(); ++i) samples_.columns[i].back() = a[s.outputs[i].node];
}

}  // namespace deltaflow
