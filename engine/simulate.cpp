// The run: islands side by side, errors in words, one trace in the end.
#include "engine/simulate.hpp"

#include "engine/limits.hpp"
#include "engine/report.hpp"
#include "engine/run/island.hpp"
#include "engine/run/sampled/numeric_island.hpp"
#include "engine/run_recorded.hpp"
#include "engine/solve/finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numeric>

namespace deltaflow {

namespace {

// Where samples are taken: `at`, else the grid start + k every, else 200 intervals.
std::vector<double> sample_times(const Settings& s) {
    std::vector<double> times;
    if (!s.at.empty()) {
        for (const double t : s.at)
            if (t >= s.start && t <= s.stop) times.push_back(t);
        std::sort(times.begin(), times.end());
        return times;
    }
    if (!s.every) {
        for (int k = 0; k <= 200; ++k)
            times.push_back(k == 200 ? s.stop : s.start + (s.stop - s.start) * k / 200);
        return times;
    }
    const Rational start = exact(s.start);
    Rational t = start;
    for (std::uint64_t k = 1; to_double(t) <= s.stop; ++k) {
        times.push_back(to_double(t));
        t = start + *s.every * Rational(Integer(k));
    }
    return times;
}

// The model with defaults that depend on other settings.
Settings complete(const Model& model) {
    Settings s = model.settings;
    if (!s.step) s.step = (exact(s.stop) - exact(s.start)) / Rational(Integer(1000));
    const auto fail = [&](const std::string& message) {
        throw ModelError(3, model.sources, {{Place{}, message, {}}});
    };
    const double step = to_double(*s.step);
    const bool fixed = s.impulses == "numeric" || s.method == "rk4" || s.method == "euler";
    if (fixed && !(s.start + step > s.start && s.stop - step < s.stop))
        fail(fmt::format("the step {} is lost in the rounding of the time from {} to {}", step, s.start,
                         s.stop));
    if (s.impulses == "numeric" && s.riemann == "left")
        for (const auto& automaton : model.graph.automata)
            throw ModelError(3, model.sources,
                             {{automaton.place,
                               fmt::format("automaton {} has no meaning with the left sum: a storage that "
                                           "becomes dependent would get its impulse a step late, and again "
                                           "in the next step",
                                           automaton.name),
                               {"what to do: use riemann = \"right\", or impulses = \"symbolic\""}}});
    if (s.certify && (s.method != "taylor" || s.impulses != "symbolic"))
        throw ModelError(
            2, model.sources,
            {{Place{},
              fmt::format("certify proves runs of method \"taylor\" with symbolic impulses, not of {}",
                          s.method != "taylor" ? fmt::format("\"{}\"", s.method) : "numeric ones"),
              {}}});
    if (s.method == "cvode" && !has_cvode())
        fail("method \"cvode\" needs SUNDIALS, which this program was built without");
    return s;
}

struct Runner {
    const Model& model;
    const Settings& settings;
    const RunControl& control;
    Trace& trace;
    std::vector<std::unique_ptr<IslandRun>> islands;
    double end = HUGE_VAL;                      // earliest end by error, Zeno or interrupt
    std::uint64_t steps = 0;                    // of all islands
    std::vector<const IslandRun*> failed = {};  // they do not go on

    void fail(const IslandRun& island, const RunFailure& failure) {
        failed.push_back(&island);
        fail(describe(model, island, failure));
    }

    void fail(RunError error) {
        if (error.t > end) return;
        if (error.t < end) trace.errors.clear();
        end = error.t;
        trace.errors.push_back(std::move(error));
        trace.end_reason = "error";
    }

    void zeno(const IslandRun& island) {
        const double t = island.end_time();
        if (t > end) return;
        end = t;
        trace.end_reason = "zeno";
        trace.errors.clear();
        if (settings.zeno == "error") trace.errors.push_back(describe_zeno(model, island));
    }

    void start_all() {
        for (auto& island : islands) {
            try {
                island->start();
            } catch (const RunFailure& failure) {
                if (failure.code == 7 && !failure.loop.empty()) fail_model_with(model, *island, failure);
                fail(*island, failure);
            }
        }
    }

