// Ctrl-C and callbacks while the engine works without Python.
#include "python/source/core.hpp"

#include <csignal>

#include <sys/types.h>
#include <unistd.h>

namespace deltaflow::python {

namespace {

std::atomic<bool>* listening = nullptr;
struct sigaction before;

void note(int) {
    if (listening) listening->store(true, std::memory_order_relaxed);
}

// Only Python's own handler is replaced: who has another one, or none, knows why.
bool is_python_listening() {
    // Never given back: the interpreter may be gone before such things are. (`signal` itself wraps these, and
    // is slow.)
    static const auto* const get = new py::object(py::module_::import("_signal").attr("getsignal"));
    static const auto* const usual =
        new py::object(py::module_::import("_signal").attr("default_int_handler"));
    return (*get)(SIGINT).is(*usual);
}

}  // namespace

Interruptible::Interruptible(std::atomic<bool>& flag) {
    if (listening || gettid() != getpid() || !is_python_listening()) return;
    struct sigaction ours = {};
    ours.sa_handler = note;
    listening = &flag;
    listens_ = sigaction(SIGINT, &ours, &before) == 0;
    if (!listens_) listening = nullptr;
}

Interruptible::~Interruptible() {
    if (!listens_) return;
    sigaction(SIGINT, &before, nullptr);
    listening = nullptr;
}

Watch Told::watch() {
    Watch watch;
    watch.interrupt = &end_;
    if (!progress_.is_none())
        watch.progress = [this](double fraction) {
            if (Clock::now() < next_) return;
            next_ = Clock::now() + std::chrono::milliseconds(100);
            call([&] { progress_(fraction); });
        };
    return watch;
}

void Told::call(const std::function<void()>& python) {
    const py::gil_scoped_acquire acquired;
    if (raised_) return;
    try {
        python();
    } catch (py::error_already_set& error) {
        raised_.emplace(error);
        end_ = true;
    }
}

void Told::rethrow() {
    if (!raised_) return;
    const py::error_already_set error = *raised_;
    raised_.reset();
    throw error;
}

}  // namespace deltaflow::python
