// Loops from afar: starts that follow from a few unknowns, and a path from a start to a solution.
#pragma once

#include "engine/numerics/newton.hpp"

namespace deltaflow {

namespace newton {

// Sets all unknowns: to what `guess` has for them (NaN: nothing), torn ones else to 0; the others are
// evaluated from these. With a shift the torn ones are moved, and all others follow. False if that leads
// out of the finite range.
template <class E>
bool begin(E& e, std::span<const double> guess, double shift) {
    const Tearing& t = e.tearing();
    for (const std::uint32_t m : t.order) {
        const int i = static_cast<int>(m);
        const bool known = !std::isnan(guess[m]) && (t.torn[m] || shift == 0);
        if (known || t.torn[m])
            e.set(i, (known ? guess[m] : 0) + (t.torn[m] ? shift * t.weight[m] : 0));
        else
            e.set(i, e.evaluate(i));
        if (!std::isfinite(e.get(i))) return false;
    }
    return true;
}

// Are the corrections that remain down at what the rounding of the equations makes of the unknowns? f^2 is
// not known better than f, though its own equation adds up next to nothing. `at_rounding` has left its sums.
template <class E>
bool explained_by_rounding(E& e, const LinearSolver& solver, NewtonRoom& room) {
    if (e.size() > limits::dense_loop) return false;  // of a large inverse only the norm is known
    for (double& sum : room.direction) sum *= limits::newton_rounding;
    solver.spread(room.direction);
    solver.solve(room.residual);
    for (int i = 0; i < e.size(); ++i)
        if (!(std::abs(room.residual[i]) <= room.direction[i])) return false;
    return true;
}

// Do the unknowns have a digit that their own rounding leaves? Where x = x + g(x) has run away, g is
// swallowed by x, and what looks like a solution is none.
template <class E>
bool is_known(E& e, const LinearSolver& solver, NewtonRoom& room) {
    double most = 0;
    for (int i = 0; i < e.size(); ++i) {
        room.direction[i] = limits::newton_rounding * std::abs(e.get(i));
        most = std::max(most, std::abs(e.get(i)));
    }
    solver.spread(room.direction);
    return !(largest(room.direction) > most);
}

}  // namespace newton

// Newton's steps may go on for ever where rounding makes them, in a loop whose unknowns are small beside what
// its equations add up, or which is nearly singular: what solves the equations to rounding is a solution.
template <class E>
NewtonResult solve_to_rounding(E& e, LinearSolver& solver, NewtonRoom& room, SheetSign sheet = 0) {
    NewtonResult result = solve_newton(e, solver, room, sheet);
    if (result.converged || result.singular || (sheet != 0 && solver.determinant_sign() != sheet))
        return result;
    result.converged = newton::residual(e, room.residual) != HUGE_VAL &&
                       (newton::at_rounding(e, room) || newton::explained_by_rounding(e, solver, room));
    return result;
}

// The curve r(x) = (1 - s) r(x0): at s = 0 stands the start x0, wherever s = 1 a solution. It is followed by
// its length, so that it may turn back in s on the way. The part of a Newton homotopy that is worth having
// where damped steps stall: in a narrow valley, or before a maximum.
template <class E>
class Continuation {
public:
    Continuation(E& e, LinearSolver& solver, NewtonRoom& room) : e_(e), solver_(solver), room_(room) {
        const auto n = static_cast<std::size_t>(e.size());
        for (auto* v : {&first_, &x_, &last_, &tangent_, &slope_, &guess_, &scale_}) v->resize(n);
    }

    // From where the unknowns are, forwards in s (+1) or backwards (-1).
    NewtonResult follow(int direction) {
        if (newton::residual(e_, first_) == HUGE_VAL) return {};
        for (int i = 0; i < e_.size(); ++i) x_[i] = e_.get(i);
        s_ = 0;
        if (!find_tangent(direction)) return {.singular = true};
        double step = limits::first_arc;
        for (int k = 0; k < limits::path_steps && step > limits::least_arc; ++k) {
            last_ = x_;
            const double before = s_;
            if (!advance(step)) {
                x_ = last_;
                s_ = before;
                step /= 4;
                continue;
            }
            if ((before < 1) != (s_ < 1)) {
                for (int i = 0; i < e_.size(); ++i)
                    e_.set(i, last_[i] + (1 - before) / (s_ - before) * (x_[i] - last_[i]));
                const NewtonResult result = solve_to_rounding(e_, solver_, room_);
                if (result.converged) return result;
                for (int i = 0; i < e_.size(); ++i) e_.set(i, x_[i]);
            }
            if (!find_tangent(0)) return {.singular = true};
            step *= 2;
        }
        return {};
    }

private:
    double dot(const std::vector<double>& a, const std::vector<double>& b) const {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            if (scale_[i] > 0) sum += a[i] / scale_[i] * (b[i] / scale_[i]);
        return sum;
    }

