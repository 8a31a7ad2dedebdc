// Systems of modes on samples, each made once, and the way from one to another.
#pragma once

#include "engine/run/sampled/numeric_state.hpp"
#include "engine/run/sampled/pace.hpp"

#include <map>
#include <memory>

namespace deltaflow {

class NumericSheets {
public:
    NumericSheets(NumericState& state, NumericRunning& at, const Pace& pace)
        : state_(state), at_(at), pace_(pace) {}

    // Takes up the sampled diagram of the system at hand. Blocks whose sample is given are the same in all
    // modes; what they remember stays.
    void bind();
    // From here on the mode's own system runs, from the last sample. A storage that becomes dependent meets,
    // in its difference quotient, its own last sample.
    void enter(const bonds::Mode& mode);
    // Blocks that are demanded under the branches in force.
    void mark_active();
    std::uint64_t evaluations() const;
    void archive(Archive& a);

private:
    void bind(const SampledDiagram::Block& block, std::size_t& source, std::size_t& delay);
    void bind_source(const SampledDiagram::Block& block, std::size_t source);
    void bind_mode(const bonds::Mode& mode);

    NumericState& state_;
    NumericRunning& at_;
    const Pace& pace_;
    std::map<const System*, std::unique_ptr<SampledSystem>> sheets_;
};

// When a source gives its next impulse of order one or higher, if that is what comes next.
double next_high_impulse(const NumericState& state, const NumericRunning& at, NodeId schedule);

}  // namespace deltaflow
