// Members of an ensemble: in lanes where nothing but smooth flow can happen, else one after the other.
#include "engine/ensemble.hpp"

#include "engine/course.hpp"
#include "engine/limits.hpp"
#include "engine/run/state.hpp"
#include "engine/solve/finite.hpp"
#include "engine/solve/steppers/grid.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// Fewer are faster alone.
constexpr std::size_t fewest = 4;
// Samples of all lanes are kept until they are handed on.
constexpr std::size_t most_samples = 10000;

bool has_same_steps(const Settings& a, const Settings& b) {
    return a.start == b.start && a.stop == b.stop && a.step == b.step && a.at == b.at && a.every == b.every;
}

// The islands of all lanes from start to stop: steps and samples as Island takes them.
class LaneRun {
public:
    LaneRun(const Settings& settings, std::vector<LaneFlow>& flows, const std::vector<System>& systems,
            std::size_t shown)
        : settings_(settings), flows_(flows), systems_(systems), times_(settings), columns_(shown) {
        for (auto& column : columns_) column.resize(times_.size());
    }

    // False if it was interrupted.
    bool run(const std::atomic<bool>* interrupt) {
        const double grid = to_double(*settings_.step);
        double t = settings_.start;
        show_up_to(t);
        while (t < settings_.stop) {
            const double h = std::min(settings_.stop - t, to_grid(settings_, grid, t));
            const double next = t + h >= settings_.stop - same_time(settings_.stop) ? settings_.stop : t + h;
            for (LaneFlow& flow : flows_) flow.step(t, h);
            show_before(t, next);
            for (LaneFlow& flow : flows_) flow.take_step();
            t = next;
            if ((++steps_ & 1023) == 0 && interrupt && interrupt->load(std::memory_order_relaxed))
                return false;
        }
        last_.resize(columns_.size());
        for (LaneFlow& flow : flows_) flow.show_here(t);
        keep(last_);
        show_up_to(t);
        return true;
    }

    bool is_bad(std::size_t lane) const {
        return std::any_of(flows_.begin(), flows_.end(), [&](const LaneFlow& f) { return f.is_bad(lane); });
    }

    void tell(std::size_t lane, Trace closing, const RunControl& control, Sink& sink) const {
        sink.begin(closing);
        Trace part = closing;
        for (std::size_t k = 0; k < times_.size(); ++k) part.t.push_back(times_[k]);
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            part.samples[c].resize(times_.size());
            for (std::size_t k = 0; k < times_.size(); ++k) part.samples[c][k] = columns_[c][k].lane[lane];
        }
        if (!part.t.empty()) sink.take(part);
        closing.end_t = settings_.stop;
        closing.statistics.steps = steps_ * flows_.size();
        if (control.last_values)
            for (const Row& row : last_) closing.last.emplace_back(row.lane[lane]);
        sink.end(closing);
    }

private:
    // What the islands show now.
    void keep(std::vector<Row>& into) const {
        for (std::size_t i = 0; i < flows_.size(); ++i)
            for (std::size_t o = 0; o < systems_[i].outputs.size(); ++o)
                if (systems_[i].outputs[o].signal < into.size())
                    into[systems_[i].outputs[o].signal] = flows_[i].shown(o);
    }
    void keep_sample() {
        std::vector<Row> now(columns_.size());
        keep(now);
        for (std::size_t c = 0; c < columns_.size(); ++c) columns_[c][next_] = now[c];
        ++next_;
    }
    void show_before(double t, double end) {
        const double limit = end - same_time(end);
        while (next_ < times_.size() && times_[next_] < limit) {
            for (LaneFlow& flow : flows_) flow.show(std::max(0.0, times_[next_] - t));
            keep_sample();
        }
    }
    void show_up_to(double t) {
        while (next_ < times_.size() && times_[next_] <= t + same_time(t)) {
            for (LaneFlow& flow : flows_) flow.show_here(t);
            keep_sample();
        }
    }

    const Settings& settings_;
    std::vector<LaneFlow>& flows_;
    const std::vector<System>& systems_;
    SampleTimes times_;
    std::vector<Rows> columns_;  // per signal
    Rows last_;
    std::size_t next_ = 0;
    std::uint64_t steps_ = 0;
};

}  // namespace

