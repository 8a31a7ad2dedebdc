// A run in Python's hands.
#include "python/source/core.hpp"

#include <mutex>

namespace deltaflow::python {

namespace {

// One thread at a time, and none after it was closed.
class Held {
public:
    Held(const Model& model, const py::dict& given)
        : told_(py::none(), end_),
          simulation_(std::make_unique<Simulation>(model, options_of(model, given), told_.watch())) {}

    // Calls `f` with the simulation.
    template <class F>
    auto use(const F& f) {
        const std::unique_lock lock(busy_, std::try_to_lock);
        if (!lock)
            throw std::runtime_error("the simulation is in use, by another thread or by what it calls");
        if (!simulation_) throw py::value_error("the simulation is closed");
        return f(*simulation_);
    }

    // The same for what may take long: other threads of Python run meanwhile, and Ctrl-C ends it.
    template <class F>
    auto work(const F& f) {
        try {
            auto result = use([&](Simulation& s) {
                const Interruptible ctrl_c(end_);
                const py::gil_scoped_release released;
                return f(s);
            });
            raise_what_ended_it();
            return result;
        } catch (const Error&) {
            raise_what_ended_it();
            throw;
        }
    }

    void observe(const py::object& callback) {
        use([&](Simulation& s) {
            sinks_.push_back(std::make_unique<CallbackSink>(callback, told_));
            const py::gil_scoped_release released;
            s.observe(*sinks_.back());
        });
    }

    Run so_far() {
        return use([&](Simulation& s) {
            Trace trace = kept_.so_far();
            trace.end_t = s.time();
            trace.end_reason = s.has_ended() ? s.end_reason() : EndReason::interrupted;
            return run_of(std::move(trace));
        });
    }
    void keep() {
        use([&](Simulation& s) { s.observe(kept_); });
    }
    void close() {
        use([](Simulation&) {});
        simulation_.reset();
    }
    bool closed() const { return !simulation_; }

private:
    void raise_what_ended_it() {
        const bool ended = end_.exchange(false);
        told_.rethrow();
        if (!ended) return;
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw py::error_already_set();
    }

    std::atomic<bool> end_ = false;
    Told told_;
    TraceSink kept_;
    std::vector<std::unique_ptr<CallbackSink>> sinks_;
    std::unique_ptr<Simulation> simulation_;  // gone before those whom it tells
    std::mutex busy_;
};

using Strike = py::array_t<double, py::array::c_style | py::array::forcecast>;

void strike(Held& held, std::string_view input, const Strike& impulses) {
    if (impulses.ndim() != 1) throw py::type_error("impulses are a list: [c0, c1, ...]");
    held.use([&](Simulation& s) {
        s.strike(input, {impulses.data(), static_cast<std::size_t>(impulses.size())});
    });
}

py::bytes save(Held& held) {
    const auto bytes = held.work([](Simulation& s) { return s.save(); });
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool restore(Held& held, std::string_view bytes) {
    return held.work([&](Simulation& s) {
        s.restore({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
        return true;
    });
}

py::tuple germ(Held& held, std::string_view signal) {
    const Limits limits = held.use([&](Simulation& s) { return s.germ(signal); });
    return py::make_tuple(limits.left, limits.right, limits.impulses);
}

std::unique_ptr<Held> hold(const Model& model, const py::dict& options) {
    return std::make_unique<Held>(model, options);
}

py::class_<Held> held_type(const py::module_& module) {
    py::class_<Held> type(module, "Simulation");
    forbid_new(type);
    return type;
}

}  // namespace

void bind_simulation(py::module_& module) {
    // Something that is known at once.
    const auto known = [](auto question) {
        return [question](Held& held) {
            return held.use([&](Simulation& s) { return std::invoke(question, s); });
        };
    };
    held_type(module)
        .def_static("of", &hold, py::arg("model"), py::arg("options"))
        .def("keep", &Held::keep)
        .def("so_far", &Held::so_far)
        .def("observe", &Held::observe, py::arg("callback"))
        .def(
            "advance_to",
            [](Held& h, double t) {
                h.work([t](Simulation& s) {
                    s.advance_to(t);
                    return true;
                });
            },
            py::arg("t"))
        .def("step", [](Held& h) { return h.work([](Simulation& s) { return s.step(); }); })
        .def(
            "value",
            [](Held& h, std::string_view signal) {
                return h.use([&](Simulation& s) { return s.value(signal); });
            },
            py::arg("signal"))
        .def("germ", &germ, py::arg("signal"))
        .def(
            "set",
            [](Held& h, std::string_view input, double x) { h.use([&](Simulation& s) { s.set(input, x); }); },
            py::arg("input"), py::arg("value"))
        .def("strike", &strike, py::arg("input"), py::arg("impulses"))
        .def("save", &save)
        .def(
            "restore", [](Held& h, const py::bytes& b) { restore(h, std::string_view(b)); }, py::arg("state"))
        .def("finish",
             [](Held& h) { return run_of(h.work([](Simulation& s) -> Trace { return s.finish(); })); })
        .def("close", &Held::close)
        .def_property_readonly("closed", &Held::closed)
        .def_property_readonly("time", known(&Simulation::time))
        .def_property_readonly("has_ended", known(&Simulation::has_ended))
        .def_property_readonly("next_event", known(&Simulation::next_event))
        .def_property_readonly("signals", known(&Simulation::signals))
        .def_property_readonly("inputs", known(&Simulation::inputs))
        .def_property_readonly("reason", known([](Simulation& s) -> std::optional<std::string> {
                                   if (!s.has_ended()) return {};
                                   return std::string(name_of(s.end_reason()));
                               }));
}

}  // namespace deltaflow::python
