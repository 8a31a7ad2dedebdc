// What is told of events on samples: both their sides, and who caused them.
#pragma once

#include "engine/run/sampled/numeric_record.hpp"
#include "engine/run/sampled/numeric_state.hpp"
#include "engine/run/sampled/pace.hpp"

namespace deltaflow {

class NumericTeller {
public:
    NumericTeller(const NumericState& state, const NumericRunning& at, const Pace& pace)
        : state_(state), at_(at), pace_(pace), record_(state.mode) {}

    NumericRecord& record() { return record_; }
    const NumericRecord& record() const { return record_; }
    void note_cause(NodeId n) { record_.note_cause(at_.s->origin[n]); }
    // What is recorded, and then what else may jump.
    std::vector<double> shown(const std::vector<double>& a) const {
        std::vector<double> values;
        values.reserve(at_.s->outputs.size() + at_.s->named.size());
        for (const auto& output : at_.s->outputs) values.push_back(a[output.node]);
        for (const NodeId n : at_.s->named) values.push_back(a[n]);
        return values;
    }
    std::vector<double> outputs() const { return shown(state_.a); }
    void open(std::vector<double> left) {
        record_.open(pace_.time(), std::move(left), at_.left ? outputs() : std::vector<double>{});
    }
    void close() { record_.close(*at_.s, state_.a, at_.modes ? &at_.modes->graph() : nullptr, state_.mode); }

private:
    const NumericState& state_;
    const NumericRunning& at_;
    const Pace& pace_;
    NumericRecord record_;
};

}  // namespace deltaflow
