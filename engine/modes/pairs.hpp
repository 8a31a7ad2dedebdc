// A mode in which no ideal element contradicts its state; and what pairs (`complement`) ask for beyond that.
//
// Pivoting comes through modes in which some z follow from nothing, two that do the same say. There pairs
// leak (bonds/complement.hpp), and who gives way is told by that. A mode with leaks is not kept: the same
// without, or with one pair less, has to do. Of a few pairs all modes are tried before there is no solution.
#pragma once

#include "bonds/complement.hpp"
#include "engine/model/run_failure.hpp"
#include "engine/modes/other_modes.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace deltaflow {

struct Pairs {
    // From the same left germ until nothing is contradicted. A run has, beside the words of an instant,
    // try_mode(mode), automata() with violated() and may_be(automaton, state), systems(), solved_sign(node),
    // starts(), looks_for_pairs() and warn_of_others(pair).
    template <class Run>
    static void settle(Run& run, bool first) {
        const auto* const systems = run.systems();
        const bonds::Graph* const g = systems ? systems->pair_graph() : nullptr;
        if (!g) return settle_elements(run, first);
        try {
            pivot(run, first, g);
            if (count(*g, run.mode_tried(), bonds::pair_leaks) > 0)
                find_other(run, *g, {.kind = ErrorKind::not_finite});
        } catch (const RunFailure& failure) {
            const bool is_of_numbers =
                failure.kind == ErrorKind::model || failure.kind == ErrorKind::not_finite;
            if (!is_of_numbers) throw;
            find_other(run, *g, failure);
        }
        if (run.looks_for_pairs()) look_for_others(run, *g);
    }

private:
    using Mode = bonds::Mode;

    // Where exchanges come to no end, or to a mode that has no solution, others are tried.
    template <class Run>
    static void settle_elements(Run& run, bool first) {
        try {
            pivot(run, first, nullptr);
        } catch (const RunFailure& failure) {
            const bonds::Graph* const g = run.systems() ? run.systems()->ideal_graph() : nullptr;
            const bool of_numbers = failure.kind == ErrorKind::model || failure.kind == ErrorKind::not_finite;
            if (!g || !of_numbers) throw;
            if (find_consistent(run, *g)) return;
            if (failure.loop.empty()) throw;
            throw in_all_states(run.starts(), failure);
        }
    }

    // Exchanges ended where nothing follows from anything; no other mode does.
    static RunFailure in_all_states(bool starts, RunFailure failure) {
        failure.kind = starts ? ErrorKind::model : ErrorKind::not_finite;
        failure.what =
            "the ideal elements have no consistent state here; in one that was tried " + failure.what;
        return failure;
    }

    // Perhaps a few exchanges further: bodies that meet go through an impact.
    template <class Run>
    static bool settles(Run& run) {
        constexpr int few = 6;
        for (int n = 0; n < few; ++n) {
            if (run.automata().violated().empty()) return !run.exchange();
            run.exchange();
            run.solve_mode(false);
        }
        return false;
    }

    template <class Run>
    static bool is_consistent(Run& run, const Mode& mode) {
        try {
            run.try_mode(mode);
            return settles(run);
        } catch (const RunFailure&) {
            return false;
        }
    }

    template <class Run>
    static bool find_consistent(Run& run, const bonds::Graph& g) {
        const std::vector<Mode> modes = deltaflow::other_modes(
            g, run.mode_tried(),
            [&](std::size_t a, std::uint32_t state) { return run.automata().may_be(a, state); });
        for (std::size_t i = 0; i < modes.size(); ++i) {
            if (!is_consistent(run, modes[i])) continue;
            warn_of_second(run, g, std::span(modes).subspan(i + 1));
            return is_consistent(run, modes[i]);
        }
        return false;
    }

    // What ideal elements carry: two modes in which these have the same signs are one solution.
    template <class Run>
    static std::vector<int> signs(Run& run, const bonds::Graph& g) {
        std::vector<int> list;
        for (const bonds::Element& e : g.elements)
            if (e.is_ideal())
                for (const NodeId n : {e.effort, e.flow}) list.push_back(run.solved_sign(n));
        return list;
    }

