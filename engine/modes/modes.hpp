// The systems of a model with a bond graph or automata, one for each mode, compiled when the mode is first
// entered.
#pragma once

#include "bonds/charts.hpp"
#include "engine/compile/system.hpp"
#include "engine/model/run_failure.hpp"
#include "engine/modes/change.hpp"
#include "engine/modes/switch_log.hpp"

#include <map>
#include <memory>
#include <unordered_map>

namespace deltaflow {

// Does the model run in modes? An automaton needs no element: blocks alone may read its states.
inline bool has_modes(const bonds::Graph& g) { return !g.elements.empty() || !g.automata.empty(); }

class ModeSystems {
public:
    // Throws ModelError if the first mode has no causality, or a loop of derivatives. The model must stay.
    ModeSystems(const FlatModel& model, const Settings& settings, const CutIsland& island);
    ModeSystems(const FlatModel& model, const Settings& settings)
        : ModeSystems(model, settings, whole_of(model)) {}

    // The graph in the numbering that all systems share.
    const bonds::Graph& graph() const { return graph_; }
    // `plain`: pre(x) is x, as at an accumulation point, where no time lies between two instants.
    const System& of(const bonds::Mode& mode, bool plain = false);
    bonds::Causality causality(const bonds::Mode& mode) const;
    // The part that a change from one mode to another reaches; nothing if it has to be solved on the whole.
    // `also`: nodes that will be something else even so. `degree`: of all signals before.
    Change* change(const bonds::Mode& from, const bonds::Mode& to, const std::vector<NodeId>& also,
                   const std::vector<std::int16_t>& degree);
    std::size_t count() const { return systems_.size(); }
    // Do the systems of modes that were entered take much room? Then those that nobody keeps may go, but for
    // the ones entered last.
    bool are_many() const;
    std::vector<const System*> entered_last() const;  // sorted
    template <class IsKept>
    void forget_all_but(const IsKept& is_kept) {
        std::erase_if(systems_, [&](const auto& known) { return !is_kept(known.second.system.get()); });
    }
    // Without automata signals jump only if the initial values contradict each other: then this is called,
    // and all systems are made anew.
    bool may_jump() const { return may_jump_; }
    void allow_jumps();
    const bonds::Ports& ports() const { return lowering_->ports(); }
    // What blocks make of given signals of the graph: the diagram with those left free, and its program.
    const Diagram& base() const { return base_; }
    const Program& reading() const { return reading_; }
    const std::vector<NodeId>& free_nodes() const { return free_; }
    // All that keeps something over an instant in some mode: states, and what storages hold.
    const std::vector<NodeId>& memory() const { return memory_; }
    const std::vector<std::uint32_t>& storages() const { return storages_; }
    bool dissipates(const bonds::Element& e) const;
    // Contacts and stops look at slopes of what they measure, wherever the flow comes from.
    bool has_sides() const { return has_sides_; }
    // The graph, if there are blocks `complement` in the model.
    const bonds::Graph* pair_graph() const { return has_pairs_ ? &graph_ : nullptr; }
    // Nothing where no state follows from the network.
    const bonds::Graph* ideal_graph() const;
    // Modulated ratios, and the choice of those that a mode divides by.
    bonds::Charts& charts() { return *charts_; }
    bool has_charts() const { return !charts_->empty(); }
    std::string describe(const bonds::Mode& mode) const;  // "touch = apart, slip = left"

private:
    void number(const CutIsland& island);
    void list_nodes();
    [[noreturn]] void fail(const bonds::Mode& mode, const bonds::CausalConflict& conflict) const;
    void lower(bonds::Lowering& lowering, const bonds::Mode& mode) const;
    std::vector<Regularity> at_most(const System& s) const;
    void list_ports(System& s) const;

    const FlatModel& model_;
    Settings settings_;
    bonds::Graph graph_;
    Diagram base_;
    std::vector<NodeId> origin_;
    std::vector<NodeId> guards_, free_, memory_;
    std::vector<std::uint32_t> storages_;  // elements
    Program reading_;
    bool may_jump_;
    bool has_sides_ = false, has_pairs_ = false;
    std::vector<System::Output> outputs_;
    std::vector<NodeId> named_;
    std::unique_ptr<bonds::Lowering> lowering_;
    std::unique_ptr<bonds::Charts> charts_;
    struct Entered {
        std::unique_ptr<System> system;
        std::uint64_t last = 0;  // which of all entrances
    };
    std::map<std::pair<bonds::Mode, bool>, Entered> systems_;
    std::uint64_t entrances_ = 0;
    std::unique_ptr<Changes> changes_;
    struct HashOfModes {
        std::size_t operator()(const std::pair<bonds::Mode, bonds::Mode>& modes) const;
    };
    std::unordered_map<std::pair<bonds::Mode, bonds::Mode>, std::unique_ptr<Change>, HashOfModes>
        known_changes_;
};

// Modes that follow each other in a circle, with the guards that lead from one to the next; the last one is
// the one that came again.
RunFailure mode_cycle(const ModeSystems& modes, std::vector<bonds::Mode> cycle, const SwitchLog& log);

// Is it the time since a transition has been due?
inline bool is_timer(const Diagram& d, NodeId n) {
    return d.nodes[n].op == Primitive::schedule && d.schedules[d.nodes[n].extra].timer;
}

// The nodes of all comparisons in a guard.
void collect_differences(const bonds::Guard& guard, std::vector<NodeId>& nodes);
// Those whose roots end a flow, of all guards that lead out of a mode; sorted.
std::vector<NodeId> watched_differences(const bonds::Graph& g, const bonds::Mode& mode);

}  // namespace deltaflow
