// Events on samples, written down when both their sides are known: that is a sample later.
#pragma once

#include "bonds/graph.hpp"
#include "engine/compile/system.hpp"
#include "engine/run/island_run.hpp"

#include <optional>

namespace deltaflow {

class NumericRecord {
public:
    explicit NumericRecord(bonds::Mode mode) : recorded_mode_(std::move(mode)) {}

    void note_cause(NodeId origin);
    const std::vector<NodeId>& causes() const { return causes_; }
    void set_causes(std::vector<NodeId> causes) { causes_ = std::move(causes); }

    // From here on signals that may jump show an event; `now`: with the left sum, in this sample already.
    void open(double t, std::vector<double> left, std::vector<double> now);
    bool is_open_before(double t) const { return left_ && t_ < t; }
    // One sample later: `a`. `g`: with a bond graph.
    void close(const System& s, const std::vector<double>& a, const bonds::Graph* g, const bonds::Mode& mode);
    // A mode that was tried and left.
    void write_mythical(double t, const bonds::Mode& mode);
    Recorder& recorder() { return recorder_; }
    const Recorder& recorder() const { return recorder_; }
    void archive(Archive& a) {
        a(recorded_mode_, causes_, event_causes_, left_, now_, t_, index_, recorder_);
    }

private:
    std::optional<double> after(std::size_t i, const System& s, NodeId n, const std::vector<double>& a) const;
    void forget();
    void write(double t, const bonds::Mode& mode, bool committed, std::size_t first_jump);

    Recorder recorder_;
    bonds::Mode recorded_mode_;
    std::vector<NodeId> causes_, event_causes_;  // since the last event; of the event that is open
    std::optional<std::vector<double>> left_;    // of an event whose other side is still to come
    std::vector<double> now_;                    // left sum: the sample of the event itself
    double t_ = 0;
    std::uint32_t index_ = 0;  // of the solve that the event came out of
};

}  // namespace deltaflow
