// Many runs on all cores; Python is asked for nothing but measures.
#include "python/source/core.hpp"

#include <algorithm>
#include <exception>
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
    std::exception_ptr mistake;  // of the model: there was no run
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

    Options options_of_a_run() const {
        Options own = options;
        own.threads = 1;  // runs are side by side already
        if (measure.is_none()) own.at = {own.stop};
        return own;
    }

    void fail(std::size_t i, const std::exception_ptr& mistake) {  // a point where the model is none
        rows[i].mistake = mistake;
        try {
            std::rethrow_exception(mistake);
        } catch (const Error& error) {
            rows[i].reason = "error";
            rows[i].trouble = error.what();
        }
    }

    void tell() {
        const std::lock_guard lock(telling);
        if (progress) progress(static_cast<double>(++done) / static_cast<double>(points.size()));
    }

    // Some at a time: those that differ in numbers alone are compiled once.
    void work(std::size_t first, std::size_t last) {
        std::vector<Model> models;
        std::vector<std::size_t> places;
        for (std::size_t i = first; i < last && !end; ++i) {
            try {
                models.push_back(model.with(points[i]));
                places.push_back(i);
            } catch (const Error&) {
                fail(i, std::current_exception());
                tell();
            }
        }
        std::vector<TraceSink> kept(models.size());
        std::vector<Sink*> sinks;
        for (TraceSink& sink : kept) sinks.push_back(&sink);
        Watch watch;
        watch.interrupt = &end;
        const auto mistakes = simulate(models, options_of_a_run(), sinks, watch);
        for (std::size_t m = 0; m < models.size(); ++m) {
            if (mistakes[m])
                fail(places[m], mistakes[m]);
            else
                take(places[m], std::move(kept[m].trace()));
            tell();
        }
    }

    // Those that are measured are whole runs, kept until they are: few at a time.
    void work(unsigned jobs) {
        const std::size_t most = measure.is_none() ? 32 : 8;
        const std::size_t block = std::clamp<std::size_t>(points.size() / (4 * std::size_t{jobs}), 1, most);
        for (std::size_t i = next.fetch_add(block); i < points.size() && !end; i = next.fetch_add(block))
            work(i, std::min(points.size(), i + block));
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
        for (unsigned j = 1; j < jobs; ++j) others.emplace_back([&, jobs] { sweeper.work(jobs); });
        sweeper.work(jobs);
    }
    told.rethrow();
    // Where no point makes a model the sweep itself is wrong.
    const auto is_wrong = [](const Row& row) { return row.mistake != nullptr; };
    if (!sweeper.rows.empty() && std::all_of(sweeper.rows.begin(), sweeper.rows.end(), is_wrong))
        std::rethrow_exception(sweeper.rows.front().mistake);
    return as_list(sweeper.rows);
}

}  // namespace

void bind_sweep(py::module_& module) {
    module.def("sweep", &swept, py::arg("model"), py::arg("points"), py::arg("options"), py::arg("jobs"),
               py::arg("measure"), py::arg("progress"));
}

}  // namespace deltaflow::python