    // dx = (1 - F)^-1 r0 ds, of length 1, in the direction of the last one.
    bool find_tangent(int direction) {
        if (!newton::factor(e_, solver_, room_.values)) return false;
        slope_ = first_;
        solver_.solve(slope_);
        if (!(newton::largest(slope_) < HUGE_VAL)) return false;
        room_.start = x_;
        room_.direction = slope_;
        if (direction != 0) {
            newton::measure(e_, room_);
            scale_ = room_.scale;
        }
        const double length = std::sqrt(dot(slope_, slope_) + 1);
        const double along = direction != 0 ? direction : dot(slope_, tangent_) + tangent_s_;
        tangent_s_ = (along < 0 ? -1 : 1) / length;
        for (std::size_t i = 0; i < slope_.size(); ++i) tangent_[i] = slope_[i] * tangent_s_;
        return true;
    }

    // A step along the tangent, and back to the curve across it.
    bool advance(double step) {
        for (std::size_t i = 0; i < x_.size(); ++i) guess_[i] = x_[i] + step * tangent_[i];
        x_ = guess_;
        const double guess_s = s_ + step * tangent_s_;
        s_ = guess_s;
        double before = HUGE_VAL;
        for (int k = 0; k < limits::path_corrections; ++k) {
            for (int i = 0; i < e_.size(); ++i) e_.set(i, x_[i]);
            if (newton::residual(e_, room_.residual) == HUGE_VAL) return false;
            if (!newton::factor(e_, solver_, room_.values)) return false;
            room_.correction = room_.residual;
            for (std::size_t i = 0; i < x_.size(); ++i) room_.correction[i] -= (1 - s_) * first_[i];
            solver_.solve(room_.correction);
            slope_ = first_;
            solver_.solve(slope_);
            for (std::size_t i = 0; i < x_.size(); ++i)
                room_.start[i] = x_[i] - guess_[i] + room_.correction[i];
            const double ds = -(dot(tangent_, room_.start) + tangent_s_ * (s_ - guess_s)) /
                              (dot(tangent_, slope_) + tangent_s_);
            for (std::size_t i = 0; i < x_.size(); ++i) {
                room_.correction[i] += slope_[i] * ds;
                x_[i] += room_.correction[i];
            }
            s_ += ds;
            const double moved = std::sqrt(dot(room_.correction, room_.correction) + ds * ds);
            if (!(moved < before / 2) || !(moved < step)) return false;
            if (moved < limits::path_width * step) {
                for (int i = 0; i < e_.size(); ++i) e_.set(i, x_[i]);
                return true;
            }
            before = moved;
        }
        return false;
    }

    E& e_;
    LinearSolver& solver_;
    NewtonRoom& room_;
    std::vector<double> first_, x_, last_, tangent_, slope_, guess_, scale_;
    double s_ = 0, tangent_s_ = 1;
};

// From the last solution (`guess`, NaN where there is none), then 0, then fixed perturbations; first by
// damped steps, then along a path.
template <class E>
NewtonResult solve_from_guesses(E& e, LinearSolver& solver, NewtonRoom& room, std::span<const double> guess) {
    constexpr double shifts[] = {0, 1, -1, 0.1, -0.1, 10, -10, 1e3, -1e3};
    const std::vector<double> nothing(guess.size(), NAN);
    NewtonResult result{.singular = true};
    const auto try_from = [&](std::span<const double> from, double shift, auto solve) {
        if (!newton::begin(e, from, shift)) return false;
        const NewtonResult attempt = solve();
        result.converged = attempt.converged && newton::is_known(e, solver, room);
        result.singular = result.singular && attempt.singular;
        return result.converged;
    };
    const auto damped = [&] { return solve_to_rounding(e, solver, room); };
    for (const double shift : shifts)
        for (const auto& from : {guess, std::span<const double>(nothing)})
            if (try_from(from, shift, damped)) return result;
    Continuation<E> path(e, solver, room);
    for (const double shift : shifts)
        for (const auto& from : {guess, std::span<const double>(nothing)})
            for (const int direction : {1, -1})
                if (try_from(from, shift, [&] { return path.follow(direction); })) return result;
    return result;
}

}  // namespace deltaflow
