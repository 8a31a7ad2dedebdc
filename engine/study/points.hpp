// The points of a study: which values its parameters take in run 0, 1, 2, ... A point follows from its
// number alone, so that threads, parts of a study and restarts all have the same ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace deltaflow {

// A parameter, or simulation.KEY, and the values it takes, as LoadOptions::set has them.
struct SweepAxis {
    // How values are drawn: with a mean and a deviation, or between two ends.
    struct Draw {
        enum class Kind : std::uint8_t { normal, uniform } kind;
        double first, second;
    };
    std::string name;
    std::vector<std::string> values;  // unless they are drawn
    std::optional<Draw> draw = {};
    int file = -1;  // axes of one file belong together: a run has one row of it
};

// How values are drawn: each by itself; one in each of as many equal parts of every axis as there are runs;
// or by Sobol's sequence, which fills the room evenly.
enum class Sampling : std::uint8_t { chance, latin, sobol };

struct Draws {
    Sampling sampling = Sampling::chance;
    std::size_t runs = 100;
    std::uint64_t seed = 1;
};

class Points {
public:
    Points(std::vector<SweepAxis> axes, const Draws& draws);
    explicit Points(std::vector<SweepAxis> axes) : Points(std::move(axes), Draws{}) {}

    const std::vector<SweepAxis>& axes() const { return axes_; }
    // Runs in all; the last axis changes fastest, and what is drawn, all of it at once, still faster.
    std::size_t size() const { return size_; }
    // One an axis.
    std::vector<std::string> values(std::size_t index) const;
    // Tells studies apart: axes, how they are drawn, how many there are.
    std::string description() const;

private:
    // Uniform between 0 and 1, never one of them: axis `a`, which is the n-th that is drawn.
    double drawn(std::size_t a, std::size_t n, std::size_t run) const;

    std::vector<SweepAxis> axes_;
    Draws draws_;
    std::size_t drawn_ = 0;  // axes that are
    std::size_t size_ = 1;
};

// Runs that such axes have, however many.
double combinations(const std::vector<SweepAxis>& axes, std::size_t draws);

}  // namespace deltaflow
