// The run of a model: what is recorded decides what is shown, and nothing else.
#include "engine/simulate.hpp"

#include "engine/asked.hpp"
#include "engine/course.hpp"

#include <chrono>
#include <ctime>

namespace deltaflow {

FlatModel computing_all(const FlatModel& model) {
    FlatModel whole = model;
    for (const NodeId n : blocks_to_ask(model)) whole.record.push_back({"", n, false});
    return whole;
}

Trace simulate(const FlatModel& model, const RunControl& control) {
    TraceSink sink;
    run(model, sink, control);
    return std::move(sink.trace());
}

void run(const FlatModel& model, Sink& sink, const RunControl& control) {
    const auto begin = std::chrono::steady_clock::now();
    const FlatModel whole = control.own_samples ? model : computing_all(model);
    Course course(whole, model.record.size(), control);
    course.observe(sink);
    const std::clock_t compiled = std::clock();
    if (control.resume.empty()) {
        course.start();
    } else {
        sink.begin(course.so_far());
        course.restore(control.resume);
    }
    if (control.begun) control.begun();
    course.run();
    Statistics& statistics = course.statistics();
    statistics.run_seconds = static_cast<double>(std::clock() - compiled) / CLOCKS_PER_SEC;
    statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    course.finish();
}

}  // namespace deltaflow
