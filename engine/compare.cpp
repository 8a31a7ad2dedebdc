// Running a model both ways and measuring the difference.
#include "engine/compare.hpp"

#include "engine/compare_facts.hpp"
#include "engine/limits.hpp"
#include "engine/modes/modes.hpp"
#include "engine/simulate.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

FlatModel variant(const FlatModel& model, const Rational& step, Riemann riemann, bool numeric) {
    FlatModel m = model;
    m.settings.step = step;
    m.settings.riemann = riemann;
    m.settings.impulses = numeric ? ImpulseKind::numeric : ImpulseKind::symbolic;
    m.settings.certify = false;
    m.named.clear();  // events are those of what is recorded
    return m;
}

// The symbolic run at the times of the numeric samples.
struct Reference {
    std::vector<double> t, value;
    std::vector<double> events;  // where the signal jumps or carries an impulse, or modes change
    std::vector<int> commits;    // at each of them: on samples one follows the other a step later
    struct Step {
        double t, left, right;
        std::size_t impulses;  // its own; so many samples belong to them
    };
    std::vector<Step> steps;  // jumps of the signal
    double low = HUGE_VAL, high = -HUGE_VAL;

    explicit Reference(const Trace& trace) : t(trace.t), value(trace.samples.front()) {
        std::vector<std::uint32_t> mode = trace.first_mode;
        for (const Event& e : trace.events) {
            const auto modes = trace.modes_of(e);
            const bool same = e.committed && std::equal(modes.begin(), modes.end(), mode.begin(), mode.end());
            if (e.committed) mode.assign(modes.begin(), modes.end());
            if (e.committed)
                for (const Jump& jump : trace.jumps_of(e)) add_step(e.t, jump);
            if (e.jump_count == 0 && same) continue;  // of other signals
            if (events.empty() || e.t > events.back()) {
                events.push_back(e.t);
                commits.push_back(0);
            }
            commits.back() += e.committed;
        }
        for (const double v : value) {
            low = std::min(low, v);
            high = std::max(high, v);
        }
        for (const Jump& jump : trace.jumps) {
            low = std::min({low, jump.left, jump.right});
            high = std::max({high, jump.left, jump.right});
        }
    }
    // What happens at one time is one jump.
    void add_step(double t, const Jump& jump) {
        if (!steps.empty() && steps.back().t == t)
            steps.back() = {t, steps.back().left, jump.right,
                            std::max<std::size_t>(steps.back().impulses, jump.impulse_count)};
        else
            steps.push_back({t, jump.left, jump.right, jump.impulse_count});
    }
    // Linear between samples, held where an event lies between them.
    double at(double time, std::size_t& hint) const {
        while (hint > 0 && t[hint] > time) --hint;
        while (hint + 2 < t.size() && t[hint + 1] <= time) ++hint;
        const double a = t[hint], b = t[hint + 1];
        const auto event = std::upper_bound(events.begin(), events.end(), a);
        if (event != events.end() && *event <= b) return time < *event ? value[hint] : value[hint + 1];
        return value[hint] + (value[hint + 1] - value[hint]) * std::clamp((time - a) / (b - a), 0.0, 1.0);
    }
};

// When the numeric run has each event of the symbolic one: at the nearest event of its own, or, behind a
// delay, so much after the one that it repeats.
std::vector<double> numeric_times(const Trace& numeric, const Reference& reference,
                                  const ComparedFacts& facts, double step) {
    const auto& events = reference.events;
    std::vector<double> seen(events);
    for (std::size_t e = 0; e < events.size(); ++e) {
        double room = HUGE_VAL;
        if (e > 0) room = std::min(room, (events[e] - events[e - 1]) / 2);
        if (e + 1 < events.size()) room = std::min(room, (events[e + 1] - events[e]) / 2);
        const auto look = [&](double t) {
            const double distance = std::abs(t - events[e]);
            if (distance > room) return;
            room = distance;
            seen[e] = t;
        };
        for (const Event& event : numeric.events) look(event.t);
        for (const double by : facts.delays) {
            const double slack = 1e-9 * std::max(1.0, std::abs(events[e]));
            const auto origin = std::lower_bound(events.begin(), events.end(), events[e] - by - slack);
            if (origin == events.end() || *origin > events[e] - by + slack) continue;
            room = HUGE_VAL;
            const double whole = std::ceil(by / step - 1e-9) * step;
            look(seen[static_cast<std::size_t>(origin - events.begin())] + whole);
            break;
        }
    }
    return seen;
}

