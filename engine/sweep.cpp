// Threads take the next combinations of values until none is left; nothing is shared but the list of rows.
#include "engine/sweep.hpp"

#include "deltaflow/sink.hpp"
#include "engine/course/side_by_side.hpp"
#include "engine/ensemble.hpp"
#include "engine/front/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <mutex>

namespace deltaflow {

namespace {

// The values that a run ended with, and how many events it had; the rest is not kept.
class LastValues final : public Sink {
public:
    explicit LastValues(double stop) : stop_(stop) {}
    void take(const Trace& part) override {
        events_ += part.events.size();
        if (part.t.empty() || part.t.back() < stop_) return;
        for (const auto& column : part.samples) values_.emplace_back(column.back());
    }
    void end(const Trace& closing) override {
        if (values_.empty()) values_ = closing.last;
        closing_ = closing;
    }
    std::uint64_t events() const { return events_; }
    const std::vector<std::optional<double>>& values() const { return values_; }
    const Trace& closing() const { return closing_; }

private:
    double stop_;
    std::uint64_t events_ = 0;
    std::vector<std::optional<double>> values_;
    Trace closing_;
};

RunError as_run_error(const ModelError& error) {
    std::string text;
    for (const Diagnostic& diagnostic : error.diagnostics) text += render(error.sources, diagnostic);
    return {error.kind, 0, text};
}

// `recorded`: the first signals of the trace; the others are there for measures only.
SweptRun finished(std::vector<std::string> values, std::size_t recorded, const LastValues& run,
                  const Measurer& measurer) {
    const Trace& end = run.closing();
    SweptRun f;
    f.row = {std::move(values), run.values(),   measurer.results(), run.events(),
             end.end_t,         end.end_reason, end.errors};
    f.model = end.model;
    f.signals = end.signals;
    f.signals.resize(recorded);
    f.row.finals.resize(recorded);
    return f;
}

SweptRun failed(std::vector<std::string> values, const ModelError& error) {
    SweptRun f;
    f.row.values = std::move(values);
    f.row.end_reason = EndReason::error;
    f.row.errors = {as_run_error(error)};
    f.loaded = false;
    return f;
}

// Causes of events have names, too, that are no signals.
bool names_cause(const FlatModel& model, const Measure& measure) {
    if (measure.looks_between_events() || measure.kind == MeasureKind::final) return false;
    const auto& automata = model.graph.automata;
    return std::any_of(automata.begin(), automata.end(),
                       [&](const auto& a) { return a.name == measure.name; });
}

// What is measured is recorded behind what the model records.
FlatModel recording_measured(FlatModel model, const std::vector<Measure>& measures) {
    std::vector<std::string> names;
    for (const Recorded& recorded : model.record) names.push_back(recorded.name);
    for (const Measure& measure : measures)
        if (!names_cause(model, measure) &&
            std::find(names.begin(), names.end(), measure.name) == names.end())
            names.push_back(measure.name);
    if (names.size() == model.record.size()) return model;
    LoadOptions more;
    more.record = std::move(names);
    try {
        return with(model, more);
    } catch (ModelError& error) {
        for (auto& source : error.sources.files)
            if (source.path == "--record") source.path = "--measure";
        throw;
    }
}

// The end, and where measures look at curves many times before.
std::vector<double> sample_times(const Settings& s, const std::vector<Measure>& measures) {
    constexpr int many = 2000;
    const bool looks = std::any_of(measures.begin(), measures.end(),
                                   [](const Measure& m) { return m.looks_between_events(); });
    std::vector<double> times;
    for (int k = 0; looks && k < many; ++k) times.push_back(s.start + (s.stop - s.start) * k / many);
    if (times.empty() || times.back() < s.stop) times.push_back(s.stop);
    return times;
}

// Times of events, as far as there is room for them.
class EventTimes final : public Sink {
public:
    void take(const Trace& part) override {
        constexpr std::size_t most = 100000;
        for (const Event& event : part.events)
            if (times_.size() < most && (times_.empty() || event.t > times_.back()))
                times_.push_back(event.t);
    }
    void add_to(std::vector<double>& at) const {
        at.insert(at.end(), times_.begin(), times_.end());
        std::sort(at.begin(), at.end());
        at.erase(std::unique(at.begin(), at.end()), at.end());
    }

private:
    std::vector<double> times_;
};

// A run of the sweep that was loaded.
struct Job {
    Job(std::size_t i, std::vector<std::string> v, FlatModel m, std::size_t shown,
        const std::vector<Measure>& measures)
        : index(i),
          values(std::move(v)),
          model(std::move(m)),
          recorded(shown),
          last(model.settings.stop),
          measurer(measures) {
        sinks.add(last);
        sinks.add(measurer);
    }
    std::size_t index;
    std::vector<std::string> values;
    FlatModel model;
    std::size_t recorded;  // without what is there for measures only
    EventTimes turns;
    LastValues last;
    Measurer measurer;
    Sinks sinks;
};

SweptRun failed(std::vector<std::string> values, const std::exception_ptr& mistake) {
    try {
        std::rethrow_exception(mistake);
    } catch (const ModelError& error) {
        return failed(std::move(values), error);
    }
}

// Curves turn at events, too: runs before tell where they are.
void find_turns(std::deque<Job>& jobs, Ensemble& ensemble, const RunControl& control) {
    std::vector<Ensemble::Member> rough;
    for (Job& job : jobs)
        if (job.model.settings.at.size() > 1) {
            rough.push_back({job.model, &job.turns});
            rough.back().model.settings.at = {job.model.settings.stop};
        }
    ensemble.run(rough, control);
    for (Job& job : jobs) job.turns.add_to(job.model.settings.at);
}

void run_jobs(std::deque<Job>& jobs, Ensemble& ensemble, const RunControl& control, const TakeRun& take) {
    find_turns(jobs, ensemble, control);
    std::vector<Ensemble::Member> members;
    for (Job& job : jobs) members.push_back({std::move(job.model), &job.sinks});
    ensemble.run(members, control);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        Job& job = jobs[i];
        if (members[i].begun)
            take(job.index, members[i].mistake
                                ? failed(std::move(job.values), members[i].mistake)
                                : finished(std::move(job.values), job.recorded, job.last, job.measurer));
    }
    jobs.clear();
}

// Runs may differ in what they record: a column for each name, in the order they come up.
std::vector<std::string> all_signals(const std::map<std::size_t, SweptRun>& all) {
    std::vector<std::string> names;
    const std::vector<std::string>* last = nullptr;
    for (const auto& [index, f] : all) {
        if (last && f.signals == *last) continue;
        last = &f.signals;
        for (const std::string& name : f.signals)
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names;
}

SweepRow in_columns(const std::vector<std::string>& signals, SweptRun f) {
    if (f.signals == signals) return std::move(f.row);
    std::vector<std::optional<double>> finals(signals.size());
    for (std::size_t s = 0; s < f.signals.size(); ++s) {
        const auto column = std::find(signals.begin(), signals.end(), f.signals[s]) - signals.begin();
        finals[static_cast<std::size_t>(column)] = f.row.finals[s];
    }
    f.row.finals = std::move(finals);
    return std::move(f.row);
}

}  // namespace

Sweeper::Measured Sweeper::model_at(std::size_t index) const {
    const std::vector<std::string> values = points_.values(index);
    LoadOptions options = load_;
    for (std::size_t a = 0; a < values.size(); ++a)
        options.set.emplace_back(points_.axes()[a].name, values[a]);
    FlatModel model = load_model(files_, options);
    const std::size_t recorded = model.record.size();
    return {recording_measured(std::move(model), control_.measures), recorded};
}

SweptRun Sweeper::run(std::size_t index) const {
    SweptRun only;
    only.row.values = points_.values(index);
    only.row.end_reason = EndReason::interrupted;
    Ensemble ensemble;
    run({&index, 1}, ensemble, [&](std::size_t, SweptRun run) { only = std::move(run); });
    return only;
}

// Large models are run as they come: few of them fit into the caches, or into memory.
void Sweeper::run(std::span<const std::size_t> indices, Ensemble& ensemble, const TakeRun& take) const {
    constexpr std::size_t much = 100000;
    RunControl run_control;
    run_control.interrupt = control_.interrupt;
    run_control.last_values = true;
    run_control.threads = 1;  // runs are side by side already
    std::deque<Job> jobs;
    for (const std::size_t index : indices) {
        try {
            auto [model, recorded] = model_at(index);
            model.settings.at = sample_times(model.settings, control_.measures);
            jobs.emplace_back(index, points_.values(index), std::move(model), recorded, control_.measures);
        } catch (const ModelError& error) {
            take(index, failed(points_.values(index), error));
        }
        if (!jobs.empty() && jobs.size() * jobs.back().model.diagram.nodes.size() > much)
            run_jobs(jobs, ensemble, run_control, take);
    }
    run_jobs(jobs, ensemble, run_control, take);
}

namespace {

// So many runs at a time that rows come soon, and all threads have enough to do.
class Portions {
public:
    Portions(std::size_t runs, std::size_t threads)
        : most_(std::clamp<std::size_t>(runs / (4 * threads), 1, Ensemble::most)) {}
    std::size_t size() const { return size_; }
    template <class Work>
    void time(const Work& work) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        const double times = soon / std::max(taken.count(), 1e-6);
        size_ = times > 1 ? std::max(2 * size_, static_cast<std::size_t>(static_cast<double>(size_) * times))
                          : size_ / 2;
        size_ = std::clamp<std::size_t>(size_, 1, most_);
    }

private:
    static constexpr double soon = 0.1;  // seconds
    std::size_t most_, size_ = 1;
};

}  // namespace

