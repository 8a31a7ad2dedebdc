// `deltaflow run`: simulate, write what was asked for, tell how it went.
#include "app/arguments.hpp"
#include "app/checkpoint.hpp"
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/input.hpp"
#include "app/interrupt.hpp"
#include "app/picture_file.hpp"
#include "app/progress.hpp"
#include "app/streams.hpp"
#include "app/terminal.hpp"
#include "engine/simulate.hpp"
#include "report/plot/detail.hpp"
#include "report/plot/plot.hpp"
#include "report/plot/svg.hpp"
#include "report/text/exit_code.hpp"
#include "report/text/notation.hpp"
#include "report/write/formats.hpp"
#include "report/write/summary.hpp"
#include "report/write/table.hpp"

#include <algorithm>
#include <new>

namespace deltaflow::app {

using namespace report;

namespace {

// A format that was asked for, and its file.
struct Wanted {
    const TraceFormat* format;
    std::string path;
};

std::vector<Wanted> wanted_of(const RunOptions& options) {
    std::vector<Wanted> wanted;
    for (std::size_t i = 0; i < options.written.size(); ++i)
        if (!options.written[i].empty()) wanted.push_back({&trace_formats()[i], options.written[i]});
    return wanted;
}

// Points across the page.
std::size_t columns_of(const RunOptions& options) {
    return std::max(svg_columns, static_cast<std::size_t>(options.view.width * 5 / 6));
}

// What one run drew, with further ones beside it.
struct Drawn {
    Sketch first;
    std::vector<Sketch> others;
    std::vector<std::string> labels;

