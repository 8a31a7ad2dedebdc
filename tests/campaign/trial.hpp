// One model, run in every way that must agree.
#pragma once

#include "tests/campaign/compare.hpp"
#include "tests/campaign/draft.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace deltaflow::campaign {

// What came of one comparison.
enum class Verdict : std::uint8_t {
    agrees,
    sensitive,  // they differ as much as the model does after a change of its numbers by rounding or
                // tolerance
    converges,  // they differ by the method's own error, which falls with its step or tolerance
    ambiguous,  // a loop has several solutions: from where a search begins elsewhere, the same model has the
                // other's numbers
    refused,    // the other way ended with an error that says so
    skipped,    // beyond the budget, or it does not apply
    differs,
};
inline constexpr std::size_t verdicts = 7;
const char* name_of(Verdict verdict);

struct Finding {
    std::string variant;
    Verdict verdict = Verdict::agrees;
    std::string what;
    double seconds = 0;
};

struct Trial {
    std::uint64_t seed = 0;
    Draft draft;
    int code = 0;  // of the reference
    std::vector<Finding> findings;

    const Finding* difference() const;
};

// All variants, or only one of them; `other_form` is the same model written otherwise, if there is one.
Trial examine(const Draft& draft, std::uint64_t seed, const std::optional<Draft>& other_form,
              const std::string& only = "");
Trial examine_seed(std::uint64_t seed, const std::string& only = "");

}  // namespace deltaflow::campaign
