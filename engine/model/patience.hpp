// How long somebody waits for a run: until a flag is set, the time is over, or memory is used up.
#pragma once

#include "engine/model/model.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace deltaflow {

enum class Ending : int { none, interrupted, seconds, memory };

// Asked often, by several threads; what has ended once has ended.
class Patience {
public:
    // Counts from now on. The flag may be none.
    Patience(const std::atomic<bool>* interrupt, const RunLimits& limits);

    bool is_over() { return ending() != Ending::none; }
    Ending ending();
    const RunLimits& limits() const { return limits_; }

private:
    using Clock = std::chrono::steady_clock;
    void look();

    const std::atomic<bool>* interrupt_;
    RunLimits limits_;
    bool limited_;
    Clock::time_point begin_;
    std::atomic<std::int64_t> next_look_ = 0;  // nanoseconds since then: memory takes a system call
    std::atomic<Ending> ending_ = Ending::none;
};

// Memory that the process takes, in megabytes; 0 where nobody tells.
double megabytes_in_use();

}  // namespace deltaflow
