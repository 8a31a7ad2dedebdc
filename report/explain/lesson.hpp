// An explained instant put in order for writing: the same lesson as plain text, LaTeX or JSON.
#pragma once

#include "report/explain/steps.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

// A signal just before the instant: its value and the first derivatives that were looked at.
struct Before {
    std::string signal;
    std::vector<double> derivatives;
};

// A signal that the instant changed, or left as it was.
struct Outcome {
    std::string signal;
    double left, right;
    std::vector<double> impulses;
    bool jumps;
};

struct SolvedLesson {
    const WorkedSolve* solve;
    std::string time;  // "<1.5 + eps, 0>"
    std::vector<Before> before;
    std::size_t before_left_out = 0;
    std::vector<std::string> slides;  // who is held, by which equation
    std::vector<Paragraph> paragraphs;
    bool nothing_jumps = false;
    std::uint64_t left_out = 0;  // signals that are not told
    std::vector<Outcome> outcomes, unchanged;
    std::size_t outcomes_left_out = 0, paragraphs_left_out = 0;
    std::optional<Paragraph> refusal;
};

struct InstantLesson {
    const WorkedInstant* instant;
    std::vector<SolvedLesson> solves;
};

struct Lesson {
    const Explanation* explanation;
    std::string title, where;  // "t = 1.42784312 (event 1)"
    std::vector<InstantLesson> instants;
    std::size_t parts_left_out = 0;
};

Lesson lesson_of(const Explanation& explanation, bool all);

inline constexpr const char* still_words = "No signal jumps and none carries an impulse: all values stay.";

inline constexpr const char* unsolved_words = "No instant is solved here: the run ends.";

// Sentences that both notations share.
std::string mode_words(const WorkedSolve& solve);         // "touch = together; contact is on"
std::string switch_words(const WorkedSwitch& s);          // "touch: apart -> together, since ..."
std::string comparison_words(const WorkedComparison& c);  // "x >= y: the difference is 0 and its slope is 2"
std::string opening_words(const WorkedSolve& solve, bool at_start);  // what brought the solve about
// Guards, and ideal elements that were exchanged.
std::pair<std::vector<WorkedSwitch>, std::vector<WorkedSwitch>> apart(const std::vector<WorkedSwitch>& list);
std::string closing_words(const WorkedSolve& solve, bool more);  // "left: ...", "committed"
std::vector<std::string> conservation_words(const WorkedSolve& solve);
std::string energy_words(const WorkedSolve& solve);
std::string equations_words(const std::vector<int>& equations);  // "003:18, 31"

void write_text(const Lesson& lesson, Output& output);
void write_latex(const Lesson& lesson, Output& output);
void write_json(const Lesson& lesson, Output& output);
// Rows in hyperdense time: bars for values, arrows for impulses, hollow ones in modes that were left at once.
void write_svg(const Lesson& lesson, Output& output);

}  // namespace deltaflow::report
