// Finding the instant that is asked for, with somebody looking. One that is asked for by its number has its
// time only when all islands are known: marks on the way tell where to go back to.
#include "engine/explain.hpp"

#include "engine/course.hpp"
#include "engine/limits.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// Summaries print nine digits of a time.
constexpr double printed_time = 6e-9;
constexpr std::size_t near_count = 6;

bool is_same(double a, double b, double tolerance) {
    return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

// Roots of equal conditions in two islands may differ by rounding.
double rounding_of(double t) { return 2 * limits::same_time_ulps * 0x1p-53 * std::abs(t); }

std::vector<double> times_of(const InstantLog& log, const Trace& trace) {
    std::vector<double> times = log.times;
    for (const Event& event : trace.events) times.push_back(event.t);
    for (const RunError& error : trace.errors)
        if (error.kind != ErrorKind::interrupted) times.push_back(error.t);
    std::sort(times.begin(), times.end());
    const auto same = [](double a, double b) { return b - a <= rounding_of(b); };
    times.erase(std::unique(times.begin(), times.end(), same), times.end());
    while (!times.empty() && times.back() > trace.end_t + rounding_of(trace.end_t)) times.pop_back();
    return times;
}

double nearest(const std::vector<double>& times, double t) {
    const auto nearer = [t](double a, double b) { return std::abs(a - t) < std::abs(b - t); };
    return times.empty() ? HUGE_VAL : *std::min_element(times.begin(), times.end(), nearer);
}

// The instant that is meant, if there is one. One past the last event is the instant that ended the run.
std::optional<double> chosen(const InstantChoice& choice, const std::vector<double>& times,
                             const Trace& trace) {
    if (choice.at) {
        const double t = nearest(times, *choice.at);
        return is_same(t, *choice.at, printed_time) ? std::optional(t) : std::nullopt;
    }
    if (choice.event >= 1 && choice.event <= trace.events.size()) return trace.events[choice.event - 1].t;
    if (choice.event == trace.events.size() + 1 && !trace.errors.empty() &&
        trace.errors[0].kind != ErrorKind::interrupted)
        return trace.errors[0].t;
    return std::nullopt;
}

std::uint64_t event_at(const Trace& trace, double t) {
    for (std::size_t i = 0; i < trace.events.size(); ++i)
        if (std::abs(trace.events[i].t - t) <= rounding_of(t)) return i + 1;
    return 0;
}

void add_near(Explanation& e, const InstantChoice& choice, std::vector<double> times, const Trace& trace) {
    const double t = choice.at.value_or(trace.end_t);
    const auto nearer = [t](double a, double b) { return std::abs(a - t) < std::abs(b - t); };
    std::stable_sort(times.begin(), times.end(), nearer);
    if (times.size() > near_count) times.resize(near_count);
    std::sort(times.begin(), times.end());
    for (const double time : times) e.near.emplace_back(time, event_at(trace, time));
}

InstantLog log_around(const FlatModel& model, double t, double reach, bool all) {
    return {.model = model, .from = t - reach, .to = t + reach, .all = all};
}

// What is worked at t, and the errors there.
void add_worked(Explanation& e, InstantLog log, const Trace& trace) {
    const double reach = rounding_of(e.t);
    for (WorkedInstant& instant : log.worked)
        if (std::abs(instant.t - e.t) <= reach) e.instants.push_back(std::move(instant));
    for (const RunError& error : trace.errors)
        if (std::abs(error.t - e.t) <= reach) e.errors.push_back(error);
}

// Where a run stood before an event that is not known yet.
struct Mark {
    double farthest;  // of all islands
    std::vector<std::byte> state;
};

struct Marked {
    Trace trace;
    std::vector<Mark> marks;  // as far as they may be wanted, in order
};

// The whole run. Of marks that all islands have left behind the last is enough.
Marked run_with_marks(const FlatModel& model, std::uint64_t event, const RunControl& control) {
    constexpr int parts = 64;
    const FlatModel all = computing_all(model);
    Course course(all, model.record.size(), control);
    TraceSink sink;
    Marked marked;
    course.observe(sink);
    course.start();
    const double start = all.settings.start, stop = all.settings.stop;
    for (int k = 1; k < parts && !course.has_ended(); ++k) {
        course.advance_to(start + (stop - start) * k / parts);
        if (course.has_ended() || sink.trace().events.size() >= event) continue;
        auto& marks = marked.marks;
        while (marks.size() > 1 && marks[1].farthest < course.told_to()) marks.erase(marks.begin());
        marks.push_back({course.farthest(), course.save()});
    }
    course.run();
    course.finish();
    marked.trace = std::move(sink.trace());
    return marked;
}

// From the last mark before t on.
Trace work_out(const FlatModel& model, const std::vector<Mark>& marks, InstantLog& log, RunControl control) {
    for (const Mark& mark : marks)
        if (mark.farthest < log.from) control.resume = mark.state;
    control.log = &log;
    control.until = log.to;
    return simulate(model, control);
}

}  // namespace

Explanation explain(const FlatModel& model, const InstantChoice& choice, const RunControl& control) {
    RunControl first = control;
    InstantLog log = choice.at
                         ? log_around(model, *choice.at, 2 * printed_time * std::abs(*choice.at), choice.all)
                         : InstantLog{.model = model};
    first.log = &log;
    const Marked marked =
        choice.at ? Marked{simulate(model, first), {}} : run_with_marks(model, choice.event, first);
    const Trace& trace = marked.trace;
    Explanation e;
    e.model = model.name;
    e.event_count = trace.events.size();
    e.end_t = trace.end_t;
    const std::vector<double> times = times_of(log, trace);
    const auto t = trace.end_reason == EndReason::interrupted ? std::nullopt : chosen(choice, times, trace);
    if (!t) {
        add_near(e, choice, times, trace);
        if (trace.end_reason == EndReason::interrupted) e.errors = trace.errors;
        return e;
    }
    e.found = true;
    e.t = *t;
    for (std::size_t i = 0; i < trace.events.size(); ++i)
        if (std::abs(trace.events[i].t - *t) <= rounding_of(*t)) e.events.push_back(i + 1);
    if (choice.at) {
        add_worked(e, std::move(log), trace);
        return e;
    }
    InstantLog worked = log_around(model, *t, rounding_of(*t), choice.all);
    const Trace again = work_out(model, marked.marks, worked, control);
    add_worked(e, std::move(worked), again);
    return e;
}

}  // namespace deltaflow
