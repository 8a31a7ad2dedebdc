// A run in one's hands.
#include "deltaflow/simulation.hpp"

#include "blocks/limits.hpp"
#include "engine/course.hpp"
#include "engine/ensemble.hpp"
#include "engine/library.hpp"
#include "engine/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace deltaflow {

namespace {

RunControl control_of(const Options& options, const Watch& watch) {
    RunControl control;
    control.interrupt = watch.interrupt;
    control.progress = watch.progress;
    control.threads = options.threads;
    return control;
}

[[noreturn]] void fail_option(const std::string& text) { throw Error(ErrorKind::option, text); }

std::string unknown(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
    const std::string near = nearest(name, {known.begin(), known.end()});
    return fmt::format("there is no {} \"{}\"{}", what, name,
                       near.empty() ? "" : "; did you mean \"" + near + "\"?");
}

}  // namespace

struct Simulation::Impl {
    FlatModel model;  // all blocks are computed
    std::size_t shown;
    RunControl control;
    Course course;
    std::map<std::string, std::size_t, std::less<>> signals;  // name -> place in the record
    std::map<std::string, NodeId, std::less<>> inputs;

    Impl(const FlatModel& given, const Options& options, const Watch& watch)
        : model(computing_all(with_options(given, options))),
          shown(given.record.size()),
          control(control_of(options, watch)),
          course(model, shown, control) {
        for (std::size_t i = 0; i < model.record.size(); ++i) {
            Recorded& recorded = model.record[i];
            if (recorded.name.empty()) recorded.name = model.naming->name(recorded.node);
            signals.emplace(recorded.name, i);
        }
        for (const NodeId n : input_nodes(model)) inputs.emplace(model.naming->name(n), n);
        course.keep_germs();
        course.start();
        check();
    }

    void check() const {
        if (course.so_far().errors.empty()) return;
        const RunError& error = course.so_far().errors.front();
        throw Error(error.kind, error.text, {}, error.t);
    }

    // What was before an error can still be looked at; a signal that has no value now is an error of its own.
    template <class F>
    auto look(const F& f) const {
        try {
            return f();
        } catch (const RunError& error) {
            throw Error(error.kind, error.text, {}, error.t);
        }
    }

    void carry_out() {
        const std::size_t before = course.so_far().errors.size();
        course.carry_out();
        if (course.so_far().errors.size() > before) check();
    }

    void feed(std::string_view input, std::optional<double> value, std::vector<double> impulses) {
        const auto found = inputs.find(input);
        if (found == inputs.end()) fail_option(unknown("input", input, names(inputs)));
        if (course.has_ended()) fail_option(fmt::format("the run has ended at t = {}", course.time()));
        const auto inside = course.find(found->second);
        if (!inside) return;  // nobody reads it
        course.feed(inside->lane, {inside->node, value, std::move(impulses)});
    }

    std::size_t place(std::string_view signal) const {
        const auto found = signals.find(signal);
        if (found == signals.end()) fail_option(unknown("recorded signal", signal, names(signals)));
        return found->second;
    }

    template <class M>
    static std::vector<std::string> names(const M& map) {
        std::vector<std::string> list;
        for (const auto& [name, what] : map) list.push_back(name);
        return list;
    }
};

Simulation::Simulation(const Model& model) : Simulation(model, model.options()) {}
Simulation::Simulation(const Model& model, const Options& options, const Watch& watch)
    : impl_(in_public([&] { return std::make_unique<Impl>(model.flat(), options, watch); })) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::observe(Sink& sink) {
    sink.begin(impl_->course.so_far());
    impl_->course.observe(sink);
}

void Simulation::take_up(Sink& sink) { impl_->course.observe(sink); }

double Simulation::time() const { return impl_->course.time(); }
bool Simulation::has_ended() const { return impl_->course.has_ended(); }
EndReason Simulation::end_reason() const { return impl_->course.so_far().end_reason; }