    // Would another of these do as well?
    template <class Run>
    static void warn_of_second(Run& run, const bonds::Graph& g, std::span<const Mode> others) {
        constexpr std::size_t few = 64;
        const Mode found = run.mode_tried();
        const std::vector<int> carried = signs(run, g);
        for (const Mode& mode : others.first(std::min(others.size(), few))) {
            if (!is_consistent(run, mode) || signs(run, g) == carried) continue;
            const Mode& other = run.mode_tried();
            std::size_t a = 0;
            while (a + 1 < found.size() && other[a] == found[a]) ++a;
            return run.warn_of_others(a);
        }
    }

    template <class Run>
    static void pivot(Run& run, bool first, const bonds::Graph* g) {
        solve(run, first, g);
        while (run.exchange()) solve(run, false, g);
    }

    template <class Run>
    static void solve(Run& run, bool first, const bonds::Graph* g) {
        if (!g || count(*g, run.mode_tried(), bonds::pair_on) == 0) return run.solve_mode(first);
        try {
            run.solve_mode(first);
        } catch (const RunFailure&) {
            run.try_mode(changed(*g, run.mode_tried(), bonds::pair_on, bonds::pair_leaks));
        }
    }

    static RunFailure without_solution(const bonds::Graph& g, bool starts, RunFailure why) {
        if (!why.what.empty()) why.notes.push_back(why.what);
        why.kind = starts ? ErrorKind::model : ErrorKind::not_finite;
        why.what = "the pairs have no consistent state here: no z >= 0 has w >= 0 and w z = 0";
        why.advice = "let w grow with z, such as w = z - 1";
        why.node = g.automata[pairs_of(g)[0]].z;
        return why;
    }

    // Throws if no other mode does.
    template <class Run>
    static void find_other(Run& run, const bonds::Graph& g, const RunFailure& failure) {
        for (const Mode& mode : other_modes(g, run.mode_tried())) {
            try {
                run.try_mode(mode);
                if (run.automata().violated().empty()) return;
            } catch (const RunFailure&) {
            }
        }
        throw without_solution(g, run.starts(), failure);
    }

    // Pairs that could as well be in the other state.
    template <class Run>
    static void look_for_others(Run& run, const bonds::Graph& g) {
        const Mode found = run.mode_tried();
        for (const std::size_t pair : pairs_of(g)) {
            Mode other = found;
            other[pair] = found[pair] == bonds::pair_off ? bonds::pair_on : bonds::pair_off;
            try {
                run.try_mode(other);
                const NodeId positive =
                    found[pair] == bonds::pair_off ? g.automata[pair].z : g.automata[pair].w;
                if (run.automata().violated().empty() && run.solved_sign(positive) != 0)
                    run.warn_of_others(pair);
            } catch (const RunFailure&) {
            }
        }
        run.try_mode(found);
    }

    static std::vector<std::size_t> pairs_of(const bonds::Graph& g) {
        std::vector<std::size_t> pairs;
        for (std::size_t a = 0; a < g.automata.size(); ++a)
            if (g.automata[a].is_pair()) pairs.push_back(a);
        return pairs;
    }
    static std::size_t count(const bonds::Graph& g, const Mode& mode, bonds::PairState state) {
        const auto pairs = pairs_of(g);
        return static_cast<std::size_t>(
            std::count_if(pairs.begin(), pairs.end(), [&](std::size_t a) { return mode[a] == state; }));
    }
    static Mode changed(const bonds::Graph& g, Mode mode, bonds::PairState from, bonds::PairState to) {
        for (const std::size_t a : pairs_of(g))
            if (mode[a] == from) mode[a] = to;
        return mode;
    }
    static std::vector<Mode> other_modes(const bonds::Graph& g, const Mode& tried) {
        constexpr std::size_t few = 8;
        const auto pairs = pairs_of(g);
        std::vector<Mode> modes{changed(g, tried, bonds::pair_leaks, bonds::pair_on)};
        for (const std::size_t a : pairs) {
            if (modes[0][a] == bonds::pair_off) continue;
            modes.push_back(modes[0]);
            modes.back()[a] = bonds::pair_off;
        }
        for (std::size_t set = 0; pairs.size() <= few && set < (std::size_t{1} << pairs.size()); ++set) {
            modes.push_back(tried);
            for (std::size_t i = 0; i < pairs.size(); ++i)
                modes.back()[pairs[i]] = (set >> i & 1) != 0 ? bonds::pair_on : bonds::pair_off;
        }
        return modes;
    }
};

}  // namespace deltaflow