// Numeric samples that do not count: those that an impulse occupies, from the earlier to the later of the two
// times at which the two runs have it, and those without a past at the start.
std::vector<bool> occupied(const Trace& numeric, const Reference& reference, const ComparedFacts& facts,
                           double step, bool left) {
    const auto& t = numeric.t;
    std::vector<bool> out(t.size(), false);
    if (t.empty()) return out;
    const auto leave_out = [&](double from, double to, int more) {
        const double slack = 1e-6 * step;
        auto i = static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), from - slack) - t.begin());
        for (; i < t.size() && t[i] < to - slack; ++i) out[i] = true;
        for (int k = 0; k <= more && i < t.size(); ++k, ++i) out[i] = true;
    };
    const bool split = facts.located && facts.order >= 0;  // impulses stand over steps that an event cut
    const int more = std::max(facts.order, 0) + (left ? facts.lag : 0) +
                     (split && (!left || !facts.delays.empty()) ? 1 : 0);
    const auto& events = reference.events;
    const std::vector<double> seen = numeric_times(numeric, reference, facts, step);
    for (std::size_t e = 0; e < events.size(); ++e) {
        const int cascade = std::max(reference.commits[e] - 1, 0);
        leave_out(std::min(seen[e], events[e]), std::max(seen[e], events[e]),
                  more + cascade + (events[e] <= t.front() ? 1 : 0));
    }
    if (facts.depth > 0) leave_out(t.front(), t.front(), facts.depth);
    return out;
}

// NaN if no sample but the first is left: that one is given, not computed.
double largest_error(const Trace& numeric, const Reference& reference, const std::vector<bool>& left_out) {
    double worst = 0;
    bool any = false;
    for (std::size_t i = 0; i < reference.t.size(); ++i) {
        if (left_out[i]) continue;
        worst = std::max(worst, std::abs(numeric.samples.front()[i] - reference.value[i]));
        any = any || i > 0;
    }
    return any ? worst : NAN;
}

// How long after the symbolic run the numeric one is nearer to the right limit of a jump than to the left
// one.
double latest_jump(const Trace& numeric, const Reference& reference) {
    const auto& t = reference.t;
    double latest = 0;
    for (std::size_t j = 0; j < reference.steps.size(); ++j) {
        const auto& [at, left, right, impulses] = reference.steps[j];
        if (std::abs(right - left) <= 1e-9 * std::max(std::abs(left), std::abs(right))) continue;
        const double next = j + 1 < reference.steps.size() ? reference.steps[j + 1].t : HUGE_VAL;
        const double slack = 1e-9 * std::max(1.0, std::abs(at));
        auto i = static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), at - slack) - t.begin());
        i += impulses;
        const double begin = i < t.size() && impulses > 0 ? t[i] : at;
        for (; i < t.size() && t[i] < next - slack; ++i) {
            const double u = numeric.samples.front()[i];
            if (!(std::abs(u - right) < std::abs(u - left))) continue;
            latest = std::max(latest, t[i] - begin);
            break;
        }
    }
    return latest;
}

// What the numeric run made of the time after the end of the symbolic one is not compared with anything.
void cut(Trace& numeric, const Trace& symbolic) {
    numeric.t.resize(symbolic.t.size());
    numeric.samples.front().resize(symbolic.t.size());
}

// How well a shift by d fits: the mean square of what is left. Samples that are left out do not count, nor do
// those far outside the range of the symbolic signal: they belong to an impulse, too.
double misfit(const Trace& numeric, const Reference& reference, const std::vector<bool>& left_out, double d) {
    const auto& t = reference.t;
    const double beyond = 0.05 * (reference.high - reference.low);
    double sum = 0, count = 0;
    std::size_t hint = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        const double u = numeric.samples.front()[i], at = t[i] - d;
        if (left_out[i] || at < t.front() || at > t.back()) continue;
        if (u < reference.low - beyond || u > reference.high + beyond) continue;
        const double rest = u - reference.at(at, hint);
        sum += rest * rest;
        ++count;
    }
    return count > 0 ? sum / count : HUGE_VAL;
}

// Least squares: first over whole steps, then over twentieths of one.
double best_shift(const Trace& numeric, const Reference& reference, const std::vector<bool>& left_out,
                  const ComparedFacts& facts, double step) {
    const auto& t = reference.t;
    if (t.size() < 8 || !(reference.high > reference.low)) return 0;
    const int fits = static_cast<int>(0.25 * (t.back() - t.front()) / step);
    const int reach = std::max(facts.order + 2, std::min(facts.order + 8, fits));
    double least = misfit(numeric, reference, left_out, 0) * (1 - 1e-9), shift = 0;
    const auto look = [&](double d) {
        const double m = misfit(numeric, reference, left_out, d * step);
        if (m < least) {
            least = m;
            shift = d;
        }
    };
    for (int j = 1; j <= reach; ++j)
        for (const int d : {j, -j}) look(d);
    const double whole = shift;
    for (int j = 1; j < 20; ++j)
        for (const int d : {j, -j}) look(whole + d / 20.0);
    return shift * step;
}

double largest_magnitude(const std::vector<double>& values) {
    double largest = 0;
    for (const double v : values) largest = std::max(largest, std::abs(v));
    return largest;
}

