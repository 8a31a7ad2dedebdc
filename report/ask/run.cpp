// A run as text, as a picture, and as bytes.
#include "engine/model/archive_trace.hpp"
#include "report/ask/ask.hpp"
#include "report/plot/svg.hpp"
#include "report/write/csv.hpp"
#include "report/write/json.hpp"
#include "report/write/summary.hpp"
#include "report/write/table.hpp"

namespace deltaflow::report {

std::string run_text(const Trace& trace, Form form, const std::vector<std::vector<std::string>>& groups) {
    return text_of([&](Output& output) {
        if (form == Form::json)
            write_json(trace, output);
        else if (form == Form::svg)
            write_svg(picture_of(trace, groups, svg_columns), output);
        else
            write_summary(trace, output);
    });
}

std::string run_csv(const Trace& trace) {
    return text_of([&](Output& output) { write_csv(trace, output); });
}

std::string run_table(const Trace& trace) {
    return text_of([&](Output& output) { write_table(trace, output); });
}

std::vector<std::byte> pack(Trace trace) {
    Archive a;
    a(trace);
    return a.take();
}

Trace unpack(std::span<const std::byte> bytes) {
    Trace trace;
    try {
        Archive a(bytes);
        a(trace);
        if (a.left() > 0) throw BadArchive();
    } catch (const BadArchive&) {
        throw Error(ErrorKind::option, "these bytes are no run");
    }
    return trace;
}

}  // namespace deltaflow::report
