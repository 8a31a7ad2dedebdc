// An island that slides: systems in which blocks are held, what is zero in them, and when it ends.
#pragma once

#include "engine/run/germs/germs.hpp"
#include "engine/solve/slide_search.hpp"

#include <map>
#include <optional>
#include <vector>

namespace deltaflow {

class Slides final : public SlideSearch {
public:
    Slides(const Settings& settings, State& state, Running& at, Machineries& machineries, Germs& germs,
           ModeSystems* modes)
        : SlideSearch(settings),
          settings_(settings),
          state_(state),
          at_(at),
          machineries_(machineries),
          germs_(germs),
          modes_(modes) {}

    Trial trial(OneSidedGerm& g, Discrete& discrete);
    // From here on another system runs.
    void use_system(const System& s) override;
    void forget_systems();
    void forget_some_systems() {
        if (modes_ || held_systems().count() > 0) forget_unused_systems();
    }
    // At an instant the conditions of what is held are zero by definition, until they jump.
    void respect_held();
    // The side that a held block is driven to on a germ; nothing if it stays between them.
    std::optional<int> leaves_surface(const HeldSurface& h, OneSidedGerm& g, const Discrete& discrete);
    // States are moved, as little as possible, to where these conditions are zero: errors must not add up.
    void return_to_surfaces();

private:
    void forget_unused_systems();
    const System& at_hand() const override { return *at_.s; }
    std::span<const NodeId> branchers_in_loops() const override { return at_.m->looped_branchers; }
    bool is_in_use(NodeId brancher) const override { return state_.is_active(brancher); }
    void note_release(const HeldSurface& h, const HeldSurface& leader, int side) override;

    void complete_left_germ();
    const std::vector<std::uint32_t>& moving_states();
    bool remembers_steps() const;
    std::vector<double> misfits();
    void slopes(std::uint32_t state, std::vector<double>& column);

    const Settings& settings_;
    State& state_;
    Running& at_;
    Machineries& machineries_;
    Germs& germs_;
    ModeSystems* modes_;  // only with a bond graph
    OneSidedGerm* tried_ = nullptr;
    OneSidedGerm probe_;  // of the flow, where errors are looked for
    std::map<const System*, std::vector<std::uint32_t>> moving_;
};

}  // namespace deltaflow
