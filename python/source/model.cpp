// Models, and options by their names.
#include "python/source/core.hpp"

#include <functional>
#include <map>

namespace deltaflow::python {

namespace {

double number(const std::string& key, const py::handle& given) {
    const double x = PyFloat_AsDouble(given.ptr());
    if (x == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        throw py::type_error(key + " is a number, not " + std::string(py::repr(given)));
    }
    return x;
}

template <class E>
E word(const std::string& key, const py::handle& given) {
    if (!py::isinstance<py::str>(given))
        throw py::type_error(key + " is a word, not " + std::string(py::repr(given)));
    const auto name = given.cast<std::string>();
    if (const auto found = find_choice<E>(name)) return *found;
    std::string known;
    for (const auto& choice : choices<E>)
        known += (known.empty() ? "\"" : ", \"") + std::string(choice.name) + "\"";
    throw Error(ErrorKind::option, key + " is one of " + known + ", not \"" + name + "\"");
}

std::vector<double> numbers(const std::string& key, const py::handle& given) {
    const auto list = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
    if (!list || list.ndim() != 1) {
        PyErr_Clear();
        throw py::type_error(key + " is a list of numbers");
    }
    if (list.size() == 0)
        throw Error(ErrorKind::option, key + " is a list of numbers, and this one is empty");
    return {list.data(), list.data() + list.size()};
}

template <class N>
N count(const std::string& key, const py::handle& given) {
    try {
        if (!py::isinstance<py::bool_>(given)) return given.cast<N>();
    } catch (const py::cast_error&) {
    }
    throw py::type_error(key + " is a whole number, not " + std::string(py::repr(given)));
}

using Setter = std::function<void(Options&, const std::string&, const py::handle&)>;

template <class F>
Setter to_number(F Options::*field) {
    return [field](Options& o, const std::string& key, const py::handle& x) { o.*field = number(key, x); };
}
template <class E>
Setter to_word(E Options::*field) {
    return [field](Options& o, const std::string& key, const py::handle& x) { o.*field = word<E>(key, x); };
}

const std::map<std::string, Setter>& setters() {
    static const std::map<std::string, Setter> all{
        {"start", to_number(&Options::start)},
        {"stop", to_number(&Options::stop)},
        {"method", to_word(&Options::method)},
        {"impulses", to_word(&Options::impulses)},
        {"step", to_number(&Options::step)},
        {"riemann", to_word(&Options::riemann)},
        {"tolerance", to_number(&Options::tolerance)},
        {"absolute", to_number(&Options::absolute)},
        {"certify",
         [](Options& o, const std::string&, const py::handle& x) { o.certify = py::bool_(x.ptr()); }},
        {"every", to_number(&Options::every)},
        {"at", [](Options& o, const std::string& key, const py::handle& x) { o.at = numbers(key, x); }},
        {"simultaneous", to_word(&Options::simultaneous)},
        {"zeno", to_word(&Options::zeno)},
        {"sliding", to_word(&Options::sliding)},
        {"max_events", [](Options& o, const std::string& key,
                          const py::handle& x) { o.max_events = count<std::uint64_t>(key, x); }},
        {"limit_seconds", to_number(&Options::limit_seconds)},
        {"limit_megabytes", to_number(&Options::limit_megabytes)},
        {"threads", [](Options& o, const std::string& key,
                       const py::handle& x) { o.threads = count<unsigned>(key, x); }},
    };
    return all;
}

py::dict as_dict(const Options& o) {
    py::dict all;
    all["start"] = o.start;
    all["stop"] = o.stop;
    all["method"] = name_of(o.method);
    all["impulses"] = name_of(o.impulses);
    all["step"] = o.step;
    all["riemann"] = name_of(o.riemann);
    all["tolerance"] = o.tolerance;
    all["absolute"] = o.absolute;
    all["certify"] = o.certify;
    all["every"] = o.every;
    all["at"] = o.at;
    all["simultaneous"] = name_of(o.simultaneous);
    all["zeno"] = o.zeno == AtZeno::by_kind ? py::object(py::none()) : py::str(std::string(name_of(o.zeno)));
    all["sliding"] = name_of(o.sliding);
    all["max_events"] = o.max_events;
    all["limit_seconds"] = o.limit_seconds;
    all["limit_megabytes"] = o.limit_megabytes;
    all["threads"] = o.threads;
    return all;
}

py::tuple as_tuple(const Origin& origin) {
    return py::make_tuple(origin.path, origin.text, origin.sets, origin.record);
}

}  // namespace

Options options_of(const Model& model, const py::dict& given) {
    Options options = model.options();
    for (const auto& [name, value] : given) {
        const auto key = name.cast<std::string>();
        setters().at(key)(options, key, value);
    }
    return options;
}

void bind_model(py::module_& module) {
    const auto released = py::call_guard<py::gil_scoped_release>();
    py::class_<Model> type(module, "Model");
    forbid_new(type);
    type.def_static("load", &Model::load, py::arg("path"), py::arg("sets"), py::arg("allow"), released)
        .def_static("parse", &Model::parse, py::arg("text"), py::arg("name"), py::arg("sets"),
                    py::arg("allow"), released)
        .def("with_", &Model::with, py::arg("sets"), released)
        .def("recording", &Model::recording, py::arg("signals"), released)
        .def_property_readonly("name", &Model::name)
        .def_property_readonly("about", &Model::about)
        .def_property_readonly("signals", &Model::signals)
        .def_property_readonly("inputs", &Model::inputs)
        .def_property_readonly("parameters", &Model::parameters)
        .def_property_readonly("options", [](const Model& m) { return as_dict(m.options()); })
        .def_property_readonly("origin", [](const Model& m) { return as_tuple(m.origin()); });
}

}  // namespace deltaflow::python
