// Threads take the next combination of values until none is left; nothing is shared but the list of rows.
#include "engine/sweep.hpp"

#include "deltaflow/sink.hpp"
#include "engine/front/load.hpp"
#include "engine/side_by_side.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

namespace deltaflow {

namespace {

std::vector<std::string> combination(const std::vector<SweepAxis>& axes, std::size_t index) {
    std::vector<std::string> values(axes.size());
    for (std::size_t a = axes.size(); a-- > 0; index /= axes[a].values.size())
        values[a] = axes[a].values[index % axes[a].values.size()];
    return values;
}

std::size_t combinations(const std::vector<SweepAxis>& axes) {
    std::size_t count = 1;
    for (const SweepAxis& axis : axes) count *= axis.values.size();
    return count;
}

// The values that a run ended with, and how many events it had; the rest is not kept.
class LastValues final : public Sink {
public:
    void take(const Trace& part) override {
        events_ += part.events.size();
        if (part.t.empty()) return;
        values_.clear();
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

Finished finished(std::vector<std::string> values, const LastValues& run) {
    const Trace& end = run.closing();
    return {{std::move(values), run.values(), run.events(), end.end_t, end.end_reason, end.errors},
            end.model,
            end.signals,
            true,
            {}};
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

struct Sweeper {
    const ModelFiles& files;
    const LoadOptions& load;
    const std::vector<SweepAxis>& axes;
    const SweepControl& control;
    std::vector<Finished> all{combinations(axes)};
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
            model.settings.at = {model.settings.stop};
            LastValues last;
            deltaflow::run(model, last, run_control);
            return finished(values, last);
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
    for (const SweepAxis& axis : axes) result.parameters.push_back(axis.name);
    result.signals = all_signals(sweeper.all);
    for (Finished& f : sweeper.all) {
        if (result.model.empty()) result.model = f.model;
        result.rows.push_back(in_columns(result.signals, std::move(f)));
    }
    return result;
}

}  // namespace deltaflow
