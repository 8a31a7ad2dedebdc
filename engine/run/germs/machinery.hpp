// What it takes to run a system: programs at work, their arrays, a method.
#pragma once

#include "engine/compile/system.hpp"
#include "engine/run/state.hpp"
#include "engine/solve/instant_solver.hpp"
#include "engine/solve/steppers/certify.hpp"
#include "engine/solve/steppers/stepper.hpp"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace deltaflow {

class Stiffness;

struct Machinery {
    explicit Machinery(const System& s);
    ~Machinery();
    std::unique_ptr<InstantSolver> solver;
    Workspace germ_work, output_work, condition_work;
    Workspace ledger_work;
    Rungs<double> output, conditions, ledger;
    Rungs<Bounded> bounded_conditions;  // for methods without a series
    std::unique_ptr<Stepper> stepper;
    std::unique_ptr<Stiffness> stiffness;  // of explicit methods
    std::unique_ptr<StepProof> proof;      // only with certify
    std::unique_ptr<Stepper> expansion;    // series for the past of delays, where the stepper has none
    // Indices in System::states: those that an instant looks at, and among them those that it can change.
    // With modes these are all of them.
    std::vector<std::uint32_t> seen_states, jumping_states;
    // What has to stay finite; and does anything that is shown need a look of its own for that?
    std::vector<NodeId> computed;
    bool outputs_may_overflow;
    std::vector<NodeId> looped;  // unknowns of loops that Newton solves, in the series
    std::vector<NodeId> looped_branchers;
    std::vector<double> scratch;  // states somewhere in a step

private:
    void list_states(const System& s);
    void list_loops(const System& s);
};

// The system that runs: that of the mode at hand, or of an earlier one while instants are solved on parts.
struct Running {
    const System* s = nullptr;
    Machinery* m = nullptr;
};

// One for each system, made when it is first wanted.
class Machineries {
public:
    // Loops are looked for at the guesses of the island's state.
    explicit Machineries(std::vector<double>& guess) : guess_(guess) {}
    Machinery& of(const System& s);
    std::uint64_t evaluations() const;
    // Since when stability, not accuracy, has limited the steps.
    std::optional<double> stiff_since() const;
    void clear() { known_.clear(); }
    template <class IsForgotten>
    void forget_if(const IsForgotten& is_forgotten) {
        std::erase_if(known_, [&](const auto& known) { return is_forgotten(known.first); });
    }
    auto begin() { return known_.begin(); }
    auto end() { return known_.end(); }

private:
    std::vector<double>& guess_;
    std::map<const System*, std::unique_ptr<Machinery>> known_;
};

// What a method is told of its island, and the method that the settings name.
FlowContext flow_context(const Settings& settings, State& state, const Running& at);
std::unique_ptr<Stepper> stepper_for(const FlowContext& c);
// Watches over methods that stability can limit; the others need not.
std::unique_ptr<Stiffness> make_stiffness(const FlowContext& c);

}  // namespace deltaflow
