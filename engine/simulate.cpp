// The run of a model: what is recorded decides what is shown, and nothing else.
#include "engine/simulate.hpp"

#include "engine/course.hpp"
#include "engine/course/asked.hpp"
#include "engine/prepared.hpp"

#include <chrono>
#include <ctime>

namespace deltaflow {

FlatModel computing_all(FlatModel model) {
    for (const NodeId n : blocks_to_ask(model)) model.record.push_back({"", n, false});
    return model;
}

Trace simulate(const FlatModel& model, const RunControl& control) {
    TraceSink sink;
    run(model, sink, control);
    return std::move(sink.trace());
}

void run(const FlatModel& model, Sink& sink, const RunControl& control) {
    run(Prepared{control.own_samples ? model : computing_all(model), model.record.size()}, sink, control);
}

Prepared prepare(FlatModel model) {
    const std::size_t shown = model.record.size();
    Prepared prepared{computing_all(std::move(model)), shown};
    const Settings settings = complete(prepared.model);
    if (has_modes(prepared.model.graph)) return prepared;
    std::vector<System> systems = compile_model(prepared.model, settings);
    prepared.facts = facts_of(prepared.model.diagram);
    prepared.can_rebind = can_rebind(systems);
    prepared.systems = std::make_shared<const std::vector<System>>(std::move(systems));
    return prepared;
}

namespace {

// Settings that programs depend on.
bool has_same_method(const Settings& a, const Settings& b) {
    return a.method == b.method && a.tolerance == b.tolerance && a.impulses == b.impulses &&
           a.certify == b.certify;
}

}  // namespace

bool is_alike(FlatModel& model, const Prepared& like) {
    const std::size_t shown = model.record.size();
    if (!like.can_rebind || has_modes(model.graph) || shown != like.shown ||
        !has_same_method(model.settings, like.model.settings))
        return false;
    const auto& record = like.model.record;
    model.record.insert(model.record.end(), record.begin() + static_cast<std::ptrdiff_t>(shown),
                        record.end());
    const bool alike = has_same_structure(model, like.model) && facts_of(model.diagram) == like.facts;
    if (!alike) model.record.resize(shown);
    if (alike) complete(model);
    return alike;
}

Prepared prepare(FlatModel model, const Prepared& like) {
    if (!is_alike(model, like)) return prepare(std::move(model));
    auto systems = std::make_shared<std::vector<System>>(*like.systems);
    rebind(*systems, model);
    return {std::move(model), like.shown, std::move(systems), like.facts, true};
}

void prepare_again(Prepared& prepared, FlatModel model) {
    if (prepared.systems.use_count() > 1 || !is_alike(model, prepared)) {
        prepared = prepared.systems ? prepare(std::move(model), prepared) : prepare(std::move(model));
        return;
    }
    rebind(*std::const_pointer_cast<std::vector<System>>(prepared.systems), model);
    prepared.model = std::move(model);
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
