// The run of a model: what is recorded decides what is shown, and nothing else.
#include "engine/simulate.hpp"

#include "engine/asked.hpp"
#include "engine/course.hpp"
#include "engine/prepared.hpp"

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
    run(Prepared{control.own_samples ? model : computing_all(model), model.record.size(), {}}, sink, control);
}

Prepared prepare(const FlatModel& model) {
    Prepared prepared{computing_all(model), model.record.size(), {}};
    if (!has_modes(model.graph))
        prepared.systems = std::make_shared<const std::vector<System>>(
            compile_model(prepared.model, complete(prepared.model)));
    return prepared;
}

void run(const Prepared& prepared, Sink& sink, const RunControl& control) {
    const auto begin = std::chrono::steady_clock::now();
    Course course(prepared.model, prepared.shown, control, prepared.systems);
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
