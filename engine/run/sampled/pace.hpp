// Where samples stand: on the grid, at what is due, or in equal steps off the grid.
#pragma once

#include "engine/model/model.hpp"
#include "engine/run/agenda.hpp"

#include <map>
#include <vector>

namespace deltaflow {

// An impulse of order n >= 1 is n + 1 samples over equal steps: with split ones its moments would be wrong by
// parts that no h removes. Where its time is not on the grid its samples keep their own pace, t, t + h, ...,
// and so do the same samples where they come out of a delay. Then the grid goes on.
class Pace {
public:
    Pace(const Settings& settings, const Agenda& agenda);

    struct Plan {
        double t, h;
        bool due;
    };
    // The next sample. `approach`: when a step has to begin that an impulse of order one or higher closes.
    Plan plan(double approach) const;
    double step() const { return step_; }
    double stop() const { return stop_; }
    // What is nearer than this to a sample happens in it.
    double slack() const;
    bool is_grid(double t) const;
    bool is_whole() const { return whole_steps_ > 0; }
    // How far it is from a sample at t to the next one that nothing but the grid asks for; as far as is
    // known.
    double whole_step_after(double t) const { return whole_step(t, own_pace_ && whole_steps_ > 0); }
    double whole_step_behind(double t) const { return whole_step(t, own_pace_ && whole_steps_ > 1); }
    double step_after(double t) const;

    // `steps` equal steps from a sample at `from` on; `now`: that sample is still to be accepted. What comes
    // out of delays, `repeats` later, then repeats them.
    void keep(double from, int steps, bool now, const std::vector<double>& repeats);
    void keep_whole(int steps) { whole_steps_ = std::max(whole_steps_, steps); }
    // Equal steps that begin in the sample at t: how many.
    int take_runs(double t);
    // A sample at t is there; the step that led to it is over; the grid goes on behind it.
    void accept(double t) { t_ = t; }
    void count_step();
    void go_on();
    double time() const { return t_; }
    void end() { t_ = stop_; }
    void archive(Archive& a) { a(t_, on_grid_, next_grid_, whole_steps_, own_pace_, runs_); }

private:
    double whole_step(double t, bool own_pace) const;

    const Agenda& agenda_;
    double step_, start_, stop_;
    double t_;                    // of the last sample
    bool on_grid_ = true;         // it is a grid point
    double next_grid_ = 1;        // number of the grid point that comes next
    int whole_steps_ = 0;         // so many steps must not be split
    bool own_pace_ = false;       // and they stand off the grid
    std::map<double, int> runs_;  // where equal steps off the grid begin, and how many
};

}  // namespace deltaflow
