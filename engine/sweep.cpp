// Threads take the next combination of values until none is left; nothing is shared but the list of rows.
#include "engine/sweep.hpp"

#include "deltaflow/sink.hpp"
#include "engine/front/load.hpp"
#include "engine/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <numbers>
#include <thread>

namespace deltaflow {

namespace {

// Draws belong together: all of them count as one axis, the fastest.
std::size_t draws_of(const std::vector<SweepAxis>& axes) {
    for (const SweepAxis& axis : axes)
        if (axis.draw) return axis.values.size();
    return 1;
}

std::vector<std::string> combination(const std::vector<SweepAxis>& axes, std::size_t index) {
    const std::size_t draws = draws_of(axes), draw = index % draws;
    index /= draws;
    std::vector<std::string> values(axes.size());
    for (std::size_t a = axes.size(); a-- > 0;) {
        const std::size_t count = axes[a].draw ? 1 : axes[a].values.size();
        values[a] = axes[a].values[axes[a].draw ? draw : index % count];
        index /= count;
    }
    return values;
}

// A good mixture of all bits (splitmix64).
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

// Between 0 and 1, never 0.
double chance(std::uint64_t key, std::uint64_t number) {
    return (static_cast<double>(mixed(key ^ mixed(number)) >> 11) + 0.5) * 0x1p-53;
}

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

RunError as_error(const ModelError& error) {
    std::string text;
    for (const Diagnostic& diagnostic : error.diagnostics) text += render(error.sources, diagnostic);
    return {error.kind, 0, text};
}

struct Finished {
    SweepRow row;
    std::string model;
    std::vector<std::string> signals;  // of row.finals
    bool begun = false;
    std::exception_ptr not_loaded;
};

// `recorded`: the first signals of the trace; the others are there for measures only.
Finished finished(std::vector<std::string> values, std::size_t recorded, const LastValues& run,
                  const Measurer& measurer) {
    const Trace& end = run.closing();
    Finished f;
    f.row = {std::move(values), run.values(),   measurer.results(), run.events(),
             end.end_t,         end.end_reason, end.errors};
    f.model = end.model;
    f.signals = end.signals;
    f.signals.resize(recorded);
    f.row.finals.resize(recorded);
    f.begun = true;
    return f;
}

Finished failed(std::vector<std::string> values, const ModelError& error) {
    Finished f;
    f.row.values = std::move(values);
    f.row.end_reason = EndReason::error;
    f.row.errors = {as_error(error)};
    f.begun = true;
    f.not_loaded = std::current_exception();
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

// Curves turn at events, too: a run before tells where they are.
void add_events(FlatModel& model, const RunControl& control) {
    constexpr std::size_t most = 100000;
    class Times final : public Sink {
    public:
        std::vector<double> times;
        void take(const Trace& part) override {
            for (const Event& event : part.events)
                if (times.size() < most && (times.empty() || event.t > times.back()))
                    times.push_back(event.t);
        }
    } found;
    FlatModel rough = model;
    rough.settings.at = {model.settings.stop};
    run(rough, found, control);
    std::vector<double>& at = model.settings.at;
    at.insert(at.end(), found.times.begin(), found.times.end());
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
}

struct Sweeper {
    const ModelFiles& files;
    const LoadOptions& load;
    const std::vector<SweepAxis>& axes;
    const SweepControl& control;
    std::vector<Finished> all{static_cast<std::size_t>(combinations(axes))};
    std::atomic<std::size_t> next = 0;
    std::mutex telling{};
    std::size_t told = 0;

    bool interrupted() const {
        return control.interrupt && control.interrupt->load(std::memory_order_relaxed);
    }

    Finished run(std::size_t index) const {
        std::vector<std::string> values = combination(axes, index);
        LoadOptions options = load;
        for (std::size_t a = 0; a < axes.size(); ++a) options.set.emplace_back(axes[a].name, values[a]);
        RunControl run_control;
        run_control.interrupt = control.interrupt;
        run_control.last_values = true;
        run_control.threads = 1;  // runs are side by side already
        try {
            FlatModel model = load_model(files, options);
            const std::size_t recorded = model.record.size();
            model = recording_measured(std::move(model), control.measures);
            model.settings.at = sample_times(model.settings, control.measures);
            if (model.settings.at.size() > 1) add_events(model, run_control);
            LastValues last(model.settings.stop);
            Measurer measurer(control.measures);
            Sinks sinks;
            sinks.add(last);
            sinks.add(measurer);
            deltaflow::run(model, sinks, run_control);
            return finished(values, recorded, last, measurer);
        } catch (const ModelError& error) {
            return failed(std::move(values), error);
        }
    }

    void tell() {
        if (!control.progress) return;
        const std::lock_guard lock(telling);
        control.progress(static_cast<double>(++told) / static_cast<double>(all.size()));
    }

    void work(std::size_t i) {
        if (interrupted()) return;
        all[i] = run(i);
        tell();
    }
};

// Runs may differ in what they record: a column for each name, in the order they come up.
std::vector<std::string> all_signals(const std::vector<Finished>& all) {
    std::vector<std::string> names;
    const std::vector<std::string>* last = nullptr;
    for (const Finished& f : all) {
        if (last && f.signals == *last) continue;
        last = &f.signals;
        for (const std::string& name : f.signals)
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names;
}

SweepRow in_columns(const std::vector<std::string>& signals, Finished f) {
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

std::vector<std::string> drawn_values(const std::string& name, const SweepAxis::Draw& draw, std::size_t runs,
                                      std::uint64_t seed) {
    std::uint64_t key = 0xcbf29ce484222325;  // FNV-1a of the name
    for (const char c : name) key = (key ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    key = mixed(key ^ mixed(seed));
    std::vector<std::string> values;
    for (std::uint64_t k = 0; k < runs; ++k) {
        const double u = chance(key, 2 * k), v = chance(key, 2 * k + 1);
        const double x = draw.kind == SweepAxis::Draw::Kind::uniform
                             ? draw.first + (draw.second - draw.first) * u
                             : draw.first + draw.second * std::sqrt(-2 * std::log(u)) *
                                                std::cos(2 * std::numbers::pi * v);  // Box and Muller
        values.push_back(fmt::format("{:.17g}", x));
    }
    return values;
}

double combinations(const std::vector<SweepAxis>& axes) {
    double count = static_cast<double>(draws_of(axes));
    for (const SweepAxis& axis : axes)
        if (!axis.draw) count *= static_cast<double>(axis.values.size());
    return count;
}

Sweep sweep(const std::string& path, const LoadOptions& load, const std::vector<SweepAxis>& axes,
            const SweepControl& control) {
    return sweep(read_model(path, load.allow), load, axes, control);
}

Sweep sweep(const ModelFiles& files, const LoadOptions& load, const std::vector<SweepAxis>& axes,
            const SweepControl& control) {
    Sweeper sweeper{files, load, axes, control};
    side_by_side(sweeper.all.size(), control.jobs, [&](std::size_t i) { sweeper.work(i); });
    std::erase_if(sweeper.all, [](const Finished& f) { return !f.begun; });
    const auto loaded = [](const Finished& f) { return !f.not_loaded; };
    if (!sweeper.all.empty() && std::none_of(sweeper.all.begin(), sweeper.all.end(), loaded))
        std::rethrow_exception(sweeper.all.front().not_loaded);

    Sweep result;
    for (const SweepAxis& axis : axes) {
        result.parameters.push_back(axis.name);
        result.drawn.push_back(axis.draw.has_value());
    }
    for (const Measure& measure : control.measures) result.measures.push_back(measure.text());
    result.signals = all_signals(sweeper.all);
    for (Finished& f : sweeper.all) {
        if (result.model.empty()) result.model = f.model;
        result.rows.push_back(in_columns(result.signals, std::move(f)));
    }
    return result;
}

}  // namespace deltaflow