void Ensemble::run(std::span<Member> members, const RunControl& control) {
    while (!members.empty() && !(control.interrupt && *control.interrupt)) {
        const std::size_t count = run_first(members, control);
        for (Member& member : members.first(count)) member.begun = true;
        members = members.subspan(count);
    }
}

void Ensemble::run_alone(Member& member, const RunControl& control) {
    try {
        prepare_again(prepared_, std::move(member.model));
        deltaflow::run(prepared_, *member.sink, control);
    } catch (const ModelError&) {
        member.mistake = std::current_exception();
    }
}

// Nothing but smooth flow in steps of one length, and nobody who looks at it while it goes on.
bool Ensemble::is_for_lanes(const RunControl& control) const {
    const Settings& s = prepared_.model.settings;
    if (!prepared_.can_rebind || s.method != Method::rk4 || s.impulses != ImpulseKind::symbolic ||
        s.certify || s.limits != RunLimits{} || control.own_samples || control.log ||
        control.until != HUGE_VAL || control.begun || control.checkpoint || !control.resume.empty() ||
        control.most_steps != RunControl{}.most_steps || SampleTimes(s).size() > most_samples)
        return false;
    const auto& systems = *prepared_.systems;
    return !systems.empty() && std::all_of(systems.begin(), systems.end(), [](const System& system) {
        return LaneFlow::is_possible(system) && !may_leave_range(system, system.output);
    });
}

// Takes the numbers of all members that can be run beside the first one, which is prepared; tells how many.
std::size_t Ensemble::gather(std::span<Member> members, std::vector<LaneFlow>& flows) {
    const auto& systems = *prepared_.systems;
    for (const System& s : systems) flows.emplace_back(s);
    std::size_t lane = 0;
    for (Member& member : members.first(std::min(members.size(), lane_count))) {
        if (lane > 0) {
            const std::size_t shown = member.model.record.size();
            try {
                if (!has_same_steps(member.model.settings, prepared_.model.settings) ||
                    !is_alike(member.model, prepared_))
                    break;
            } catch (const ModelError&) {
                break;  // it will be told when its turn comes
            }
            member.model.record.resize(shown);
            rebind(*std::const_pointer_cast<std::vector<System>>(prepared_.systems), member.model);
        }
        for (std::size_t i = 0; i < flows.size(); ++i) flows[i].set_numbers(lane, systems[i].d.parameters);
        ++lane;
    }
    for (std::size_t rest = lane; rest < lane_count; ++rest)
        for (std::size_t i = 0; i < flows.size(); ++i) flows[i].set_numbers(rest, systems[i].d.parameters);
    for (LaneFlow& flow : flows) flow.begin();
    return lane;
}

// Runs the first member, or as many as go in lanes; tells how many.
std::size_t Ensemble::run_first(std::span<Member> members, const RunControl& control) {
    try {
        prepare_again(prepared_, std::move(members.front().model));
        if (members.size() < fewest || !is_for_lanes(control)) {
            deltaflow::run(prepared_, *members.front().sink, control);
            return 1;
        }
    } catch (const ModelError&) {
        members.front().mistake = std::current_exception();
        return 1;
    }
    members.front().model = prepared_.model;
    members.front().model.record.resize(prepared_.shown);
    const Settings settings = complete(prepared_.model);
    const Trace heading = Course(prepared_.model, prepared_.shown, control, prepared_.systems).so_far();
    std::vector<LaneFlow> flows;
    const std::size_t count = gather(members, flows);
    LaneRun lanes(settings, flows, *prepared_.systems, prepared_.shown);
    const bool whole = lanes.run(control.interrupt);
    for (std::size_t lane = 0; lane < count; ++lane) {
        if (whole && !lanes.is_bad(lane))
            lanes.tell(lane, heading, control, *members[lane].sink);
        else
            run_alone(members[lane], control);
    }
    return count;
}

}  // namespace deltaflow
