// `deltaflow sweep`: many runs, a row each.
#include "engine/sweep.hpp"

#include "app/arguments.hpp"
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/input.hpp"
#include "app/interrupt.hpp"
#include "app/picture_file.hpp"
#include "app/progress.hpp"
#include "app/study/merge.hpp"
#include "app/study/point_table.hpp"
#include "app/study/ranks.hpp"
#include "app/study/study_file.hpp"
#include "app/terminal.hpp"
#include "engine/course/fingerprint.hpp"
#include "report/plot/plot.hpp"
#include "report/plot/svg.hpp"
#include "report/plot/sweep_picture.hpp"
#include "report/text/notation.hpp"
#include "report/write/sweep.hpp"

#include <algorithm>
#include <optional>

namespace deltaflow::app {

using namespace report;

namespace {

// What is told of all runs in the end: how many ended how, and the first failure.
class Told {
public:
    void take(std::size_t index, const SweptRun& run) {
        ++count_[run.row.end_reason];
        loaded_ = loaded_ || run.loaded;
        if (run.row.errors.empty()) return;
        ++failed_;
        if (!first_ || index < first_->first) first_.emplace(index, run.row);
    }
    const SweepCount& count() const { return count_; }
    // The first run, if none was of a model.
    bool none_loaded() const { return !loaded_ && !count_.empty(); }

    // The first failure in full, the others by their number.
    void tell_failures(const Points& points) const {
        if (!first_) return;
        const SweepRow& row = first_->second;
        std::string at;
        for (std::size_t p = 0; p < row.values.size(); ++p)
            at +=
                fmt::format("{}{} = {}", p > 0 ? ", " : "", points.axes()[p].name, value_text(row.values[p]));
        tell(fmt::format("with {}:\n{}", at, line_text(row.errors.front().text)));
        if (failed_ > 1) tell(fmt::format("{} runs failed; this was the first\n", failed_));
    }

private:
    SweepCount count_;
    bool loaded_ = false;
    std::size_t failed_ = 0;
    std::optional<std::pair<std::size_t, SweepRow>> first_;
};

// One sweep, from the command line to its rows.
class Study {
public:
    explicit Study(const SweepOptions& options)
        : options_(options),
          files_(read_input(options.model, options.load.allow)),
          points_(with_tables(options.over), draws_of(options)),
          control_(control_of(options)),
          sweeper_(files_, options.load, points_, control_),
          ranks_(options.share.shards > 1) {
        refuse_if(complaint_about_axes(points_.axes(), options.draws.runs, options.only_appends()));
    }

    int carry_out() {
        first_loaded();
        if (!ranks_.is_first()) {
            ranks_.serve(sweeper_);
            return 0;
        }
        open_or_dismiss();
        run();
        for (auto& file : appended_) file->close();
        write_results();
        told_.tell_failures(points_);
        return unless_interrupted(0);
    }

private:
    static SweepControl control_of(const SweepOptions& options) {
        return {&interrupt_flag(), {}, options.jobs, options.measures};
    }
    static Draws draws_of(const SweepOptions& options) {
        constexpr std::size_t usual = 100;
        Draws draws = options.draws;
        if (draws.runs == 0) draws.runs = usual;
        return draws;
    }
    static void refuse_if(const std::string& complaint) {
        if (!complaint.empty()) refuse_file(ErrorKind::option, "--over", complaint);
    }

    // The model of the first point that has one. What is wrong with a value stands where it was given.
    void first_loaded() {
        constexpr std::size_t tries = 100;
        for (std::size_t i = 0; i < std::min(points_.size(), tries) && !model_; ++i) try {
                model_ = sweeper_.model(i);
            } catch (const ModelError&) {  // others may be good
            }
        if (model_) return;
        try {
            sweeper_.model(0);
        } catch (ModelError& error) {
            for (auto& source : error.sources.files)
                for (const SweepAxis& axis : points_.axes())
                    if (source.path == "--set" && source.text.starts_with(axis.name + "="))
                        source.path = "--over";
            throw;
        }
    }

