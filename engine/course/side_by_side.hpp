// Work on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace deltaflow {

// 0: as many as there are processors.
inline unsigned threads_for(unsigned asked) {
    return asked > 0 ? asked : std::max(1U, std::thread::hardware_concurrency());
}

// Calls work(0) ... work(n - 1), each once, on so many threads (0: as many as there are processors). What a
// thread throws is thrown where all of them are waited for.
template <class Work>
void side_by_side(std::size_t n, unsigned threads, const Work& work) {
    threads = static_cast<unsigned>(std::min<std::size_t>(threads_for(threads), n));
    if (threads <= 1) {
        for (std::size_t i = 0; i < n; ++i) work(i);
        return;
    }
    std::atomic<std::size_t> next = 0;
    std::vector<std::exception_ptr> thrown(threads);
    const auto labour = [&](std::exception_ptr& error) {
        try {
            for (std::size_t i = next++; i < n; i = next++) work(i);
        } catch (...) {
            error = std::current_exception();
            next = n;
        }
    };
    {
        std::vector<std::jthread> all;
        for (unsigned j = 1; j < threads; ++j) all.emplace_back([&, j] { labour(thrown[j]); });
        labour(thrown[0]);
    }
    for (const std::exception_ptr& error : thrown)
        if (error) std::rethrow_exception(error);
}

}  // namespace deltaflow
