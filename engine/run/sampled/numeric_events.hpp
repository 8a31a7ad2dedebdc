// What happens in the sample just taken: conditions came to zero or jumped over it.
#pragma once

#include "engine/run/sampled/numeric_watches.hpp"
#include "engine/run/sampled/writer.hpp"

namespace deltaflow {

class NumericEvents {
public:
    NumericEvents(NumericState& state, const NumericRunning& at, Pace& pace, NumericSheets& sheets,
                  NumericSolver& solver, NumericWatches& watches, NumericTeller& teller, SampleWriter& writer,
                  bool may_slide)
        : may_slide_(may_slide),
          state_(state),
          at_(at),
          pace_(pace),
          sheets_(sheets),
          solver_(solver),
          watches_(watches),
          teller_(teller),
          writer_(writer) {}

    // How the flow would go on decides who fires; then branches follow until they agree with what comes just
    // after. That is what holds take that have ticked in the sample, too; but not what comes of a jump, which
    // is behind them.
    void happen(const std::vector<NodeId>& ticked = {});

private:
    struct Fired {
        bool any = false;
        bool by_jump = false;  // over zero
    };
    Fired fire_crossings(const std::vector<double>& sample);
    void follow(std::vector<double>& sample, bool changed);
    void solve_again();
    void settle_sides(const std::vector<double>& sample);
    void hold(const std::vector<NodeId>& ticked, bool behind);

    bool slides() const;
    void go_on_whole();

    bool may_slide_;
    NumericState& state_;
    const NumericRunning& at_;
    Pace& pace_;
    NumericSheets& sheets_;
    NumericSolver& solver_;
    NumericWatches& watches_;
    NumericTeller& teller_;
    SampleWriter& writer_;
};

}  // namespace deltaflow