void Simulation::advance_to(double t) {
    Impl& s = *impl_;
    if (!(t >= time())) fail_option(fmt::format("time cannot go back from {} to {}", time(), t));
    if (t > s.model.settings.stop)
        fail_option(fmt::format("the run ends at {}; it needs a later stop", s.model.settings.stop));
    s.carry_out();
    s.check();
    if (s.course.has_ended()) return;
    in_public([&] { s.course.advance_exactly_to(t, true); });
    s.check();
}

bool Simulation::step() {
    Impl& s = *impl_;
    s.carry_out();
    if (s.course.has_ended()) return false;
    in_public([&] { s.course.step(); });
    s.check();
    return true;
}

double Simulation::next_event() const {
    impl_->carry_out();
    return impl_->course.next_event();
}

double Simulation::value(std::string_view signal) {
    const std::size_t place = impl_->place(signal);
    impl_->carry_out();
    return impl_->look([&] { return impl_->course.value(place); });
}

Limits Simulation::germ(std::string_view signal) {
    const std::size_t place = impl_->place(signal);
    impl_->carry_out();
    MetGerm germ = impl_->look([&] { return impl_->course.germ(place); });
    while (!germ.impulses.empty() && germ.impulses.back() == 0) germ.impulses.pop_back();
    return {germ.left, germ.right, std::move(germ.impulses)};
}

std::vector<std::string> Simulation::signals() const {
    std::vector<std::string> names;
    for (const Recorded& recorded : impl_->model.record) names.push_back(recorded.name);
    return names;
}

std::vector<std::string> Simulation::inputs() const { return Impl::names(impl_->inputs); }

void Simulation::set(std::string_view input, double value) {
    if (!std::isfinite(value)) fail_option(fmt::format("input {}: {} is no value", input, value));
    impl_->feed(input, value, {});
}

void Simulation::strike(std::string_view input, std::span<const double> impulses) {
    if (impulses.size() > static_cast<std::size_t>(limits::fed_impulses))
        fail_option(fmt::format("input {}: impulses up to the derivative {} of delta can come from outside",
                                input, limits::fed_impulses - 1));
    for (const double c : impulses)
        if (!std::isfinite(c)) fail_option(fmt::format("input {}: {} is no impulse", input, c));
    impl_->feed(input, {}, {impulses.begin(), impulses.end()});
}

std::vector<std::byte> Simulation::save() const { return impl_->course.save(); }

void Simulation::restore(std::span<const std::byte> state) {
    in_public([&] { impl_->course.restore(state); });
    // The step at hand is looked for again.
    if (!impl_->course.has_ended())
        in_public([&] { impl_->course.advance_exactly_to(impl_->course.time(), true); });
}

const Trace& Simulation::finish() {
    impl_->carry_out();
    impl_->course.end_here();
    return impl_->course.finish();
}

void simulate(const Model& model, const Options& options, Sink& sink, const Watch& watch) {
    in_public([&] { run(*model.prepared(options), sink, control_of(options, watch)); });
}

std::vector<std::exception_ptr> simulate(std::span<const Model> models, const Options& options,
                                         std::span<Sink* const> sinks, const Watch& watch) {
    std::vector<std::exception_ptr> mistakes(models.size());
    std::vector<Ensemble::Member> members;
    std::vector<std::size_t> places;
    const auto keep = [&](std::size_t i, const auto& work) {
        try {
            in_public(work);
        } catch (const Error&) {
            mistakes[i] = std::current_exception();
        }
    };
    for (std::size_t i = 0; i < models.size(); ++i)
        keep(i, [&] {
            members.push_back({with_options(models[i].flat(), options), sinks[i]});
            places.push_back(i);
        });
    Ensemble().run(members, control_of(options, watch));
    Trace interrupted;
    interrupted.end_reason = EndReason::interrupted;
    for (std::size_t m = 0; m < members.size(); ++m) {
        if (!members[m].begun) members[m].sink->end(interrupted);
        if (members[m].mistake) keep(places[m], [&] { std::rethrow_exception(members[m].mistake); });
    }
    return mistakes;
}

Trace simulate(const Model& model, const Options& options) {
    TraceSink sink;
    simulate(model, options, sink);
    return std::move(sink.trace());
}

Trace simulate(const Model& model) { return simulate(model, model.options()); }

}  // namespace deltaflow
