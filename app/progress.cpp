// Drawn in place with a carriage return; short runs and files never see it.
#include "app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace deltaflow::app {

namespace {

constexpr auto patience = std::chrono::milliseconds(500), refresh = std::chrono::milliseconds(100);
constexpr int width = 40;

std::string bar(double fraction) {
    const int filled = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * width);
    return std::string(static_cast<std::size_t>(filled), '#') +
           std::string(static_cast<std::size_t>(width - filled), '.');
}

}  // namespace

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) != 0), due_(Clock::now() + patience) {}

Progress::~Progress() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(double fraction) {
    if (!terminal_ || Clock::now() < due_) return;
    shown_ = true;
    due_ = Clock::now() + refresh;
    const std::string line =
        fmt::format("\r[{}] {:3.0f} %", bar(fraction), 100 * std::clamp(fraction, 0.0, 1.0));
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace deltaflow::app
