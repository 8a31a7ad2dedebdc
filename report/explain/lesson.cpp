// An explained instant put in order for writing, and the words that plain text and LaTeX share.
#include "report/explain/lesson.hpp"

#include "report/text/notation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

constexpr std::size_t most_before = 24;
constexpr std::size_t most_outcomes = 60;
constexpr std::size_t most_paragraphs = 60;
constexpr std::size_t most_parts = 4;  // islands that happen to meet in time

// Values, slopes, ... from Taylor rungs; three are enough to see how a signal moves.
std::vector<double> derivatives_of(const std::vector<double>& rungs) {
    std::vector<double> d;
    double factorial = 1;
    for (std::size_t k = 0; k < rungs.size() && k < 4; ++k) {
        if (k > 1) factorial *= static_cast<double>(k);
        d.push_back(rungs[k] * factorial);
    }
    return d;
}

// States and whatever else is read, as it was.
void add_before(SolvedLesson& lesson, const BlockFormulas& f, const std::vector<std::uint8_t>& told) {
    std::vector<std::uint8_t> read(told.size(), 0);
    for (BlockIndex b = 0; b < told.size(); ++b)
        if (told[b])
            for (const BlockIndex leaf : f.leaves(b)) read[leaf] = 1;
    for (BlockIndex b = 0; b < told.size(); ++b) {
        const WorkedBlock& w = f.block(b);
        const bool wanted = told[b] ? w.op == Primitive::integrator || w.jumps : read[b] && !w.shown;
        if (!wanted || w.left.empty() || w.op == Primitive::time || w.op == Primitive::constant) continue;
        if (lesson.before.size() == most_before)
            ++lesson.before_left_out;
        else
            lesson.before.push_back({f.label(b), derivatives_of(w.left)});
    }
}

void add_outcomes(SolvedLesson& lesson, bool all) {
    for (const WorkedBlock& b : lesson.solve->blocks) {
        if (!b.named) continue;
        const bool changed = b.changes || !b.impulses.empty();
        if (!changed && !b.recorded) continue;
        if (changed && !b.recorded && b.op != Primitive::integrator) continue;
        auto& list = changed ? lesson.outcomes : lesson.unchanged;
        if (list.size() == most_outcomes && !all) {
            lesson.outcomes_left_out += changed;
            continue;
        }
        const std::string all =
            b.also.empty() ? b.name : fmt::format("{}, {}", b.name, fmt::join(b.also, ", "));
        list.push_back({all, BlockFormulas::left(b), b.changes ? b.after : BlockFormulas::left(b), b.impulses,
                        b.changes});
    }
}

void add_paragraphs(SolvedLesson& lesson, const BlockFormulas& f, const std::vector<std::uint8_t>& told,
                    const WorkedSolve* before, bool all) {
    bool anything = false;
    for (BlockIndex b = 0; b < told.size(); ++b) {
        const WorkedBlock& w = f.block(b);
        anything = anything || (told[b] && happens(w));
        lesson.left_out += w.shown && w.named && !told[f.original(b)];
    }
    lesson.nothing_jumps = lesson.solve->complete && !anything;
    if (!lesson.solve->complete || !anything) return;
    lesson.paragraphs = paragraphs_of(f, *lesson.solve, told, before);
    if (lesson.paragraphs.size() <= most_paragraphs || all) return;
    lesson.paragraphs_left_out = lesson.paragraphs.size() - most_paragraphs;
    lesson.paragraphs.resize(most_paragraphs);
}

// "s slides: it is held between its sides where x stays 0, by x' = 0; it gives 0.3"
std::string slide_words(const BlockFormulas& f, const WorkedSlide& s) {
    const std::string c = plain(f.signal(s.condition));
    if (!s.after)
        return fmt::format("{} slides no longer where {} = {}: it takes a side, {}", s.block, c,
                           number_text(s.threshold), number_text(s.value));
    return fmt::format(
        "{} {}: it is held between its sides so that {} stays {}. Its equation: the {} of {} is 0. "
        "It gives {}",
        s.block, s.before ? "slides still" : "begins to slide", c, number_text(s.threshold),
        derivative_words(s.order), c, number_text(s.value));
}

SolvedLesson solved(const WorkedInstant& instant, std::size_t i, bool all) {
    const WorkedSolve& solve = instant.solves[i];
    SolvedLesson lesson{};
    lesson.solve = &solve;
    lesson.left_out = solve.left_out;
    Event event{};
    event.t = instant.t;
    event.epsilon = solve.epsilon;
    event.index = solve.index;
    lesson.time = hyperdense_text(event);
    const BlockFormulas f(solve, instant.t);
    for (const WorkedSlide& s : solve.slides) lesson.slides.push_back(slide_words(f, s));
    const std::vector<std::uint8_t> told = told_blocks(f, solve, all);
    add_before(lesson, f, told);
    add_paragraphs(lesson, f, told, i > 0 ? &instant.solves[i - 1] : nullptr, all);
    add_outcomes(lesson, all);
    if (instant.failure && i + 1 == instant.solves.size())
        lesson.refusal = refusal_of(f, *instant.failure, solve.complete);
    return lesson;
}

