// Looks at a flag, a clock and, now and then, at memory.
#include "engine/model/patience.hpp"

#include <cmath>
#include <cstdio>

#if defined(__linux__)
#include <unistd.h>
#endif

namespace deltaflow {

namespace {

constexpr std::int64_t between_looks = 5'000'000;  // nanoseconds

}  // namespace

double megabytes_in_use() {
#if defined(__wasm__)
    return static_cast<double>(__builtin_wasm_memory_size(0)) / 16;  // pages of 64 kB
#elif defined(__linux__)
    long pages = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
        std::fclose(file);
    }
    return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
#else
    return 0;
#endif
}

Patience::Patience(const std::atomic<bool>* interrupt, const RunLimits& limits)
    : interrupt_(interrupt),
      limits_(limits),
      limited_(std::isfinite(limits.seconds) || std::isfinite(limits.megabytes)),
      begin_(Clock::now()) {}

Ending Patience::ending() {
    if (interrupt_ && interrupt_->load(std::memory_order_relaxed)) return Ending::interrupted;
    if (limited_ && ending_.load(std::memory_order_relaxed) == Ending::none) look();
    return ending_.load(std::memory_order_relaxed);
}

void Patience::look() {
    const std::int64_t now =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin_).count();
    if (static_cast<double>(now) * 1e-9 > limits_.seconds) ending_ = Ending::seconds;
    if (!std::isfinite(limits_.megabytes) || now < next_look_.load(std::memory_order_relaxed)) return;
    next_look_ = now + between_looks;
    if (megabytes_in_use() > limits_.megabytes) ending_ = Ending::memory;
}

}  // namespace deltaflow