    StudyIdentity identity(const char* format) const {
        std::string text = format + points_.description();
        for (const Measure& measure : options_.measures) text += measure.text() + "\n";
        return {fingerprint(*model_, text), points_.size(), options_.share};
    }

    void open_or_dismiss() {
        try {
            open();
        } catch (...) {
            ToDo nothing(0);
            ranks_.run(sweeper_, nothing, [](std::size_t, const SweptRun&) {});
            throw;
        }
    }
    void open() {
        std::vector<std::string> outputs{options_.csv, options_.jsonl, options_.json, options_.svg};
        for (const std::string& path : {options_.csv, options_.jsonl})
            if (!path.empty() && path != "-") outputs.push_back(record_path(path));
        std::vector<std::string> inputs = files_of(*model_);
        for (const SweepAxis& axis : options_.over)
            if (axis.name.starts_with('@')) inputs.push_back(axis.name.substr(1));
        claim_outputs(outputs, inputs);
        keep_order();
        std::vector<std::string> parameters, measures;
        for (const SweepAxis& axis : points_.axes()) parameters.push_back(axis.name);
        for (const Measure& measure : options_.measures) measures.push_back(measure.text());
        const auto add = [&](const std::string& path, const char* format, auto make) {
            if (!path.empty())
                appended_.push_back(std::make_unique<StudyFile>(path, identity(format),
                                                                make(parameters, measures), options_.resume));
        };
        add(options_.csv, "csv\n", csv_rows);
        add(options_.jsonl, "jsonl\n", json_rows);
        keeps_rows_ = !options_.only_appends();
    }

    // Runs that every file has already are not run again.
    ToDo to_do() const {
        if (appended_.empty()) return ToDo(points_.size(), options_.share);
        std::size_t from = appended_.front()->written();
        for (const auto& file : appended_) from = std::min(from, file->written());
        std::set<std::size_t> done;
        if (appended_.size() == 1) done = appended_.front()->early();
        return ToDo(points_.size(), options_.share, from, std::move(done));
    }

    void run() {
        ToDo left = to_do();
        Progress progress;
        control_.progress = [&progress](double fraction) { progress.show(fraction); };
        ranks_.run(sweeper_, left, [&](std::size_t index, SweptRun run) {
            told_.take(index, run);
            for (auto& file : appended_)
                if (!file->has(index)) file->put(index, run);
            if (keeps_rows_) rows_.take(index, std::move(run));
        });
    }

    void write_results() {
        if (told_.none_loaded() && !options_.resume) sweeper_.model(options_.share.index(0));
        const Sweep result = keeps_rows_ ? std::move(rows_).result() : Sweep{};
        if (!options_.json.empty())
            write_file(options_.json, [&](Output& output) { write_json(result, output); });
        if (!options_.svg.empty())
            write_picture(options_.svg, [&](Output& output) { write_svg(picture_of(result), output); });
        const std::vector<std::string> all{options_.csv, options_.jsonl, options_.json, options_.svg};
        const bool data_here = std::find(all.begin(), all.end(), "-") != all.end(),
                   written =
                       std::any_of(all.begin(), all.end(), [](const auto&path) { return !path.empty(); });
        if (data_here || (options_.quiet && !options_.plot)) return;
        write_file("-", [&](Output& output) {
            if (!options_.quiet && !written && !options_.plot) write_table(result, output);
            if (options_.plot) write_plot(picture_of(result), terminal(), output);
            if (!options_.quiet) write_count(told_.count(), output);
        });
    }

    const SweepOptions& options_;
    const ModelFiles files_;
    const Points points_;
    SweepControl control_;
    const Sweeper sweeper_;
    const Ranks ranks_;
    std::optional<FlatModel> model_;
    std::vector<std::unique_ptr<StudyFile>> appended_;
    bool keeps_rows_ = true;
    SweepRows rows_{sweeper_};
    Told told_;
};

}  // namespace

int sweep(const SweepOptions& options) { return Study(options).carry_out(); }

int merge(const MergeOptions& options) {
    merge(options.parts, options.output);
    return 0;
}

}  // namespace deltaflow::app
