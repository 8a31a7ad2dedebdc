// What arguments of the command line mean, and what is wrong with them. A complaint is empty if nothing is.
#pragma once

#include "app/options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace deltaflow::app {

std::string complaint_about_number(const std::string& text);
std::string complaint_about_positive(const std::string& text);

// A whole number without sign, or nothing.
std::optional<std::uint64_t> whole_number(const std::string& text);
std::string complaint_about_count(const std::string& text, std::uint64_t least, std::uint64_t most);

// 0.1 is the fraction 1/10; what is no plain number is an expression.
Rational step_of(const std::string& text);
std::string complaint_about_steps(const std::string& text);

// Parts without blanks around them; empty ones are left out.
std::vector<std::string> split(const std::string& text, char separator = ',');
std::string complaint_about_times(const std::string& text);

// "y,v;F": signals of one panel between commas, panels between semicolons.
std::vector<report::Group> groups_of(const std::string& text);
std::string complaint_about_groups(const std::string& text);

// "name=value"
std::string complaint_about_setting(const std::string& text);

// "e=0.5,g=1.62"
std::string complaint_about_settings(const std::string& text);

// "1200x800" or "1200": pixels of a picture.
std::string complaint_about_size(const std::string& text);

// The model with these signals recorded instead; where a name is wrong, the error speaks of the option that
// asked for it.
FlatModel recording(const FlatModel& model, const std::vector<std::string>& names, const std::string& option);

// "e=0:1:0.01", "n=2,5,10": from, to and step in fractions, both ends included, or single values;
// "k=log:1:1000:7"; "m=normal:1:0.1" and "u=uniform:0:1", which have no values yet.
SweepAxis axis_of(const std::string& text);
std::string complaint_about_axis(const std::string& text);
// `draws`: of axes by chance; 0 if it was not said how many.
// `appended`: no row is kept.
std::string complaint_about_axes(const std::vector<SweepAxis>& axes, std::size_t draws, bool appended);

std::optional<Sampling> sampling_of(const std::string& word);
std::string complaint_about_sampling(const std::string& word);
std::string complaint_about_resuming(const SweepOptions& sweep);
// "2/8": part 2 of 8.
Share share_of(const std::string& text);
std::string complaint_about_share(const std::string& text);

// "max(y),count(hit)"
std::vector<std::string> measures_in(const std::string& text);
std::string complaint_about_measures(const std::string& text);

// Paths of one run, "" where there is none; no two may be the same.
std::string complaint_about_outputs(const std::vector<std::string>& paths);

}  // namespace deltaflow::app
