// What a benchmark tells, and how time is taken.
#pragma once

#include "engine/simulate.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace deltaflow::bench {

// One figure; it is met if value <= target. `detail` tells what it was made of.
struct Figure {
    std::string name;
    double value;
    std::string unit;
    double target;
    std::string detail;
};
using Figures = std::vector<Figure>;

struct Benchmark {
    std::string name, about;
    std::function<Figures()> run;
};

Figures flow();          // flow.cpp
Figures confirmed();     // confirmed.cpp
Figures automatic();     // auto.cpp
Figures flight();        // flight.cpp
Figures growth();        // growth.cpp
Figures linear();        // linear.cpp
Figures bond_graphs();   // bonds.cpp
Figures islands();       // islands.cpp
Figures impulses();      // impulses.cpp
Figures certify();       // certify.cpp
Figures sweeps();        // sweep.cpp
Figures studies();       // studies.cpp
Figures ensembles();     // ensemble.cpp
Figures samples();       // samples.cpp
Figures stiff();         // stiff.cpp
Figures large_models();  // large.cpp
Figures commutation();   // commutation.cpp

// What takes minutes is asked for (--large).
inline bool large = false;

// Two ways to the same result did not get the same result.
struct WrongResult : std::runtime_error {
    using std::runtime_error::runtime_error;
};
void expect_equal(const std::string& what, double value, double expected, double tolerance);

// Processor time of this process: what else the machine does counts little.
double processor_seconds();

template <class F>
double seconds(F&& f) {
    const double begin = processor_seconds();
    f();
    return processor_seconds() - begin;
}

// Time on the clock, for what runs side by side.
double clock_seconds();

// The shortest time of each candidate. They take turns, so a slow spell of the machine meets all of them.
template <class... F>
std::array<double, sizeof...(F)> race(int rounds, F&&... candidates) {
    std::array<double, sizeof...(F)> best;
    best.fill(1e300);
    for (int round = 0; round < rounds; ++round) {
        std::size_t i = 0;
        ((best[i] = std::min(best[i], seconds(candidates)), ++i), ...);
    }
    return best;
}

// The model with a single sample, at its stop.
FlatModel until(FlatModel model, double stop);

// The peak of a process of its own: peaks never fall.
double peak_megabytes(void (*work)(double), double size);

// Simulates; the time of one step of a fixed-step method, without compiling and starting: it is taken from
// a quarter of the run to its end. `steps` is a multiple of 64, so that progress is told at whole steps.
struct Stepping {
    double seconds_a_step;
    Trace trace;
};
Stepping time_steps(const FlatModel& model, double step, int steps);

}  // namespace deltaflow::bench
