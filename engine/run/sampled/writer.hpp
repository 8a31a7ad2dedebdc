// Writes samples of an island on samples: at given times, where a value is held, or the samples themselves.
#pragma once

#include "engine/compile/system.hpp"
#include "engine/model/archive.hpp"
#include "engine/run/samples.hpp"

namespace deltaflow {

class SampleWriter {
public:
    SampleWriter(const SampleTimes& times, SampleColumns& samples) : times_(times), samples_(samples) {}
    // Instead of samples at given times: all samples there are, with their times.
    void keep_own() { own_ = true; }
    std::size_t next() const { return next_; }

    // Between samples a value is held.
    void write_until(double t, const System& s, const std::vector<double>& a);
    // A sample at t is there; or it is another one.
    void write_own(double t, const System& s, const std::vector<double>& a);
    void amend_own(const System& s, const std::vector<double>& a);
    // What was written from number n on did not happen; and what was from then on at t or later.
    void rewind(std::size_t n);
    void rewind(std::size_t n, double t);
    void archive(Archive& a) { a(next_); }

private:
    void add(const System& s, const std::vector<double>& a);

    const SampleTimes& times_;
    SampleColumns& samples_;
    std::size_t next_ = 0;
    bool own_ = false;
};

}  // namespace deltaflow
