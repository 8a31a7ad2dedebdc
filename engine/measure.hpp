// What a run is asked for as one number: the largest value of a signal, its mean, when something happens
// first.
#pragma once

#include "deltaflow/sink.hpp"

#include <optional>
#include <string>
#include <vector>

namespace deltaflow {

enum class MeasureKind : std::uint8_t { max, min, mean, final, first, count };

// "max(y)". What happens, for `first` and `count`: the named signal jumps or carries an impulse, or what is
// named (a block, an automaton, an element) is the cause of an event.
struct Measure {
    MeasureKind kind = MeasureKind::final;
    std::string name;

    std::string text() const;
    bool looks_between_events() const { return kind <= MeasureKind::mean; }
};

// Nothing if that is no measure.
std::optional<Measure> measure_of(const std::string& text);
// "max, min, mean, final, first, count"
std::string measure_names();

// One signal over time: smooth stretches between instants, each kept until it ends.
class Track {
public:
    void add(double t, double value);
    void add_instant(double t, double left, double right, double impulse);
    // Something happened at t that may have left a corner; the sample there tells where.
    void add_corner(double t) { corner_ = t; }
    void close();  // the end of a stretch

    std::optional<double> high() const { return high_; }
    std::optional<double> low() const { return low_; }
    double integral() const { return integral_; }
    std::optional<double> last() const { return last_; }

private:
    void include(double value);

    std::vector<double> t_, value_;  // of the stretch
    std::optional<double> high_, low_, last_;
    std::optional<double> corner_;
    double integral_ = 0;
};

// Takes measures while a run goes on. The signals that they name must be recorded, but for names of causes.
// Samples at the very times of events make extremes at corners exact. The mean counts what impulses bring.
class Measurer final : public Sink {
public:
    explicit Measurer(std::vector<Measure> measures) : measures_(std::move(measures)) {}
    void begin(const Trace& heading) override;
    void take(const Trace& part) override;
    void end(const Trace& closing) override;

    // One a measure; nothing where it has no value: what never happens has no first time.
    const std::vector<std::optional<double>>& results() const { return results_; }

private:
    struct Happening {
        std::optional<double> first;
        std::uint64_t count = 0, epsilon = 0;
        double t = 0;  // of the last one
    };
    void take(const Trace& part, const Event& event);
    void take_sample(const Trace& part, std::size_t k);
    bool happens(const Trace& part, const Event& event, std::size_t measure) const;
    std::optional<double> result(std::size_t measure, double end) const;

    std::vector<Measure> measures_;
    std::vector<std::size_t> signals_;  // per measure: index into the trace; how many there are if none
    std::size_t signal_count_ = 0;
    std::vector<Track> tracks_;  // per measure
    std::vector<Happening> happenings_;
    std::optional<double> start_;
    std::vector<std::optional<double>> results_;
};

}  // namespace deltaflow
