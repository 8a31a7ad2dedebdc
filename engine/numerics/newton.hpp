// Newton's method for a loop of rungs, in flow and at instants alike.
//
// Equations give: size(); evaluate(i): what unknown i should be; get(i), set(i, v); diagonal(e) and
// partial(e): entry e of the identity, and of d evaluate(row) / d unknown(column); place(e): row and column;
// and, if they are not linear, tearing() and added(i): the sum of the sizes of what evaluate(i) adds up.
#pragma once

#include "engine/limits.hpp"
#include "engine/numerics/linear_solver.hpp"
#include "engine/numerics/tearing.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace deltaflow {

struct NewtonResult {
    bool converged = false, singular = false;
};

// The sign of the determinant where a solution has been followed so far: its sheet ends where that is zero.
// 0: nothing has been followed yet.
using SheetSign = int;

// Room for one loop, allocated once.
struct NewtonRoom {
    std::vector<double> values;                      // of the matrix
    std::vector<double> residual, start, direction;  // per unknown
    std::vector<double> scale, correction;
    void resize(std::size_t entries, std::size_t unknowns) {
        values.resize(entries);
        for (auto* v : {&residual, &start, &direction, &scale, &correction}) v->resize(unknowns);
    }
};

namespace newton {

inline double largest(std::span<const double> v) {
    double m = 0;
    for (const double x : v) m = std::max(m, std::abs(x));
    return m;
}

// How far the unknowns are from what they should be; HUGE_VAL where that is not a number.
template <class E>
double residual(E& e, std::vector<double>& r) {
    for (int i = 0; i < e.size(); ++i) {
        r[i] = e.evaluate(i) - e.get(i);
        if (!std::isfinite(r[i])) return HUGE_VAL;
    }
    return largest(r);
}

template <class E>
bool factor(E& e, LinearSolver& solver, std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = (e.diagonal(k) ? 1.0 : 0.0) - e.partial(k);
    return solver.factor(values);
}

template <class E>
void move(E& e, const NewtonRoom& room, double part) {
    for (int i = 0; i < e.size(); ++i) e.set(i, room.start[i] + part * room.direction[i]);
}

// Are the residuals down at the rounding of what each equation adds up?
template <class E>
bool at_rounding(E& e, NewtonRoom& room) {
    for (int i = 0; i < e.size(); ++i) room.direction[i] = e.added(i);
    for (std::size_t k = 0; k < room.values.size(); ++k) {
        const auto [row, column] = e.place(k);
        room.direction[row] += std::abs(room.values[k] * e.get(static_cast<int>(column)));
    }
    for (int i = 0; i < e.size(); ++i)
        if (!(std::abs(room.residual[i]) <= limits::newton_rounding * room.direction[i])) return false;
    return true;
}

}  // namespace newton

// One step solves a linear system; a second one removes its rounding.
template <class E>
NewtonResult solve_linear(E& e, LinearSolver& solver, NewtonRoom& room, bool refactor) {
    if (refactor && !newton::factor(e, solver, room.values)) return {.singular = true};
    for (int pass = 0; pass < 2; ++pass) {
        if (newton::residual(e, room.residual) == HUGE_VAL) return {};
        solver.solve(room.residual);
        for (int i = 0; i < e.size(); ++i) e.set(i, e.get(i) + room.residual[i]);
    }
    // A branch that is flat is zero above its value, not rounding of the others.
    for (const std::uint32_t i : solver.free_rows())
        e.set(static_cast<int>(i), e.evaluate(static_cast<int>(i)));
    return {.converged = true};
}

namespace newton {

// How large the arguments of nonlinear functions are: what a correction of them is held against. Other
// unknowns follow from these, and may be larger by any factor (the exponential of 700).
template <class E>
void measure(E& e, NewtonRoom& room) {
    const auto& argument = e.tearing().argument;
    double most = 0;
    for (int i = 0; i < e.size(); ++i) {
        room.scale[i] = argument[i] ? std::max(std::abs(room.start[i]), std::abs(room.direction[i])) : 0;
        most = std::max(most, room.scale[i]);
    }
    for (int i = 0; i < e.size(); ++i)
        if (argument[i]) room.scale[i] = std::max(room.scale[i], limits::argument_scale * most);
}

inline double length(const std::vector<double>& v, const std::vector<double>& scale) {
    double m = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
        if (scale[i] > 0) m = std::max(m, std::abs(v[i]) / scale[i]);
    return m;
}

// How long the correction is that remains after a part of a step, by the same matrix. (Deuflhard's natural
// level: unlike a residual it does not depend on how the equations are scaled.)
template <class E>
double rest_after(E& e, const LinearSolver& solver, NewtonRoom& room, double part) {
    move(e, room, part);
    if (newton::residual(e, room.residual) == HUGE_VAL) return HUGE_VAL;
    room.correction = room.residual;
    solver.solve(room.correction);
    return length(room.correction, room.scale);
}

// Moves by a part of a step. Does the correction become shorter? A step that is to stay on its sheet either
// converges at once, or comes nearer all the way: between two sheets it would be longer.
template <class E>
bool is_shorter(E& e, const LinearSolver& solver, NewtonRoom& room, double part, double before,
                SheetSign sheet) {
    const double rest = rest_after(e, solver, room, part);
    if (!(rest <= (1 - part / 4) * before)) return false;
    if (sheet == 0 || rest <= limits::surely_near * before) return true;
    const auto is_nearer = [&](double way) { return rest_after(e, solver, room, way * part) <= before; };
    const bool all_the_way = is_nearer(0.25) && is_nearer(0.5) && is_nearer(0.75);
    move(e, room, part);
    return all_the_way;
}

}  // namespace newton

// Damped Newton. It ends when steps are down at the rounding of the largest unknown, and fails where it would
// have to leave the sheet.
template <class E>
NewtonResult solve_newton(E& e, LinearSolver& solver, NewtonRoom& room, SheetSign sheet = 0) {
    double worst = newton::residual(e, room.residual), last = HUGE_VAL;
    for (int iteration = 0; iteration < limits::newton_iterations && worst != HUGE_VAL; ++iteration) {
        if (!newton::factor(e, solver, room.values)) return {.singular = true};
        if (sheet != 0 && solver.determinant_sign() != sheet) return {};
        room.direction = room.residual;
        solver.solve(room.direction);
        for (int i = 0; i < e.size(); ++i) room.start[i] = e.get(i);
        const double size = std::max(newton::largest(room.start), newton::largest(room.direction));
        const double step = newton::largest(room.direction);
        if (!std::isfinite(step)) return {};
        newton::measure(e, room);
        const double before = newton::length(room.direction, room.scale);
        const bool is_near = step <= 1e-10 * size || before <= 1e-10;
        double part = 1;
        bool shorter = newton::is_shorter(e, solver, room, part, before, sheet);
        while (!shorter && !is_near && part > limits::least_part) {
            part /= 2;
            shorter = newton::is_shorter(e, solver, room, part, before, sheet);
        }
        worst = newton::residual(e, room.residual);
        if (!shorter && !is_near && worst != HUGE_VAL && newton::at_rounding(e, room))
            return {.converged = true};
        if (step <= 4e-16 * size || (step <= 1e-10 * size && step >= last / 2))
            return {.converged = worst != HUGE_VAL};
        last = step;
    }
    return {};
}

}  // namespace deltaflow
