// Questions to models and runs that are answered with text.
#include "python/source/core.hpp"

#include <map>

namespace deltaflow::python {

namespace {

report::Form form_of(const std::string& name) {
    static const std::map<std::string, report::Form> all{{"text", report::Form::text},
                                                         {"json", report::Form::json},
                                                         {"latex", report::Form::latex},
                                                         {"svg", report::Form::svg},
                                                         {"dot", report::Form::dot}};
    return all.at(name);
}

// The text, and what went wrong: (kind, t, text).
py::tuple as_tuple(const report::Answer& answer) {
    py::list errors;
    for (const RunError& e : answer.errors)
        errors.append(py::make_tuple(std::string(name_of(e.kind)), e.t, e.text));
    return py::make_tuple(answer.text, errors);
}

// Answers without Python; Ctrl-C ends what runs.
template <class F>
auto asked(const F& question) {
    std::atomic<bool> end = false;
    Watch watch;
    watch.interrupt = &end;
    // Who was interrupted may have found nothing that could be told.
    const auto raise_ctrl_c = [&] {
        if (!end) return;
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw py::error_already_set();
    };
    try {
        auto answer = [&] {
            const Interruptible ctrl_c(end);
            const py::gil_scoped_release released;
            return question(watch);
        }();
        raise_ctrl_c();
        return answer;
    } catch (const Error&) {
        raise_ctrl_c();
        throw;
    }
}

std::string show(const Model& model, const std::string& form, bool flat, bool primitives, std::size_t most,
                 const std::string& mode, const py::object& place) {
    const auto layouter = [&](const std::string& dot) { return place(dot).cast<std::string>(); };
    return report::show(model, {flat, primitives, most, mode}, form_of(form), layouter);
}

}  // namespace

void bind_ask(py::module_& module) {
    module.def(
        "check",
        [](const Model& m, const std::string& form) {
            return asked([&](const Watch&) { return report::check(m, form_of(form)); });
        },
        py::arg("model"), py::arg("form"));
    module.def(
        "exact",
        [](const Model& m, const std::string& form) {
            return as_tuple(asked([&](const Watch& w) { return report::exact(m, form_of(form), w); }));
        },
        py::arg("model"), py::arg("form"));
    module.def(
        "explain",
        [](const Model& m, std::optional<double> at, std::uint64_t event, bool all, const std::string& form) {
            return as_tuple(asked([&](const Watch& w) {
                return report::explain(m, {at, event, all}, form_of(form), w);
            }));
        },
        py::arg("model"), py::arg("at"), py::arg("event"), py::arg("all"), py::arg("form"));
    module.def(
        "compare",
        [](const Model& m, const std::vector<double>& steps, const std::string& signal,
           const std::string& form) {
            return as_tuple(
                asked([&](const Watch& w) { return report::compare(m, steps, signal, form_of(form), w); }));
        },
        py::arg("model"), py::arg("steps"), py::arg("signal"), py::arg("form"));
    module.def("catalogue", &report::catalogue);
    module.def(
        "hypa",
        [](const Model& m, const std::string& form) {
            return asked([&](const Watch&) { return report::hypa(m, form_of(form)); });
        },
        py::arg("model"), py::arg("form"));
    module.def("show", &show, py::arg("model"), py::arg("form"), py::arg("flat"), py::arg("primitives"),
               py::arg("most"), py::arg("mode"), py::arg("place"));
    module.def(
        "run_text",
        [](const Run& r, const std::string& form, const std::vector<std::vector<std::string>>& groups) {
            return asked([&](const Watch&) { return report::run_text(*r.trace, form_of(form), groups); });
        },
        py::arg("run"), py::arg("form"), py::arg("groups"));
    module.def(
        "run_csv",
        [](const Run& r) { return asked([&](const Watch&) { return report::run_csv(*r.trace); }); },
        py::arg("run"));
    module.def(
        "run_table",
        [](const Run& r) { return asked([&](const Watch&) { return report::run_table(*r.trace); }); },
        py::arg("run"));
}

}  // namespace deltaflow::python
