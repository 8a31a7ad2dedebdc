// What a run came to: its exit code, samples and happenings, in a form that can be compared.
#pragma once

#include "engine/model/model.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace deltaflow::campaign {

// A jump or impulses of one signal.
struct Happening {
    double t = 0;
    std::uint32_t epsilon = 0;
    double left = 0, right = 0;
    std::vector<double> impulses;
};

// When an event was, in hyperdense time.
struct Instant {
    double t = 0;
    std::uint32_t epsilon = 0, index = 0;
};

struct Outcome {
    int code = 0;  // as the program would exit; 70 for an exception that should not be
    double start = 0, stop = 0, end = 0;
    std::string message;
    std::vector<double> t;
    std::vector<std::vector<double>> samples;        // by signal, in the order of `record`
    std::vector<std::vector<Happening>> happenings;  // by signal
    std::vector<Instant> events;                     // whatever is recorded
    std::uint64_t steps = 0;
    bool slides = false;  // at some time

    bool out_of_budget() const { return code == 130; }
};

// How a model is run.
struct Plan {
    std::vector<std::pair<std::string, std::string>> set;  // parameters, simulation.key
    std::vector<double> at;
    std::function<void(FlatModel&)> change;  // once it is loaded
    std::uint64_t most_steps = 20000;
    std::uint64_t most_events = 2000;
};

// Set to end what runs in this thread.
std::atomic<bool>& interrupt_flag();

Outcome run(const std::string& text, const Plan& plan = {});
// In exact numbers, with samples where `like` has them; code 3 where there is no closed form.
Outcome run_exact(const std::string& text, const Outcome& like);
// Does the [simulation] table know this setting?
bool knows_setting(const std::string& key, const std::string& value);

}  // namespace deltaflow::campaign
