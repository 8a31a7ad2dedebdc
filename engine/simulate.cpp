// The run of a model: what is recorded decides what is shown, and nothing else.
#include "engine/simulate.hpp"

#include "engine/asked.hpp"
#include "engine/course.hpp"

#include <chrono>
#include <ctime>

namespace deltaflow {

namespace {

// All blocks are computed, recorded or not: where one of them has no value the run ends, whatever is shown.
FlatModel computing_all(const FlatModel& model) {
    FlatModel whole = model;
    for (const NodeId n : blocks_to_ask(model)) whole.record.push_back({"", n, false});
    return whole;
}

}  // namespace

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
    course.start();
    course.run();
    Statistics& statistics = course.statistics();
    statistics.run_seconds = static_cast<double>(std::clock() - compiled) / CLOCKS_PER_SEC;
    statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    course.finish();
}

}  // namespace deltaflow
