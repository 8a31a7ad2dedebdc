// A law: a property that RapidCheck tries on a hundred cases, the same ones on every run.
#pragma once

#include <rapidcheck/catch.h>

#include <sstream>
#include <string>
#include <utility>

namespace deltaflow {

// Like rc::prop, with a seed that is fixed instead of drawn from the clock.
template <class Testable>
void law(const std::string& sentence, Testable&& testable) {
    SECTION(sentence) {
        rc::detail::TestParams parameters;
        parameters.seed = 2003;
        const auto result = rc::detail::checkTestable(std::forward<Testable>(testable),
                                                      rc::detail::TestMetadata{}, parameters);
        std::ostringstream message;
        rc::detail::printResultMessage(result, message);
        INFO(message.str());
        CHECK(result.template is<rc::detail::SuccessResult>());
    }
}

// Draws from the whole range from the first case on; by itself RapidCheck starts near the lower end.
template <class T>
rc::Gen<T> full_range(rc::Gen<T> generator) {
    return rc::gen::resize(rc::kNominalSize, std::move(generator));
}

// low, ..., high
inline rc::Gen<int> integers(int low, int high) { return full_range(rc::gen::inRange(low, high + 1)); }

}  // namespace deltaflow
