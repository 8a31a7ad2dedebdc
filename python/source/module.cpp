// The module deltaflow._core, and how errors of the engine become exceptions.
#include "python/source/core.hpp"

namespace deltaflow::python {

namespace {

// deltaflow.errors has the classes.
void raise(const Error& error) {
    py::list places;
    for (const Mistake& m : error.mistakes())
        places.append(py::make_tuple(m.file, m.line, m.column, m.message, m.notes));
    const py::object made =
        py::module_::import("deltaflow.errors")
            .attr("from_core")(std::string(name_of(error.kind())), error.what(), places, error.time());
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
}

}  // namespace

}  // namespace deltaflow::python

PYBIND11_MODULE(_core, module) {
    using namespace deltaflow::python;
    module.doc() = "The engine, as the package deltaflow uses it.";
    module.attr("version") = DELTAFLOW_VERSION;
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const deltaflow::Error& error) {
            raise(error);
        }
    });
    bind_model(module);
    bind_run(module);
    bind_simulation(module);
    bind_sweep(module);
    bind_ask(module);
}