    Picture picture(std::size_t columns) const {
        if (others.empty()) return first.picture(columns);
        std::vector<Picture> all{first.picture(columns)};
        for (const Sketch& sketch : others) all.push_back(sketch.picture(columns));
        return overlaid(std::move(all), labels);
    }
};

// Is told what was before the run began, too.
class WithPast final : public Sink {
public:
    WithPast(std::unique_ptr<Sink> sink, const Trace& past) : sink_(std::move(sink)), past_(past) {}
    void begin(const Trace& heading) override {
        sink_->begin(heading);
        sink_->take(past_);
    }
    void take(const Trace& part) override { sink_->take(part); }
    void end(const Trace& closing) override { sink_->end(closing); }

private:
    std::unique_ptr<Sink> sink_;
    const Trace& past_;
};

// Who writes while the run goes on. `past`: of a run that is gone on with.
std::vector<Stream> streams_of(const RunOptions& options, const FlatModel& model, const Trace* past) {
    std::vector<Stream> streams;
    for (const Wanted& wanted : wanted_of(options))
        streams.push_back({wanted.path, wanted.format->live,
                           [&model, wanted, past](Output& output) -> std::unique_ptr<Sink> {
                               auto sink =
                                   wanted.format->sink(model, output, [&] { return own_sheet(wanted.path); });
                               if (!past || !wanted.format->tells_past) return sink;
                               return std::make_unique<WithPast>(std::move(sink), *past);
                           }});
    return streams;
}

bool uses_standard_output(const RunOptions& options) {
    const std::vector<std::string> all = options.outputs();
    return std::find(all.begin(), all.end(), "-") != all.end();
}

// Who may go on later has to have what it told.
bool needs_whole_trace(const RunOptions& options) {
    const bool in_parts = !options.checkpoint.empty() || !options.resume.empty();
    const std::vector<Wanted> wanted = wanted_of(options);
    return options.table || (in_parts && std::any_of(wanted.begin(), wanted.end(), [](const Wanted& file) {
                                 return file.format->tells_past;
                             }));
}

bool draws(const RunOptions& options) { return !options.svg.empty() || options.draws_here(); }

struct Done {
    Trace trace;  // a digest, if nobody asks for more
    Drawn drawn;
    bool written = true;
};

// `so_far`: what has been told; `whole`: with all samples.
template <class SoFar>
void keep_checkpoints(const RunOptions& options, RunControl& control, const SoFar& so_far, bool whole) {
    if (options.checkpoint.empty()) return;
    control.checkpoint_seconds = options.checkpoint_seconds;
    control.checkpoint = [&options, so_far, whole](std::vector<std::byte> state) {
        try {
            write_checkpoint(options.checkpoint, std::move(state), whole, so_far());
        } catch (const OutputError& error) {  // the run itself goes on
            tell(fmt::format("warning: {}\n", error.what()));
        } catch (const std::bad_alloc&) {
            tell(fmt::format("warning: there is not enough memory for {}\n", options.checkpoint));
        }
    };
}

// One run for all who are told of it. A picture has samples of its own.
Done simulate_watched(const RunOptions& options, FlatModel& model) {
    Progress progress;
    RunControl control{&interrupt_flag(), [&progress](double fraction) { progress.show(fraction); }};
    control.begun = [] { keep_order(); };
    control.threads = options.threads ? options.threads : model.settings.threads.value_or(0);
    const std::size_t columns = columns_of(options);
    const SampleShares shares =
        draws(options) ? sample_for_page(model, columns, options.view) : SampleShares();
    TraceSink whole;
    Digest digest(first_events, last_events + 1);  // a change of mode is told against the event before
    Sketch sketch(options.groups, columns, shares.dense, options.view);
    Sinks told, all;
    SamplesAt of_trace(told, shares.trace), of_page(sketch, shares.page);
    const bool keep = needs_whole_trace(options);
    if (keep)
        told.add(whole);
    else
        told.add(digest);
    all.add(of_trace);
    if (draws(options)) all.add(of_page);
    Checkpoint before;
    if (!options.resume.empty()) {
        before = read_checkpoint(options.resume);
        if (keep && !before.whole)
            tell(fmt::format("warning: {} has no samples: files begin where it was written\n",
                             options.resume));
        control.resume = before.state;
        if (keep && before.whole) whole.take_up(std::move(before.trace));
        if (!keep && !before.whole) digest.take_up(std::move(before.trace));
    }
    keep_checkpoints(
        options, control, [&]() -> const Trace& { return keep ? whole.so_far() : digest.so_far(); }, keep);
    const Trace* const past = keep && before.whole ? &whole.so_far() : nullptr;
    const bool written =
        write_along(streams_of(options, model, past), told, [&] { deltaflow::run(model, all, control); });
    return {keep ? whole.trace() : digest.trace(), {std::move(sketch), {}, {}}, written};
}

// Signals that pictures show are recorded, whatever the model says.
FlatModel load(const RunOptions& options) {
    FlatModel model = load_input(options.model, options.load);
    std::vector<std::string> names;
    for (const Recorded& recorded : model.record) names.push_back(recorded.name);
    const std::vector<std::string> missing = unrecorded(names, options.groups);
    if (missing.empty()) return model;
    names.insert(names.end(), missing.begin(), missing.end());
    return recording(model, names, "--plot");
}

// What fails is told of, and keeps nothing else from being written.
bool draw_page(const RunOptions& options, const Drawn& drawn) {
    if (options.svg.empty()) return true;
    try {
        write_picture(options.svg,
                      [&](Output& output) { write_svg(drawn.picture(columns_of(options)), output); });
        return true;
    } catch (const OutputError& error) {
        tell(fmt::format("deltaflow: {}\n", error.what()));
        return false;
    }
}

// "e = 0.5, g = 1.62"
std::string label_of(const std::vector<std::pair<std::string, std::string>>& values) {
    std::string label;
    for (const auto& [name, value] : values)
        label += fmt::format("{}{} = {}", label.empty() ? "" : ", ", name, value);
    return label.empty() ? "as it is" : label;
}

// Runs that are only drawn. What is wrong with one is told and does not keep the others from being drawn.
void add_further_runs(const RunOptions& options, Drawn& drawn) {
    if (options.also.empty()) return;
    drawn.labels.push_back(label_of(options.load.set));
    for (const std::string& values : options.also) {
        RunOptions other = options;
        other.load.set.clear();
        for (const std::string& text : split(values)) {
            const std::size_t equals = text.find('=');
            other.load.set.emplace_back(text.substr(0, equals), text.substr(equals + 1));
        }
        drawn.labels.push_back(label_of(other.load.set));
        other.load.set.insert(other.load.set.begin(), options.load.set.begin(), options.load.set.end());
        FlatModel model = load(other);
        Progress progress;
        RunControl control{&interrupt_flag(), [&progress](double fraction) { progress.show(fraction); }};
        const SampleShares shares = sample_for_page(model, columns_of(options), options.view);
        Sketch sketch(options.groups, columns_of(options), shares.dense, options.view);
        SamplesAt of_page(sketch, shares.page);
        Digest digest(0, 0);
        Sinks all;
        all.add(of_page);
        all.add(digest);
        deltaflow::run(model, all, control);
        for (const RunError& error : digest.so_far().errors)
            tell(fmt::format("with {}:\n{}", drawn.labels.back(), line_text(error.text)));
        drawn.others.push_back(std::move(sketch));
    }
}

void plot(const Drawn& drawn, Output& output) {
    const Terminal here = terminal();
    write_plot(drawn.picture(plot_columns(here)), here, output);
}

void tell(const RunOptions& options, const Trace& trace, const Drawn& drawn, Output& output) {
    if (options.table && !options.quiet) write_title(trace, output);
    if (options.table) write_table(trace, output);
    if (options.table && !options.quiet)
        write_closing(trace, output);
    else if (!options.quiet)
        write_summary(trace, output);
    if (options.draws_here() && !options.quiet) output.write("\n");
    if (options.draws_here()) plot(drawn, output);
}

// Where standard output carries data, people read standard error: the table if they asked, and warnings.
void tell_beside_data(const RunOptions& options, const Trace& trace, Output& output) {
    if (options.table) write_table(trace, output);
    if (options.quiet) return;
    for (const std::string& warning : trace.warnings) output.write(line_text("warning: " + warning));
}

int exit_code(const Trace& trace) {
    return unless_interrupted(trace.errors.empty() ? 0 : exit_code(trace.errors.front().kind));
}

// "--at 12: the run goes from 0 to 10", or nothing.
std::string complaint_about_times(const Settings& settings, const RunOptions& options) {
    const auto outside = [&](const char* option, double t) {
        return fmt::format("{} {}: the run goes from {} to {}", option, number_text(t),
                           number_text(settings.start), number_text(settings.stop));
    };
    for (const double t : options.at)
        if (t < settings.start || t > settings.stop) return outside("--at", t);
    if (options.view.from >= settings.stop) return outside("--from", options.view.from);
    if (options.view.to <= settings.start) return outside("--to", options.view.to);
    return {};
}

std::vector<std::string> inputs_of(const RunOptions& options, const FlatModel& model) {
    std::vector<std::string> paths = files_of(model);
    for (const std::string& state : {options.resume, options.checkpoint})
        if (!state.empty()) paths.push_back(state);
    return paths;
}

}  // namespace

int run(const RunOptions& options) {
    FlatModel model = load(options);
    if (const std::string complaint = complaint_about_times(model.settings, options); !complaint.empty()) {
        tell(fmt::format("deltaflow run: {}\n", complaint));
        return 2;
    }
    if (!options.at.empty()) model.settings.at = options.at;
    claim_outputs(options.outputs(), inputs_of(options, model));
    claim_outputs({options.checkpoint}, files_of(model));

    Done done = simulate_watched(options, model);
    add_further_runs(options, done.drawn);
    const Trace& trace = done.trace;

    const bool written = draw_page(options, done.drawn) && done.written;
    if (uses_standard_output(options)) {
        app::tell(text_of([&](Output& output) { tell_beside_data(options, trace, output); }));
    } else {
        write_file("-", [&](Output& output) { tell(options, trace, done.drawn, output); });
    }
    for (const RunError& error : trace.errors) tell(line_text(error.text));
    const int code = exit_code(trace);
    return code == 0 && !written ? 6 : code;
}

}  // namespace deltaflow::app