    bool interrupted() {
        if (!control.interrupt || !control.interrupt->load(std::memory_order_relaxed)) return false;
        interrupt("interrupted at t = {}");
        return true;
    }
    void interrupt(fmt::format_string<double&> words) {
        double t = HUGE_VAL;
        for (const auto& island : islands) t = std::min(t, island->time());
        end = std::min(end, t);
        trace.end_reason = "interrupted";
        trace.errors = {{130, end, fmt::format(words, end)}};
    }

    // Brings one island to t, or to its end.
    void bring(IslandRun& island, double t) {
        std::uint64_t rounds = 0;
        if (island.stopped_by_zeno() || std::find(failed.begin(), failed.end(), &island) != failed.end())
            return;
        try {
            while (island.time() < t && island.time() < end) {
                if (++steps > control.most_steps)
                    return interrupt("the steps that were allowed end at t = {}");
                if (!island.advance()) {
                    if (island.stopped_by_zeno()) zeno(island);
                    return;
                }
                if (island.instants() > settings.max_events) {
                    fail(island,
                         {.code = 5,
                          .what = fmt::format("more than {} events (max_events)", settings.max_events),
                          .advice = "raise simulation.max_events if that many are meant"});
                    return;
                }
                if ((++rounds & 255) == 0) {
                    if (interrupted()) return;
                    if (islands.size() == 1) tell(island.time());
                }
            }
            if (t == HUGE_VAL) return;
        } catch (const RunFailure& failure) {
            fail(island, failure);
        } catch (const ModelError& error) {  // a mode that is met under way
            fail(describe(error, island.time()));
        }
    }
    void tell(double t) {
        if (control.progress) control.progress((t - settings.start) / (settings.stop - settings.start));
    }

    void run() {
        start_all();
        const double start = settings.start, stop = std::min(settings.stop, control.until);
        const int windows = islands.size() == 1 ? 64 : 8;  // few: each island's data stays warm
        for (int w = 1; w <= windows && end == HUGE_VAL; ++w) {
            const double t = w == windows ? HUGE_VAL : start + (stop - start) * w / windows;
            for (auto& island : islands) {
                if (trace.end_reason == "interrupted") break;
                bring(*island, t == HUGE_VAL ? std::nextafter(stop, HUGE_VAL) : t);
            }
            tell(std::min(t, stop));
            if (interrupted()) break;
        }
        // One island ended early: the others go as far.
        if (end != HUGE_VAL && trace.end_reason != "interrupted")
            for (auto& island : islands)
                if (island->time() < end) bring(*island, end);
    }
};

// Stability limited the steps: another method would take far fewer.
void warn_if_stiff(Runner& runner) {
    std::optional<double> since;
    for (const auto& island : runner.islands)
        if (const auto t = island->stiff_since(); t && (!since || *t < *since)) since = t;
    if (!since) return;
    runner.trace.warnings.push_back(
        fmt::format("the model is stiff: from t = {:.6g} on stability, not accuracy, limits the steps of {}; "
                    "method = \"{}\" takes fewer, and \"auto\" changes by itself",
                    *since, runner.settings.method, has_cvode() ? "cvode" : "rosenbrock4"));
}

// Gives each node that caused something its name, once.
struct CauseNames {
    const Model& model;
    Trace& trace;
    std::vector<std::pair<NodeId, std::uint32_t>> known;  // sorted; few causes, many events

