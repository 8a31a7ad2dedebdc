// A progress bar on standard error, for long runs at a terminal.
#pragma once

#include <chrono>

namespace deltaflow::app {

class Progress {
public:
    Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();  // wipes the bar

    // With the time that is left, as the part that is done tells it.
    void show(double fraction);

private:
    using Clock = std::chrono::steady_clock;
    bool terminal_;
    bool shown_ = false;
    Clock::time_point begun_ = Clock::now(), due_;
};

}  // namespace deltaflow::app
