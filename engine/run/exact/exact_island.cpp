// Flow and instants in turn, in exact numbers.
#include "engine/run/exact/exact_island.hpp"

#include "engine/run/ideal.hpp"
#include "engine/solve/exact/flow.hpp"
#include "engine/solve/guessed_branches.hpp"
#include "signal/print.hpp"

#include <fmt/format.h>

namespace deltaflow::closed_form {

namespace {

// The fraction that a setting is; settings are numbers of the model.
Quadratic setting(const FractionBook& book, const char* name, double x) {
    if (const auto r = book.find(x)) return *r;
    throw RunFailure{.kind = ErrorKind::model,
                     .what = fmt::format("the {} time {} is not a fraction", name, x),
                     .advice = "give it as one"};
}

}  // namespace

ExactIsland::ExactIsland(const Settings& settings, const FractionBook& book, const System* system,
                         ModeSystems* modes)
    : settings_(settings),
      at_{book, modes},
      record_(state_, at_),
      calendar_(state_, at_, record_),
      flow_(state_, at_, calendar_, record_),
      commits_(settings, state_, at_, calendar_, record_) {
    if (modes) state_.mode = state_.after_mode = bonds::initial_mode(modes->graph());
    commits_.slides().begin(modes ? modes->of(state_.mode) : *system);
}

void ExactIsland::prepare() {
    state_.t = setting(at_.book, "start", settings_.start);
    state_.stop = setting(at_.book, "stop", settings_.stop);
    const Diagram& d = at_.diagram();
    const std::size_t n = d.nodes.size();
    state_.states.assign(n, Quadratic(0));
    state_.stored.assign(n, Quadratic(0));
    state_.ticking.assign(n, 0);
    state_.now = {std::vector<std::int32_t>(n, 0),
                  std::vector<Quadratic>(n),
                  std::vector<Line>(d.schedules.size()),
                  {}};
    for (const NodeId m : at_.x->states) state_.states[m] = at_.x->parameters[m][0];
    calendar_.prepare(settings_.start);
    for (const NodeId m : at_.x->branchers)
        if (d.nodes[m].op == Primitive::hysteresis)
            state_.now.branch[m] = is_zero(at_.x->parameters[m][2]) ? 0 : 1;
    take_guessed_branches(at_.system(), state_.now.branch);
    commits_.slides().list_branchers();
    record_.begin();
}

void ExactIsland::start() {
    prepare();
    state_.starting = true;
    commits_.start();
    instant();
    state_.starting = false;
    instants_ = 0;
}

void ExactIsland::instant() {
    ++instants_;
    commits_.instant();
    flow_.collect_watches();
}

const Quadratic* ExactIsland::due() const {
    const Quadratic* next = calendar_.next();
    return next && *next <= state_.stop ? next : nullptr;
}

Going ExactIsland::advance(double) {
    if (finished_ || state_.terminated) return Going::ended;
    if (!at_.right.complete) throw not_polynomial(*at_.x, at_.right, state_.active);
    const bool is_due = due() != nullptr;
    const bool root = flow_.go(is_due ? *due() : state_.stop);
    finished_ = !root && !is_due;
    if (finished_) return Going::on;
    instant();
    zeno_stop_ = zeno_.note(time(), root ? flow_.condition() : no_node, to_double(state_.stop));
    finished_ = zeno_stop_ || state_.terminated || (state_.t == state_.stop && !due());
    if (finished_ && at_.right.why_not && at_.right.why_not->kind == ErrorKind::not_finite)
        throw RunFailure(*at_.right.why_not);
    if (finished_ && !zeno_stop_) record_.end();
    return zeno_stop_ ? Going::ended : Going::on;
}

bool ExactIsland::could_pass_zeno(AtZeno how) const {
    if (!at_.modes || how != AtZeno::by_kind) return at_.modes && how == AtZeno::proceed;
    return room_of(at_.system(), at_.modes->graph(), flow_.condition()) != no_node;
}

std::string ExactIsland::describe_germ(NodeId n) const {
    if (at_.left.rungs.empty() || !at_.solver || !at_.solver->has_solved()) return "?";
    try {
        return print_germ(to_double(at_.left.at(n, 0)), to_double(at_.solver->right(n)), [&] {
            std::vector<double> impulses;
            for (const Quadratic& c : at_.solver->impulses(n)) impulses.push_back(to_double(c));
            return impulses;
        }());
    } catch (const RunFailure&) {
        return "?";
    }
}

}  // namespace deltaflow::closed_form