    // The signal of a state stands for its automaton.
    std::string name_of(NodeId n) const {
        for (const auto& a : model.graph.automata)
            if (!a.signals.empty() && a.signals[0] == n) return a.name;
        return model.naming->name(n);
    }
    std::uint32_t index(NodeId n) {
        const auto at = std::lower_bound(known.begin(), known.end(), std::pair{n, std::uint32_t{0}});
        if (at != known.end() && at->first == n) return at->second;
        const std::string name = name_of(n);
        const auto same = std::find(trace.cause_names.begin(), trace.cause_names.end(), name);
        const auto i = static_cast<std::uint32_t>(same - trace.cause_names.begin());
        if (same == trace.cause_names.end()) trace.cause_names.push_back(name);
        return known.insert(at, {n, i})->second;
    }
};

// One island: its lists are the trace's lists.
void adopt(Trace& trace, CauseNames& names, Recorder&& r, double end) {
    while (!r.events.empty() && r.events.back().t > end) r.events.pop_back();
    trace.causes.reserve(r.causes.size());
    for (Event& event : r.events) {  // a block may be several nodes, and is one cause
        const auto first = static_cast<std::uint32_t>(trace.causes.size());
        for (std::uint32_t c = 0; c < event.cause_count; ++c) {
            const std::uint32_t cause = names.index(r.causes[event.first_cause + c]);
            if (std::find(trace.causes.begin() + first, trace.causes.end(), cause) == trace.causes.end())
                trace.causes.push_back(cause);
        }
        event.first_cause = first;
        event.cause_count = static_cast<std::uint32_t>(trace.causes.size()) - first;
    }
    trace.events = std::move(r.events);
    trace.jumps = std::move(r.jumps);
    trace.impulses = std::move(r.impulses);
    trace.modes = std::move(r.modes);
}

// Roots of equal conditions in two islands may differ by rounding.
bool is_same_time(const Event& a, const Event& b) {
    return a.epsilon == b.epsilon && a.index == b.index &&
           std::abs(a.t - b.t) <= limits::same_time_ulps * rounding::unit * std::abs(b.t);
}

// Events of all islands in one list; those at the same hyperdense time are one.
void merge(Trace& trace, CauseNames& names, const std::vector<std::unique_ptr<IslandRun>>& islands,
           double end) {
    struct Item {
        const Recorder* recorder;
        const Event* event;
    };
    std::vector<Item> items;
    for (const auto& island : islands)
        for (const Event& event : island->recorder().events)
            if (event.t <= end) items.push_back({&island->recorder(), &event});
    const auto key = [](const Item& i) { return std::tuple(i.event->t, i.event->epsilon, i.event->index); };
    std::stable_sort(items.begin(), items.end(),
                     [&](const Item& a, const Item& b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < items.size();) {
        Event event = *items[i].event;
        event.first_cause = static_cast<std::uint32_t>(trace.causes.size());
        event.first_jump = static_cast<std::uint32_t>(trace.jumps.size());
        const auto head = key(items[i]);
        for (; i < items.size() && (key(items[i]) == head || is_same_time(*items[i].event, event)); ++i) {
            const Recorder& r = *items[i].recorder;
            const Event& e = *items[i].event;
            for (std::uint32_t c = 0; c < e.cause_count; ++c)
                trace.causes.push_back(names.index(r.causes[e.first_cause + c]));
            for (std::uint32_t j = 0; j < e.jump_count; ++j) {
                Jump jump = r.jumps[e.first_jump + j];
                const auto first = r.impulses.begin() + jump.first_impulse;
                jump.first_impulse = static_cast<std::uint32_t>(trace.impulses.size());
                trace.impulses.insert(trace.impulses.end(), first, first + jump.impulse_count);
                trace.jumps.push_back(jump);
            }
        }
        const auto causes = trace.causes.begin() + event.first_cause;
        std::sort(causes, trace.causes.end());
        trace.causes.erase(std::unique(causes, trace.causes.end()), trace.causes.end());
        event.cause_count = static_cast<std::uint32_t>(trace.causes.size()) - event.first_cause;
        event.jump_count = static_cast<std::uint32_t>(trace.jumps.size()) - event.first_jump;
        std::sort(trace.jumps.begin() + event.first_jump, trace.jumps.end(),
                  [](const Jump& a, const Jump& b) { return a.signal < b.signal; });
        trace.events.push_back(event);
    }
}

void add(Proved& sum, const Proved& part) {
    sum.local_error = std::max(sum.local_error, part.local_error);
    sum.steps += part.steps;
    sum.events += part.events;
    sum.series += part.series;
}

}  // namespace

Trace run_recorded(const Model& model, const RunControl& control) {
    const auto begin = std::chrono::steady_clock::now();
    const Settings settings = complete(model);
    std::optional<ModeSystems> modes;
    std::vector<System> systems;
    if (!has_modes(model.graph))
        systems = compile_model(model, settings);
    else
        modes.emplace(model, settings);
    Trace trace;
    trace.model = model.name;
    trace.t = sample_times(settings);
    trace.samples.assign(model.record.size(), std::vector<double>(trace.t.size(), 0.0));
    trace.impulse_orders.assign(model.record.size(), 0);
    for (const auto& recorded : model.record) trace.signals.push_back(recorded.name);
    Runner runner{model, settings, control, trace, {}};
    std::vector<double> own_times;
    if (control.own_samples)
        for (auto& row : trace.samples) row.clear();
    const auto add_numeric = [&](const System& s, ModeSystems* of) {
        auto island = std::make_unique<NumericIsland>(settings, s, of, trace.t, trace.samples);
        if (control.own_samples) island->record_own_samples(own_times);
        runner.islands.push_back(std::move(island));
    };
    for (const System& s : systems) {
        if (settings.impulses == "numeric") {
            add_numeric(s, nullptr);
            continue;
        }
        for (const auto& output : s.outputs)
            trace.impulse_orders[output.signal] = impulse_rungs(s.regularity[output.node]);
        auto island = std::make_unique<Island>(settings, s, trace.t, trace.samples);
        if (control.log) island->observe(*control.log);
        runner.islands.push_back(std::move(island));
    }
    Island* graph = nullptr;
    for (const auto& a : model.graph.automata) trace.automata.push_back({a.name, a.states});
    if (modes) trace.first_mode = bonds::initial_mode(model.graph);
    if (modes && settings.impulses == "numeric") {
        add_numeric(modes->of(bonds::initial_mode(model.graph)), &*modes);
    } else if (modes) {
        auto island = std::make_unique<Island>(settings, *modes, trace.t, trace.samples);
        graph = island.get();
        if (control.log) island->observe(*control.log);
        runner.islands.push_back(std::move(island));
        // In a graph every signal may carry an impulse, in some mode.
        trace.impulse_orders.assign(model.record.size(), model.graph.elements.empty() ? 0 : 1);
        const System& first = modes->of(bonds::initial_mode(model.graph));
        for (const auto& output : first.outputs)
            trace.impulse_orders[output.signal] =
                std::max(trace.impulse_orders[output.signal], impulse_rungs(first.regularity[output.node]));
    }
    const std::clock_t compiled = std::clock();
    runner.run();
    trace.statistics.run_seconds = static_cast<double>(std::clock() - compiled) / CLOCKS_PER_SEC;
    if (control.own_samples) trace.t = std::move(own_times);
    const double end = std::min(runner.end, settings.stop);
    trace.end_t = runner.end == HUGE_VAL ? settings.stop : runner.end;
    std::size_t valid = trace.t.size();
    for (const auto& island : runner.islands)
        if (!control.own_samples || !island->system().outputs.empty())
            valid = std::min(valid, island->samples_written());
    trace.t.resize(valid);
    for (auto& row : trace.samples) row.resize(valid);
    CauseNames names{model, trace, {}};
    if (runner.islands.size() == 1)
        adopt(trace, names, runner.islands.front()->take_recorder(), end);
    else
        merge(trace, names, runner.islands, end);
    for (const Jump& jump : trace.jumps)
        trace.impulse_orders[jump.signal] =
            std::max(trace.impulse_orders[jump.signal], static_cast<int>(jump.impulse_count));
    if (graph) {
        graph->close_ledger();
        trace.energy = graph->ledger();
        trace.warnings = graph->warnings();
        for (const auto& e : model.graph.elements) trace.elements.push_back(e.name);
    }
    warn_if_stiff(runner);
    if (settings.certify) trace.proved.emplace();
    for (const auto& island : runner.islands) {
        if (trace.proved) add(*trace.proved, island->recorder().proved);
        trace.statistics.steps += island->recorder().statistics.steps;
        trace.statistics.evaluations += island->evaluations();
    }
    end_where_not_finite(trace);
    trace.statistics.events = trace.events.size();
    trace.statistics.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return trace;
}

}  // namespace deltaflow
