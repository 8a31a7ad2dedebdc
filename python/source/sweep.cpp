// Many runs on all cores; Python is asked for nothing but measures.
#include "python/source/core.hpp"

#include <limits>
#include <mutex>
#include <thread>

namespace deltaflow::python {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// What is left of a run where nobody measures it: final values, events, how it ended.
struct Row {
    std::vector<double> finals;
    std::uint64_t events = 0;
    double end_t = nothing;
    std::string reason = "interrupted", trouble;
};

struct Sweeper {
    const Model& model;
    const std::vector<Sets>& points;
    const Options& options;
    const py::object& measure;
    Told& told;
    std::atomic<bool>& end;
    std::vector<Row> rows{points.size()};
    std::atomic<std::size_t> next = 0, done = 0;
    std::mutex telling{};
    std::function<void(double)> progress = told.watch().progress;

    Trace simulated(std::size_t i) {
        const Model here = model.with(points[i]);
        Options own = options;
        own.threads = 1;  // runs are side by side already
        if (measure.is_none()) own.at = {own.stop};
        Watch watch;
        watch.interrupt = &end;
        TraceSink sink;
        simulate(here, own, sink, watch);
        return std::move(sink.trace());
    }

    void take(std::size_t i, Trace trace) {
        Row& row = rows[i];
        for (const auto& column : trace.samples)
            row.finals.push_back(column.empty() ? nothing : column.back());
        row.events = trace.statistics.events;
        row.end_t = trace.end_t;
        row.reason = name_of(trace.end_reason);
        if (!trace.errors.empty()) row.trouble = trace.errors.front().text;
        if (measure.is_none() || !trace.errors.empty() || trace.end_reason == EndReason::interrupted) return;
        told.call([&] { measure(i, run_of(std::move(trace))); });
    }

    void work() {
        for (std::size_t i = next++; i < points.size() && !end; i = next++) {
            try {
                take(i, simulated(i));
            } catch (const Error& error) {  // a point where the model is none
                rows[i].reason = "error";
                rows[i].trouble = error.what();
            }
            const std::lock_guard lock(telling);
            if (progress) progress(static_cast<double>(++done) / static_cast<double>(points.size()));
        }
    }
};

py::list as_list(const std::vector<Row>& rows) {
    py::list all;
    for (const Row& r : rows) all.append(py::make_tuple(r.finals, r.events, r.end_t, r.reason, r.trouble));
    return all;
}

py::list swept(const Model& model, const std::vector<Sets>& points, const py::dict& given, unsigned jobs,
               const py::object& measure, const py::object& progress) {
    const Options options = options_of(model, given);
    std::atomic<bool> end = false;
    Told told(progress, end);
    Sweeper sweeper{model, points, options, measure, told, end};
    if (jobs == 0) jobs = std::max(1U, std::thread::hardware_concurrency());
    jobs = static_cast<unsigned>(std::min<std::size_t>(jobs, std::max<std::size_t>(1, points.size())));
    {
        const Interruptible ctrl_c(end);
        const py::gil_scoped_release released;
        std::vector<std::jthread> others;
        for (unsigned j = 1; j < jobs; ++j) others.emplace_back([&] { sweeper.work(); });
        sweeper.work();
    }
    told.rethrow();
    return as_list(sweeper.rows);
}

}  // namespace

void bind_sweep(py::module_& module) {
    module.def("sweep", &swept, py::arg("model"), py::arg("points"), py::arg("options"), py::arg("jobs"),
               py::arg("measure"), py::arg("progress"));
}

}  // namespace deltaflow::python
