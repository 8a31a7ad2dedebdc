// The order of things at one time. It stands here once, for rounded and for exact numbers: an island says
// what each of its words does.
#pragma once

#include "engine/limits.hpp"
#include "engine/modes/modes.hpp"
#include "engine/modes/pairs.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace deltaflow {

struct Instant {
    // All commits at one time: at t, then what follows at t + epsilon, t + 2 epsilon, ...
    template <class Run>
    static void carry_out(Run& run) {
        std::vector<typename Run::Situation> seen;
        for (std::uint32_t epsilon = 0;; ++epsilon) {
            run.begin_commit();
            if (epsilon == 0) run.take_due();
            run.fire_crossings(epsilon == 0);
            solve(run, epsilon);
            run.commit();
            for (std::uint32_t n = 0; run.passes_on(); ++n) {  // an impact is over at once
                if (n > limits::commits_at_a_time) run.fail_endless_commits(n);
                solve(run, epsilon);
                run.commit();
            }
            run.tell(epsilon);
            if (!run.something_new()) return run.settle();
            if (comes_again(seen, run.situation()) || epsilon > limits::commits_at_a_time)
                run.fail_endless_commits(epsilon);
            run.go_on();
        }
    }

private:
    // From the same left germ until no ideal element contradicts its state and no guard holds on what came
    // out; the modes left behind are mythical. Without automata there is one mode.
    template <class Run>
    static void solve(Run& run, std::uint32_t epsilon) {
        std::vector<bonds::Mode> seen;
        run.fire_before(epsilon);
        do {
            const bool again = run.systems() && comes_again(seen, run.mode_tried());
            if (again) throw run.mode_cycle(std::move(seen));
            Pairs::settle(run, seen.size() <= 1);
        } while (run.fire_solved(epsilon));
    }

    // Has this been here before? From now on it has.
    template <class T>
    static bool comes_again(std::vector<T>& seen, T here) {
        const bool again = std::find(seen.begin(), seen.end(), here) != seen.end();
        seen.push_back(std::move(here));
        return again;
    }
};

}  // namespace deltaflow
