// Drawn in place with a carriage return; short runs and files never see it.
#include "app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace deltaflow::app {

namespace {

constexpr auto patience = std::chrono::milliseconds(500), refresh = std::chrono::milliseconds(100);
constexpr int bar_width = 40;

std::string bar(double fraction) {
    const int filled = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * bar_width);
    return std::string(static_cast<std::size_t>(filled), '#') +
           std::string(static_cast<std::size_t>(bar_width - filled), '.');
}

// "2 min 5 s left"; nothing while it cannot be told.
std::string rest(double seconds) {
    if (!(seconds < 1e9)) return "";
    const auto s = static_cast<long>(std::ceil(seconds));
    if (s < 60) return fmt::format(", {} s left", s);
    if (s < 3600) return fmt::format(", {} min {} s left", s / 60, s % 60);
    return fmt::format(", {} h {} min left", s / 3600, s / 60 % 60);
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
    const double done = std::clamp(fraction, 0.0, 1.0),
                 passed = std::chrono::duration<double>(Clock::now() - begun_).count();
    const std::string line =
        fmt::format("\r[{}] {:3.0f} %{}\x1b[K", bar(done), 100 * done, rest(passed * (1 - done) / done));
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace deltaflow::app
