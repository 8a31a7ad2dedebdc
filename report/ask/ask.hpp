// Questions to a model in the words of the public headers, answered with text: what commands print.
#pragma once

#include "deltaflow/simulation.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace deltaflow::report {

enum class Form { text, json, latex, svg, dot };

// All of these throw Error.
std::string check(const Model& model, Form form);

// What could be found before something went wrong, beside that.
struct Answer {
    std::string text;
    std::vector<RunError> errors;
};
Answer exact(const Model& model, Form form, const Watch& watch = {});

// An instant by its time or by the number of an event, from 1.
struct Moment {
    std::optional<double> at;
    std::uint64_t event = 1;
    bool all = false;
};
Answer explain(const Model& model, const Moment& moment, Form form, const Watch& watch = {});

// Symbolic against numeric impulses; without steps a hundredth, a thousandth and a ten thousandth of the run,
// without a signal the first recorded one that impulses reach.
Answer compare(const Model& model, const std::vector<double>& steps, const std::string& signal, Form form,
               const Watch& watch = {});

struct Drawing {
    bool flat = false, primitives = false;
    std::size_t most = 150;
    std::string mode = {};
};
// `place` is given DOT and answers as `dot -Tjson0` does; only for SVG.
std::string show(const Model& model, const Drawing& drawing, Form form,
                 const std::function<std::string(const std::string& dot)>& place = {});

std::string hypa(const Model& model, Form form, std::uint64_t most_modes = 16);

// Types of blocks, elements and two-poles with their inputs and parameters, as JSON.
std::string catalogue();

// A run as text: the summary, JSON, or a picture with a panel a group of signals.
std::string run_text(const Trace& trace, Form form, const std::vector<std::vector<std::string>>& groups = {});
std::string run_csv(const Trace& trace);
std::string run_table(const Trace& trace);

// A run as bytes and back. Throws Error for bytes that are no run.
std::vector<std::byte> pack(Trace trace);
Trace unpack(std::span<const std::byte> bytes);

}  // namespace deltaflow::report
