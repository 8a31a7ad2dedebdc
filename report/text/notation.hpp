// How times, values and impulses are written for people.
#pragma once

#include "deltaflow/trace.hpp"

#include <span>
#include <string>

namespace deltaflow::report {

// Six significant digits; no minus before a zero.
std::string number_text(double x);

// Nine digits: events crowd together.
std::string time_text(double t);

// A point of hyperdense time: "<1.5, 0>", "<1.5 + eps, 0>", "<1.5 + 2 eps, 1>".
std::string hyperdense_text(const Event& event);

// "1.5" for the first solve at that t, else hyperdense.
std::string time_text(const Event& event);

// "25.2129 delta - 2 delta'"; empty if there is none.
std::string impulses_text(std::span<const double> impulses);

// "-9.81 + 25.2129 delta"; a zero before impulses is left out.
std::string germ_text(double value, std::span<const double> impulses);

// "v: -14.0071 -> 11.2057", "F: 25.2129 delta", "x: 1 -> 2 + 3 delta".
std::string jump_text(const Trace& trace, const Jump& jump);

// Ends the text with one line break.
std::string line_text(std::string text);

// At most `limit` words, joined; what is left out is counted: "a, b, ... 3 more".
std::string list_text(std::span<const std::string> words, std::size_t limit, std::string_view separator);

// Words in LaTeX: what has a meaning there is escaped.
std::string latex_words(const std::string& text);

}  // namespace deltaflow::report
