// An island that slides: systems in which blocks are held, what is zero in them, and when it ends.
#pragma once

#include "engine/run/island_germs.hpp"
#include "engine/solve/slide_search.hpp"

#include <map>
#include <optional>
#include <vector>

namespace deltaflow {

class IslandSlides : protected IslandGerms, protected SlideSearch {
protected:
    IslandSlides(const Settings& settings, const System* system, ModeSystems* modes)
        : IslandGerms(settings, system, modes), SlideSearch(settings) {}
    ~IslandSlides() override = default;

    Trial trial(OneSidedGerm& g, Discrete& discrete);
    // From here on another system runs.
    const System& at_hand() const override { return *s_; }
    void use_system(const System& s) override;
    void forget_systems();
    void forget_some_systems();
    std::span<const NodeId> branchers_in_loops() const override { return m_->looped_branchers; }
    bool is_in_use(NodeId brancher) const override { return is_active(brancher); }
    void note_release(const HeldSurface& h, const HeldSurface& leader, int side) override;

    // At an instant the conditions of what is held are zero by definition, until they jump.
    void respect_held();
    // The side that a held block is driven to on a germ; nothing if it stays between them.
    std::optional<int> leaves_surface(const HeldSurface& h, OneSidedGerm& g, const Discrete& discrete);
    // States are moved, as little as possible, to where these conditions are zero: errors must not add up.
    void return_to_surfaces();

    std::vector<double> scratch_;  // states

private:
    void complete_left_germ();
    const std::vector<std::uint32_t>& moving_states();
    bool remembers_steps() const;
    std::vector<double> misfits();
    void slopes(std::uint32_t state, std::vector<double>& column);

    OneSidedGerm* tried_ = nullptr;
    OneSidedGerm probe_;  // of the flow, where errors are looked for
    std::map<const System*, std::vector<std::uint32_t>> moving_;
};

}  // namespace deltaflow
