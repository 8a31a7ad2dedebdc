// First roots of conditions in a step of a method without a series: polynomials through a few points.
#pragma once

#include "engine/numerics/roots.hpp"
#include "engine/run/flow/conditions.hpp"

namespace deltaflow {

class SampledRoots {
public:
    SampledRoots(const Settings& settings, State& state, const Running& at, Conditions& conditions)
        : settings_(settings), state_(state), at_(at), conditions_(conditions) {}

    std::optional<Reached> first(double h);
    // Crossings that are over at the end of the step are located there.
    void note_passed(double h);
    bool has_sunk(const Watch& w, double h);
    // May the errors of the method have put a root behind the stop?
    bool is_just_ahead(const Watch& w);

private:
    using Reading = Conditions::Reading;
    struct Part {  // of the step
        double lo, hi;
        int depth;
    };
    struct Points {  // where a part is looked at, and what was read there: a row for each watch
        std::vector<double> at;
        std::size_t fitted;
        std::vector<Reading> readings;
        std::span<const Reading> row(std::size_t watch) const {
            return {readings.data() + watch * at.size(), at.size()};
        }
    };
    struct Look {
        int sign;  // that it has at the end of the part
        bool sure = true;
        std::optional<double> root = {};
    };
    std::optional<Reached> root_in(const Part& part);
    std::optional<Reached> in_halves(const Part& part);
    Points read_points(const Part& part);
    Look look(const Watch& w, std::span<const Reading> row, std::size_t fitted, const Part& part);
    std::optional<double> passage(const Watch& w, Bernstein p, double lo, double hi, double open, int& sign,
                                  bool& sure);
    std::optional<double> reaching(const Watch& w, const Bernstein& p, double lo, double hi, bool& sure);
    std::optional<double> departure(const Watch& w, double hi);

    const Settings& settings_;
    State& state_;
    const Running& at_;
    Conditions& conditions_;
    int halvings_ = 0;  // in the step
};

}  // namespace deltaflow
