// Events of all islands in one list, in order of time; those at the same hyperdense time are one.
#pragma once

#include "engine/model/model.hpp"
#include "engine/run/island_run.hpp"

#include <span>
#include <vector>

namespace deltaflow {

// What one island has left, and which automata of the model are its own.
struct LaneEvents {
    const Recorder* recorder;
    std::span<const std::uint32_t> automata;
};

class Merging {
public:
    // `closing` holds what is known of the whole run: names of causes, and how many impulses signals carry.
    Merging(const FlatModel& model, std::size_t shown, Trace& closing)
        : model_(model), shown_(shown), closing_(closing) {}

    void begin(std::vector<std::uint32_t> mode) { mode_ = std::move(mode); }
    // Adds events before `before` and not after `end`.
    void add(std::span<const LaneEvents> lanes, double before, double end, Trace& part);
    // The name of a node that caused something, as an index.
    std::uint32_t cause(NodeId n);
    void archive(Archive& a) { a(causes_, mode_); }

private:
    struct Item {
        const LaneEvents* lane;
        const Event* event;
    };
    bool add_as_they_are(const Recorder& r, double before, double end, Trace& part);
    void add_alone(const LaneEvents& lane, double before, double end, Trace& part);
    void add_together(std::span<Item> items, Trace& part);
    void add_event(Event event, std::span<const Item> items, Trace& part);
    void add_jump(Trace& part, const Recorder& r, Jump jump);
    void add_modes(std::span<const Item> items, Trace& part);

    const FlatModel& model_;
    std::size_t shown_;
    Trace& closing_;
    std::vector<std::pair<NodeId, std::uint32_t>> causes_;  // sorted; few causes, many events
    std::vector<std::uint32_t> mode_;                       // of all automata, as committed
};

// Ledgers of parts of a graph, as one. Of an instant the parts that take part in it are told.
void add_ledger(EnergyLedger& sum, const EnergyLedger& part, std::span<const std::uint32_t> elements);
void sort_ledger(EnergyLedger& ledger);

}  // namespace deltaflow
