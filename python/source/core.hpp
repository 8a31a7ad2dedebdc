// The parts of the module, and what they share.
#pragma once

#include "deltaflow/deltaflow.hpp"
#include "report/ask/ask.hpp"

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

namespace deltaflow::python {

namespace py = pybind11;

void bind_model(py::module_& module);
void bind_run(py::module_& module);
void bind_simulation(py::module_& module);
void bind_sweep(py::module_& module);
void bind_ask(py::module_& module);

// Objects of the class come from the engine; what __new__ alone would make has nothing inside.
inline void forbid_new(const py::object& type) {
    type.attr("__new__") = py::cpp_function([](const py::args&, const py::kwargs&) -> py::object {
        throw py::type_error("this is made by functions of deltaflow, not by its class");
    });
}

// A run that is over. Arrays that look into it keep it.
struct Run {
    std::shared_ptr<const Trace> trace;
};
inline Run run_of(Trace trace) { return {std::make_shared<const Trace>(std::move(trace))}; }

// Options of a model with some of them given in words and numbers. Throws TypeError and Error.
Options options_of(const Model& model, const py::dict& given);

// While it lives, Ctrl-C sets a flag for the engine instead of waiting for Python; in the main thread, and
// where nobody else listens.
class Interruptible {
public:
    explicit Interruptible(std::atomic<bool>& flag);
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;

private:
    bool listens_ = false;
};

// What Python is told while the engine works without it. What a callback raises ends the run, and is raised
// behind it.
class Told {
public:
    Told(py::object progress, std::atomic<bool>& end) : progress_(std::move(progress)), end_(end) {}
    Watch watch();
    void call(const std::function<void()>& python);
    void rethrow();

private:
    using Clock = std::chrono::steady_clock;
    py::object progress_;
    std::atomic<bool>& end_;
    Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(500);
    std::optional<py::error_already_set> raised_;
};

// A callable of Python that is handed parts of a run.
class CallbackSink final : public Sink {
public:
    CallbackSink(py::object callback, Told& told) : callback_(std::move(callback)), told_(told) {}
    void begin(const Trace& heading) override { heading_ = heading; }
    void take(const Trace& part) override;

private:
    py::object callback_;
    Told& told_;
    Trace heading_;
};

}  // namespace deltaflow::python
