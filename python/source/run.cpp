// Runs: simulated without Python, looked at as arrays without copies.
#include "python/source/core.hpp"

#include <functional>

namespace deltaflow::python {

namespace {

using Doubles = py::array_t<double>;

py::object read_only(py::array array) {
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return array;
}

// Looks into the run, which stays as long as the array does.
template <class T>
py::object view(const py::object& owner, const std::vector<T>& list) {
    return read_only(py::array_t<T>(static_cast<py::ssize_t>(list.size()), list.data(), owner));
}

const Trace& trace_of(const py::object& self) { return *self.cast<const Run&>().trace; }

py::object samples(const py::object& self, std::size_t signal) {
    const Trace& trace = trace_of(self);
    if (signal >= trace.samples.size()) throw py::index_error("no such signal");
    return view(self, trace.samples[signal]);
}

template <class T>
auto list_of(std::vector<T> Trace::*list) {
    return [list](const py::object& self) { return view(self, trace_of(self).*list); };
}

py::dict energy(const Trace& trace) {
    const auto shares = [&](const auto& list) {
        py::dict all;
        for (const auto& [element, joules] : list) all[py::str(trace.elements.at(element))] = joules;
        return all;
    };
    py::list instants;
    for (const EnergyEvent& e : trace.energy.instants)
        instants.append(py::make_tuple(e.t, e.epsilon, e.stored_before, e.stored_after, e.supplied,
                                       shares(e.dissipated)));
    py::dict all;
    all["stored_at_start"] = trace.energy.stored_at_start;
    all["stored_at_end"] = trace.energy.stored_at_end;
    all["supplied"] = shares(trace.energy.supplied);
    all["dissipated"] = shares(trace.energy.dissipated);
    all["instants"] = instants;
    return all;
}

py::dict statistics(const Trace& trace) {
    py::dict all;
    all["steps"] = trace.statistics.steps;
    all["events"] = trace.statistics.events;
    all["evaluations"] = trace.statistics.evaluations;
    all["seconds"] = trace.statistics.seconds;
    return all;
}

py::object proved(const Trace& trace) {
    if (!trace.proved) return py::none();
    py::dict all;
    all["local_error"] = trace.proved->local_error;
    all["steps"] = trace.proved->steps;
    all["events"] = trace.proved->events;
    return all;
}

py::list errors(const Trace& trace) {
    py::list all;
    for (const RunError& e : trace.errors)
        all.append(py::make_tuple(std::string(name_of(e.kind)), e.t, e.text));
    return all;
}

py::list automata(const Trace& trace) {
    py::list all;
    for (const AutomatonNames& a : trace.automata) all.append(py::make_tuple(a.name, a.states));
    return all;
}

py::list sliding(const Trace& trace) {
    py::list all;
    for (const SlidingInterval& s : trace.sliding) all.append(py::make_tuple(s.block, s.from, s.to));
    return all;
}

Run simulated(const Model& model, const py::dict& given, const py::object& progress,
              const py::object& callback) {
    const Options options = options_of(model, given);
    std::atomic<bool> end = false;
    Told told(progress, end);
    TraceSink whole;
    CallbackSink calls(callback, told);
    Sinks both;
    both.add(whole);
    if (!callback.is_none()) both.add(calls);
    {
        const Interruptible ctrl_c(end);
        const py::gil_scoped_release released;
        simulate(model, options, both, told.watch());
    }
    told.rethrow();
    return run_of(std::move(whole.trace()));
}

py::bytes packed(const Run& run) {
    const auto bytes = report::pack(*run.trace);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Run unpacked(const py::bytes& given) {
    const std::string_view bytes = given;
    return run_of(report::unpack({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}));
}

}  // namespace

void CallbackSink::take(const Trace& part) {
    told_.call([&] {
        Trace copy = part;
        copy.model = heading_.model;
        if (!copy.t.empty()) copy.end_t = copy.t.back();
        if (!copy.events.empty()) copy.end_t = std::max(copy.end_t, copy.events.back().t);
        callback_(run_of(std::move(copy)));
    });
}

void bind_run(py::module_& module) {
    PYBIND11_NUMPY_DTYPE(Event, t, epsilon, index, committed, first_cause, cause_count, first_jump,
                         jump_count, first_mode);
    PYBIND11_NUMPY_DTYPE(Jump, signal, left, right, first_impulse, impulse_count);
    const auto of = [](auto member) {  // a field, as Python has such things
        return [member](const Run& run) { return std::invoke(member, *run.trace); };
    };
    py::class_<Run> type(module, "Run");
    forbid_new(type);
    type.def_property_readonly("model", of(&Trace::model))
        .def_property_readonly("signals", of(&Trace::signals))
        .def_property_readonly("impulse_orders", of(&Trace::impulse_orders))
        .def_property_readonly("t", list_of(&Trace::t))
        .def("samples", &samples, py::arg("signal"))
        .def_property_readonly("events", list_of(&Trace::events))
        .def_property_readonly("jumps", list_of(&Trace::jumps))
        .def_property_readonly("impulses", list_of(&Trace::impulses))
        .def_property_readonly("causes", list_of(&Trace::causes))
        .def_property_readonly("modes", list_of(&Trace::modes))
        .def_property_readonly("cause_names", of(&Trace::cause_names))
        .def_property_readonly("automata", of(&automata))
        .def_property_readonly("energy", of(&energy))
        .def_property_readonly("sliding", of(&sliding))
        .def_property_readonly("end_t", of(&Trace::end_t))
        .def_property_readonly("reason",
                               [](const Run& r) { return std::string(name_of(r.trace->end_reason)); })
        .def_property_readonly("statistics", of(&statistics))
        .def_property_readonly("proved", of(&proved))
        .def_property_readonly("failed", [](const Run& r) { return !r.trace->errors.empty(); })
        .def_property_readonly("errors", of(&errors))
        .def_property_readonly("warnings", of(&Trace::warnings))
        .def("pack", [](const py::object& self) { return packed(self.cast<const Run&>()); })
        .def_static("unpack", &unpacked, py::arg("bytes"));
    module.def("run", &simulated, py::arg("model"), py::arg("options"), py::arg("progress"), py::arg("sink"));
}

}  // namespace deltaflow::python