// (003:39), corrected; a signal without impulses is as large as the symbolic one.
double estimate(const Highest& highest, const Reference& reference, double h) {
    if (highest.order < 0) return std::max(std::abs(reference.low), std::abs(reference.high));
    const int m = highest.order, half = m / 2;
    double result = highest.coefficient / h;
    for (int k = 1; k <= m; ++k) result /= h;
    for (int k = 1; k <= half; ++k) result = result * (m - half + k) / k;
    return result;
}

// Of computing, per simulated second; the best of a few, since machines are disturbed. NaN for a run that
// fails at its start.
double seconds_of(const FlatModel& model, const RunControl& control) {
    double best = HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        const Trace trace = simulate(model, control);
        const double simulated = trace.end_t - model.settings.start;
        if (!(simulated > 0)) return NAN;
        best = std::min(best, trace.statistics.run_seconds / simulated);
        if (trace.statistics.run_seconds > 0.1) break;
    }
    return best;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

struct Comparer {
    const FlatModel &all, &one;
    Comparison& result;
    ComparedFacts facts;
    const RunControl& control;
    double symbolic_seconds = -1;

    bool interrupted() const {
        return control.interrupt && control.interrupt->load(std::memory_order_relaxed);
    }
    // The same, without a word about how far it is: rows tell that.
    RunControl silent() const {
        RunControl quiet;
        quiet.interrupt = control.interrupt;
        return quiet;
    }

    void compare(const Rational& step, Riemann riemann, bool keep) {
        RunControl own = silent();
        own.own_samples = true;
        Trace numeric = simulate(variant(one, step, riemann, true), own);
        FlatModel symbolic = variant(one, step, riemann, false);
        symbolic.settings.at = numeric.t;
        const Trace trace = simulate(symbolic, silent());
        if (interrupted()) return;
        cut(numeric, trace);
        const Reference reference(trace);
        ComparisonRow row;
        row.step = to_double(step);
        row.riemann = riemann;
        if (!numeric.errors.empty()) row.trouble = first_line(numeric.errors.front().text);
        const std::vector<bool> left_out =
            occupied(numeric, reference, facts, row.step, riemann == Riemann::left);
        row.max_error = largest_error(numeric, reference, left_out);
        row.delay = best_shift(numeric, reference, left_out, facts, row.step);
        row.late = latest_jump(numeric, reference);
        row.samples = reference.t.size();
        row.left_out = static_cast<std::size_t>(std::count(left_out.begin(), left_out.end(), true));
        row.max_magnitude = largest_magnitude(numeric.samples.front());
        row.estimate = estimate(highest_impulse(trace), reference, row.step);
        row.numeric_seconds = seconds_of(variant(all, step, riemann, true), silent());
        if (symbolic_seconds < 0 || has_fixed_steps(all.settings.method))
            symbolic_seconds = seconds_of(variant(all, step, riemann, false), silent());
        if (interrupted()) return;
        row.symbolic_seconds = symbolic_seconds;
        result.rows.push_back(row);
        if (keep) result.numeric.push_back(std::move(numeric));
    }
};

}  // namespace

Comparison compare(const FlatModel& all, const FlatModel& one, std::span<const Rational> steps,
                   const Runner& run_symbolic, const RunControl& control) {
    Comparison result;
    result.model = all.name;
    result.signal = one.record.front().name;
    FlatModel symbolic = one;
    symbolic.settings.impulses = ImpulseKind::symbolic;
    result.symbolic = run_symbolic ? run_symbolic(symbolic) : simulate(symbolic, {control.interrupt, {}});
    result.errors = result.symbolic.errors;
    if (!result.symbolic.t.empty()) result.size = largest_magnitude(result.symbolic.samples.front());
    result.signal_order = highest_impulse(result.symbolic).order;
    for (const Recorded& recorded : all.record)
        if (recorded.name != result.signal) result.others.push_back(recorded.name);
    Comparer comparer{all, one, result, facts_of(one), control};
    result.highest_order = highest_impulse(impulses_of(one, comparer.facts, comparer.silent())).order;
    if (has_modes(all.graph)) comparer.facts.order = std::max(comparer.facts.order, result.highest_order);
    result.right_only = !all.graph.automata.empty();  // modes have no meaning with the left sum
    for (std::size_t i = 0; i < steps.size() && !comparer.interrupted(); ++i) {
        comparer.compare(steps[i], Riemann::right, result.numeric.empty());
        if (!result.right_only && !comparer.interrupted())
            comparer.compare(steps[i], Riemann::left, result.numeric.size() == 1);
        if (control.progress)
            control.progress(static_cast<double>(i + 1) / static_cast<double>(steps.size()));
    }
    result.interrupted = comparer.interrupted();
    return result;
}

}  // namespace deltaflow