void run_points(const Sweeper& sweeper, ToDo& to_do, const TakeRun& take) {
    std::mutex taking;
    std::size_t taken = 0;
    const std::size_t jobs = std::min<std::size_t>(threads_for(sweeper.control().jobs), to_do.size());
    const auto take_one = [&](std::size_t index, SweptRun run) {
        const std::lock_guard lock(taking);
        take(index, std::move(run));
        if (sweeper.control().progress)
            sweeper.control().progress(static_cast<double>(++taken) / static_cast<double>(to_do.size()));
    };
    const auto work = [&](std::size_t) {
        Ensemble ensemble;
        Portions portions(to_do.size(), jobs);
        while (!sweeper.is_interrupted()) {
            std::vector<std::size_t> indices;
            while (indices.size() < portions.size())
                if (const auto index = to_do.next())
                    indices.push_back(*index);
                else
                    break;
            if (indices.empty()) return;
            portions.time([&] { sweeper.run(indices, ensemble, take_one); });
        }
    };
    side_by_side(jobs, static_cast<unsigned>(jobs), work);
}

SweepRows::SweepRows(const Sweeper& sweeper) : sweeper_(sweeper) {}

Sweep SweepRows::result() && {
    const auto loaded = [](const auto& numbered) { return numbered.second.loaded; };
    if (!runs_.empty() && std::none_of(runs_.begin(), runs_.end(), loaded))
        sweeper_.model(runs_.begin()->first);  // throws what is wrong with it
    Sweep result;
    for (const SweepAxis& axis : sweeper_.points().axes()) {
        result.parameters.push_back(axis.name);
        result.drawn.push_back(axis.draw.has_value());
    }
    for (const Measure& measure : sweeper_.control().measures) result.measures.push_back(measure.text());
    result.signals = all_signals(runs_);
    for (auto& [index, run] : runs_) {
        if (result.model.empty()) result.model = run.model;
        result.rows.push_back(in_columns(result.signals, std::move(run)));
    }
    return result;
}

Sweep sweep(const ModelFiles& files, const LoadOptions& load, const Points& points,
            const SweepControl& control) {
    const Sweeper sweeper(files, load, points, control);
    ToDo to_do(points.size());
    SweepRows rows(sweeper);
    run_points(sweeper, to_do, [&](std::size_t index, SweptRun run) { rows.take(index, std::move(run)); });
    return std::move(rows).result();
}

}  // namespace deltaflow
