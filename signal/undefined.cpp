#include "signal/undefined.hpp"

#include <fmt/format.h>

namespace deltaflow {

namespace {

std::string derivative_name(int k) {
    if (k == 0) return "the other factor";
    return k == 1 ? "the other factor's derivative"
                  : fmt::format("the other factor's derivative of order {}", k);
}

}  // namespace

std::string delta_name(int order) {
    return order <= 3 ? "delta" + std::string(order, '\'') : fmt::format("delta^({})", order);
}

UndefinedOperation impulse_meets_impulse(int order, int other) {
    return UndefinedOperation(
        fmt::format("{} times {} is not defined", delta_name(order), delta_name(other)));
}

UndefinedOperation impulse_meets_jump(int order, int rung) {
    return UndefinedOperation(fmt::format("{} meets a jump of {}; use pre(...) to read it before the jump",
                                          delta_name(order), derivative_name(rung)));
}

UndefinedOperation function_of_impulse(std::string_view what, int order) {
    return UndefinedOperation(fmt::format("{} of {} is not defined", what, delta_name(order)));
}

UndefinedOperation outside_domain(std::string_view what, std::string_view need) {
    return UndefinedOperation(fmt::format("{} needs {}", what, need));
}

UndefinedOperation rung_not_known(std::string_view what, int rung) {
    return UndefinedOperation(fmt::format("{} needs rung {}, which is not known", what, rung));
}

}  // namespace deltaflow
