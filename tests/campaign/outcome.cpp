// Runs models under a budget and keeps what can be compared.
#include "tests/campaign/outcome.hpp"
#include "report/text/exit_code.hpp"

#include "engine/course.hpp"
#include "engine/exact.hpp"
#include "engine/run/samples.hpp"
#include "engine/simulate.hpp"
#include "tests/paths.hpp"

#include <algorithm>
#include <exception>

namespace deltaflow::campaign {

namespace {

// Models may read data.csv, which lies beside this file.
std::string path() { return test::project_folder() + "/tests/campaign/model.toml"; }

void take_events(Outcome& outcome, const Trace& trace) {
    outcome.happenings.resize(trace.signals.size());
    for (const Event& event : trace.events) {
        outcome.events.push_back({event.t, event.epsilon, event.index});
        if (!event.committed) continue;
        for (const Jump& jump : trace.jumps_of(event)) {
            const auto impulses = trace.impulses_of(jump);
            outcome.happenings[jump.signal].push_back(
                {event.t, event.epsilon, jump.left, jump.right, {impulses.begin(), impulses.end()}});
        }
    }
}

void take_error(Outcome& outcome, const std::vector<RunError>& errors) {
    if (errors.empty()) return;
    outcome.code = exit_code(errors.front().kind);
    outcome.message = errors.front().text;
    outcome.end = errors.front().t;
}

// Numbers that are simplified may ask for any number of samples.
constexpr std::size_t most_samples = 100'000;

bool asks_too_much(const FlatModel& model, Outcome& outcome) {
    if (SampleTimes(complete(model)).size() <= most_samples) return false;
    outcome.code = 130;
    outcome.message = "too many samples";
    return true;
}

// Whatever happens becomes an exit code.
template <class Body>
Outcome caught(Body body) {
    Outcome outcome;
    try {
        body(outcome);
    } catch (const ModelError& error) {
        outcome.code = exit_code(error.kind);
        outcome.message = error.what();
    } catch (const std::exception& error) {
        outcome.code = 70;
        outcome.message = error.what();
    }
    return outcome;
}

Quadratic value_of(const ExactSignal& signal, const Quadratic& t) {
    const ExactPiece* piece = &signal.pieces.front();
    for (const ExactPiece& next : signal.pieces)
        if (!(t < next.from)) piece = &next;
    return closed_form::evaluate(piece->p, t);
}

// Where the pieces of a signal meet, or impulses are: one happening a time.
std::vector<Happening> happenings_of(const ExactSignal& signal) {
    std::vector<Happening> list;
    for (std::size_t k = 1; k < signal.pieces.size(); ++k) {
        const Quadratic& t = signal.pieces[k].from;
        const Quadratic left = closed_form::evaluate(signal.pieces[k - 1].p, t),
                        right = closed_form::evaluate(signal.pieces[k].p, t);
        if (!(left == right)) list.push_back({to_double(t), 0, to_double(left), to_double(right), {}});
    }
    for (const ExactImpulses& impulses : signal.impulses) {
        const double t = to_double(impulses.at);
        auto at = std::find_if(list.begin(), list.end(), [&](const Happening& h) { return h.t >= t; });
        if (at == list.end() || at->t != t) {
            const double value = signal.pieces.empty() ? 0 : to_double(value_of(signal, impulses.at));
            at = list.insert(at, {t, 0, value, value, {}});
        }
        at->impulses.resize(std::max(at->impulses.size(), impulses.coefficients.size()));
        for (std::size_t i = 0; i < impulses.coefficients.size(); ++i)
            at->impulses[i] += to_double(impulses.coefficients[i]);
    }
    return list;
}

void take_exact(Outcome& outcome, const ExactTrace& trace, const Outcome& like) {
    for (const double t : like.t)
        if (Quadratic(t) <= trace.end) outcome.t.push_back(t);
    for (const ExactSignal& signal : trace.signals) {
        auto& row = outcome.samples.emplace_back();
        for (const double t : outcome.t)
            row.push_back(signal.pieces.empty() ? 0.0 : to_double(value_of(signal, Quadratic(t))));
        outcome.happenings.push_back(happenings_of(signal));
    }
}

}  // namespace

std::atomic<bool>& interrupt_flag() {
    static thread_local std::atomic<bool> flag{false};
    return flag;
}

Outcome run(const std::string& text, const Plan& plan) {
    return caught([&](Outcome& outcome) {
        FlatModel model = load_model_text(path(), text, {.set = plan.set, .record = {}, .max_blocks = 5000});
        if (!plan.at.empty()) model.settings.at = plan.at;
        model.settings.max_events = plan.most_events;
        if (plan.change) plan.change(model);
        if (asks_too_much(model, outcome)) return;
        RunControl control;
        control.interrupt = &interrupt_flag();
        control.most_steps = plan.most_steps;
        const Trace trace = simulate(model, control);
        outcome.start = model.settings.start;
        outcome.stop = model.settings.stop;
        outcome.end = trace.end_t;
        outcome.t = trace.t;
        outcome.samples = trace.samples;
        outcome.steps = trace.statistics.steps;
        outcome.slides = !trace.sliding.empty();
        take_events(outcome, trace);
        take_error(outcome, trace.errors);
        if (outcome.code == 5 && outcome.message.find("max_events") != std::string::npos) outcome.code = 130;
    });
}

Outcome run_exact(const std::string& text, const Outcome& like) {
    return caught([&](Outcome& outcome) {
        const FractionBook book;
        FlatModel model = load_model_text(path(), text, {.set = {}, .record = {}, .max_blocks = 5000});
        model.settings.max_events = 40;
        if (asks_too_much(model, outcome)) return;
        RunControl control;
        control.interrupt = &interrupt_flag();
        control.most_steps = 40;
        const ExactTrace trace = run_exactly(model, book, control);
        outcome.start = model.settings.start;
        outcome.stop = model.settings.stop;
        outcome.end = to_double(trace.end);
        take_exact(outcome, trace, like);
        take_error(outcome, trace.errors);
        if (outcome.code == 5 && outcome.message.find("max_events") != std::string::npos) outcome.code = 130;
    });
}

bool knows_setting(const std::string& key, const std::string& value) {
    try {
        load_model_text(path(), "[blocks]\na = 1\n[simulation]\n" + key + " = " + value + "\n");
        return true;
    } catch (const ModelError&) {
        return false;
    }
}

}  // namespace deltaflow::campaign