std::string where_words(const Explanation& e) {
    std::string text = "t = " + time_text(e.t);
    if (e.events.size() == 1) text += fmt::format(" (event {})", e.events[0]);
    if (e.events.size() > 1) text += fmt::format(" (events {} to {})", e.events.front(), e.events.back());
    return text;
}

std::string joined(const std::vector<std::string>& words) { return list_text(words, 8, ", "); }

}  // namespace

Lesson lesson_of(const Explanation& e, bool all) {
    Lesson lesson{&e, e.model, where_words(e), {}, 0};
    for (const WorkedInstant& instant : e.instants) {
        if (lesson.instants.size() == most_parts && !all) {
            ++lesson.parts_left_out;
            continue;
        }
        InstantLesson told{&instant, {}};
        for (std::size_t i = 0; i < instant.solves.size(); ++i)
            told.solves.push_back(solved(instant, i, all));
        lesson.instants.push_back(std::move(told));
    }
    return lesson;
}

std::string equations_words(const std::vector<int>& equations) {
    return equations.empty() ? "" : fmt::format("003:{}", fmt::join(equations, ", "));
}

std::string mode_words(const WorkedSolve& solve) {
    std::vector<std::string> states, on, off;
    for (const auto& [automaton, state] : solve.mode)
        states.push_back(fmt::format("{} = {}", automaton, state));
    for (const WorkedJunction& j : solve.junctions) (j.on ? on : off).push_back(j.name);
    std::string text = joined(states);
    if (!on.empty()) text += fmt::format("; on: {}", joined(on));
    if (!off.empty()) text += fmt::format("; off: {}", joined(off));
    return text;
}

std::string switch_words(const WorkedSwitch& s) {
    return fmt::format("{}: {} -> {}, since {}", s.automaton, s.from, s.to, s.when);
}

std::string comparison_words(const WorkedComparison& c) {
    std::string text = fmt::format("{} {}: the difference ", c.text, c.holds ? "holds" : "does not hold");
    if (c.order < 0) return text + fmt::format("has {} {}", number_text(c.value), plain(delta(-1 - c.order)));
    if (c.value == 0) return text + "is 0 and stays so";
    if (c.order == 0) return text + fmt::format("is {}", number_text(c.value));
    double derivative = c.value;
    for (int k = 2; k <= c.order; ++k) derivative *= k;
    return text + fmt::format("is 0{} and its {} is {}", c.located ? " (the root that was located)" : "",
                              derivative_words(c.order), number_text(derivative));
}

std::string opening_words(const WorkedSolve& solve, bool at_start) {
    if (solve.index > 0) return "the same left limits, in the new mode";
    if (solve.epsilon > 0) return "an infinitesimal later: what was committed is now the left limit";
    return at_start ? "the start: left limits are those of the flow that would lead here" : "";
}

std::pair<std::vector<WorkedSwitch>, std::vector<WorkedSwitch>> apart(const std::vector<WorkedSwitch>& list) {
    std::pair<std::vector<WorkedSwitch>, std::vector<WorkedSwitch>> result;
    for (const WorkedSwitch& s : list) (s.exchanged ? result.second : result.first).push_back(s);
    return result;
}

std::string closing_words(const WorkedSolve& solve, bool more) {
    if (!solve.committed && !solve.left_by.empty())
        return "The mode is mythical: a guard holds on what was solved, so nothing of it is kept.";
    if (!solve.committed) return "";
    return more ? "Committed. Something follows at the same time, an infinitesimal later."
                : "Committed. Nothing more happens here; time goes on.";
}

namespace {

// "momenta: 6 + 1 = 7 before and 7 after", where the sum is kept.
std::string kept_sum(const WorkedSolve& solve, bool inertia) {
    double before = 0, after = 0, size = 0;
    int count = 0;
    bool changed = false;
    for (const WorkedStorage& s : solve.storages) {
        if (s.inertia != inertia) continue;
        ++count;
        before += s.before;
        after += s.after;
        size += std::abs(s.before) + std::abs(s.after);
        changed = changed || s.before != s.after;
    }
    if (count < 2 || !changed || std::abs(after - before) > 1e-12 * size) return "";
    return fmt::format("the sum of the {} is {} before and after: it is conserved",
                       inertia ? "momenta" : "displacements", number_text(before));
}

}  // namespace

std::vector<std::string> conservation_words(const WorkedSolve& solve) {
    std::vector<std::string> words;
    for (const bool inertia : {true, false})
        if (std::string text = kept_sum(solve, inertia); !text.empty()) words.push_back(std::move(text));
    return words;
}

std::string energy_words(const WorkedSolve& solve) {
    std::string text = fmt::format("stored energy {} before, {} after", number_text(solve.stored_before),
                                   number_text(solve.stored_after));
    if (solve.supplied != 0) text += fmt::format("; sources supplied {}", number_text(solve.supplied));
    for (const auto& [name, work] : solve.dissipated)
        text += fmt::format("; {} dissipated {}", name, number_text(work));
    return text;
}

}  // namespace deltaflow::report
