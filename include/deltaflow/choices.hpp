// What a run can be told to do in words, and how it can end: each word once, with what it means.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace deltaflow {

// The methods, each once: its name, its word, whether its steps are all of one length, and what it is. The
// stepper of METHOD is made by make_METHOD_stepper (engine/solve/steppers).
#define DELTAFLOW_METHODS(METHOD)                                                                 \
    METHOD(automatic, "auto", false, "taylor, or a method for stiff models where that is better") \
    METHOD(taylor, "taylor", false, "Taylor series of adaptive order and step")                   \
    METHOD(dopri5, "dopri5", false, "Dormand and Prince, order 5")                                \
    METHOD(rk4, "rk4", true, "Runge and Kutta, order 4, fixed steps")                             \
    METHOD(euler, "euler", true, "the sums of numeric integrators, fixed steps")                  \
    METHOD(rosenbrock4, "rosenbrock4", false, "Rosenbrock, order 4, for stiff models")            \
    METHOD(cvode, "cvode", false, "BDF of SUNDIALS, for stiff models")

#define DELTAFLOW_METHOD(name, word, fixed, about) name,
enum class Method { DELTAFLOW_METHODS(DELTAFLOW_METHOD) };
#undef DELTAFLOW_METHOD
enum class ImpulseKind { symbolic, numeric };
enum class Riemann { right, left };
enum class Simultaneous { all, sequential };
// by_kind: impacts of contacts and stops go on, with these closed; all else is an error.
enum class AtZeno { by_kind, error, stop, proceed };
enum class Sliding { filippov, error };
enum class EndReason { stop, zeno, error, interrupted, terminated };

enum class ErrorKind { option, model, undefined, no_progress, file, not_finite, assertion, interrupted };

template <class E>
struct Choice {
    E value;
    std::string_view name, about;
};

// All choices of a kind, in the order in which they are listed.
template <class E>
inline constexpr std::array<Choice<E>, 0> choices{};

#define DELTAFLOW_METHOD(name, word, fixed, about) Choice<Method>{Method::name, word, about},
template <>
inline constexpr std::array choices<Method>{DELTAFLOW_METHODS(DELTAFLOW_METHOD)};
#undef DELTAFLOW_METHOD

constexpr bool has_fixed_steps(Method method) {
#define DELTAFLOW_METHOD(name, word, fixed, about) \
    if (method == Method::name) return fixed;
    DELTAFLOW_METHODS(DELTAFLOW_METHOD)
#undef DELTAFLOW_METHOD
    return false;
}

template <>
inline constexpr std::array choices<ImpulseKind>{
    Choice<ImpulseKind>{ImpulseKind::symbolic, "symbolic", "exact impulses"},
    Choice<ImpulseKind>{ImpulseKind::numeric, "numeric", "samples of height 1/h"},
};

template <>
inline constexpr std::array choices<Riemann>{
    Choice<Riemann>{Riemann::right, "right", "sums of values at the ends of steps"},
    Choice<Riemann>{Riemann::left, "left", "sums of values at the beginnings of steps"},
};

template <>
inline constexpr std::array choices<Simultaneous>{
    Choice<Simultaneous>{Simultaneous::all, "all", "automata whose guards hold switch together"},
    Choice<Simultaneous>{Simultaneous::sequential, "sequential", "one at a time, each committed"},
};

template <>
inline constexpr std::array choices<AtZeno>{
    Choice<AtZeno>{AtZeno::error, "error", "events that accumulate are an error"},
    Choice<AtZeno>{AtZeno::stop, "stop", "the run ends there"},
    Choice<AtZeno>{AtZeno::proceed, "continue", "the run goes on from the accumulation point"},
};

template <>
inline constexpr std::array choices<Sliding>{
    Choice<Sliding>{Sliding::filippov, "filippov",
                    "where both sides of a branch point at its surface, it is held between them"},
    Choice<Sliding>{Sliding::error, "error", "sliding is an error"},
};

template <>
inline constexpr std::array choices<EndReason>{
    Choice<EndReason>{EndReason::stop, "stop", "the run came to its end"},
    Choice<EndReason>{EndReason::zeno, "zeno", "events accumulate"},
    Choice<EndReason>{EndReason::error, "error", "an error of the run"},
    Choice<EndReason>{EndReason::interrupted, "interrupted", "somebody ended it"},
    Choice<EndReason>{EndReason::terminated, "terminated", "a condition of the model ended it"},
};

template <>
inline constexpr std::array choices<ErrorKind>{
    Choice<ErrorKind>{ErrorKind::option, "option",
                      "something that does not exist or does not fit is asked for"},
    Choice<ErrorKind>{ErrorKind::model, "model",
                      "the model is wrong: syntax, names, causality, a singular loop"},
    Choice<ErrorKind>{ErrorKind::undefined, "undefined",
                      "an operation that distribution theory does not define"},
    Choice<ErrorKind>{ErrorKind::no_progress, "no progress", "time does not diverge: a cycle of modes, Zeno"},
    Choice<ErrorKind>{ErrorKind::file, "file", "a file could not be read or written"},
    Choice<ErrorKind>{ErrorKind::not_finite, "not finite", "a pole, a branch point, an overflow"},
    Choice<ErrorKind>{ErrorKind::assertion, "assertion", "an `assert` of the model failed"},
    Choice<ErrorKind>{ErrorKind::interrupted, "interrupted", "somebody ended the run"},
};

template <class E>
constexpr std::string_view name_of(E value) {
    for (const auto& choice : choices<E>)
        if (choice.value == value) return choice.name;
    return "?";
}

template <class E>
constexpr std::optional<E> find_choice(std::string_view name) {
    for (const auto& choice : choices<E>)
        if (choice.name == name) return choice.value;
    return std::nullopt;
}

}  // namespace deltaflow
