// Schedules and clocks on exact fractions.
#include "engine/run/agenda.hpp"

namespace deltaflow {

Rational ScheduleCursor::time(const Schedule& s) const {
    const Rational& t = s.points[index].t;
    return s.period ? t + *s.period * Rational(round) : t;
}

double ScheduleCursor::value(const Schedule& s) const {
    if (!s.noise) return s.points[index].value;
    return s.noise->value(static_cast<std::uint64_t>(round) + 1);  // its point is the end of period 0
}

void ScheduleCursor::step(const Schedule& s) {
    if (++index < s.points.size() || !s.period) return;
    index = 0;
    ++round;
}

Piece wind(const Schedule& s, double start, ScheduleCursor& cursor) {
    Piece piece{s.before, 0, start};
    if (s.points.empty()) return piece;
    if (s.period) {
        // Whole repetitions that lie before the start need not be walked through.
        const Integer rounds = floor((exact(start) - s.points.back().t) / *s.period) - 1;
        if (rounds > 0) cursor.round = rounds;
    }
    while (!cursor.done(s) && to_double(cursor.time(s)) < start) {
        const Breakpoint& p = s.points[cursor.index];
        piece = {cursor.value(s), p.slope, to_double(cursor.time(s))};
        cursor.step(s);
    }
    return piece;
}

// Without a period: once, as soon as it may.
double tick_time(const Clock& c, const Integer& n) {
    if (c.period.numerator() == 0) return n == 0 ? -HUGE_VAL : HUGE_VAL;
    return to_double(c.phase + c.period * Rational(n));
}

Integer first_tick(const Clock& c, double start) {
    if (c.period.numerator() == 0) return 0;
    Integer n = floor((exact(start) - c.phase) / c.period);
    if (n < 0) n = 0;
    while (tick_time(c, n) < start) ++n;
    return n;
}

}  // namespace deltaflow
