// What an operation throws where distributions do not allow it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace deltaflow {

// The message says what met what, and the way out where there is one.
struct UndefinedOperation : std::domain_error {
    using std::domain_error::domain_error;
};

// delta, delta', delta'', delta''', delta^(4), ...
std::string delta_name(int order);

// "delta times delta' is not defined"
UndefinedOperation impulse_meets_impulse(int order, int other);

// "delta' meets a jump of the other factor's derivative; use pre(...) to read it before the jump"
UndefinedOperation impulse_meets_jump(int order, int rung);

// "the inverse of delta is not defined"; `what` is "the inverse", "exp", ...
UndefinedOperation function_of_impulse(std::string_view what, int order);

// "log needs a positive value"
UndefinedOperation outside_domain(std::string_view what, std::string_view need);

// "delta'' needs rung 2, which is not known"
UndefinedOperation rung_not_known(std::string_view what, int rung);

}  // namespace deltaflow
