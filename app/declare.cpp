// Declares the options of every command.
#include "app/declare.hpp"

#include "app/arguments.hpp"
#include "app/commands/starters.hpp"
#include "app/declare_parts.hpp"
#include "app/help_text.hpp"
#include "report/text/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace deltaflow::app {

namespace {

const WordOption& starter_choice() {
    static const WordOption choice = [] {
        WordOption c{"--template", "", "which model", {}};
        for (const Starter& starter : starters()) c.words.emplace_back(starter.name);
        return c;
    }();
    return choice;
}

void add_files(CLI::App& run, RunOptions& options) {
    for (std::size_t i = 0; i < options.written.size(); ++i) {
        const report::TraceFormat& format = report::trace_formats()[i];
        add_output(run, format.option, options.written[i], format.about);
    }
    add_output(run, "--svg", options.svg, "draw the recorded signals (.png, .pdf: see below)");
    run.add_option("--checkpoint", options.checkpoint, "keep a file from which --resume can go on")
        ->type_name("FILE")
        ->check([](const std::string& path) { return path == "-" ? "a checkpoint is a file" : ""; });
    const auto seconds = [&options](const std::string& s) {
        options.checkpoint_seconds = report::number_of(s);
    };
    run.add_option_function<std::string>("--every-seconds", seconds, "how often (60)")
        ->type_name("S")
        ->check(complaint_about_positive);
    run.add_option("--resume", options.resume, "go on from a checkpoint")->type_name("FILE");
}

void add_pictures(CLI::App& run, RunOptions& options) {
    const auto plot = [&options](const std::vector<std::string>& values) {
        for (const std::string& value : values)
            if (value == "-")
                options.plot = true;
            else
                for (report::Group& group : groups_of(value)) options.groups.push_back(std::move(group));
    };
    run.add_option_function<std::vector<std::string>>("--plot", plot,
                                                      "draw in the terminal (-), or what pictures show")
        ->allow_extra_args(false)
        ->type_name("-|A,B;C|X:Y")
        ->check(complaint_about_groups);
    add_view(run, options.view);
    run.add_option("--also", options.also, "one more run in the same picture, with other values; repeatable")
        ->allow_extra_args(false)
        ->type_name("NAME=VALUE,...")
        ->check(complaint_about_settings);
}

CLI::App& add_run(CLI::App& app, RunOptions& options) {
    CLI::App& run = *app.add_subcommand("run", "Simulate a model.")->footer(run_examples);
    add_model_options(run, options.model, options.load);
    add_settings(run, options.load);
    add_choices(run, options.load);
    const auto at = [&options](const std::string& times) {
        for (const std::string& t : split(times)) options.at.push_back(report::number_of(t));
        std::sort(options.at.begin(), options.at.end());
    };
    run.add_option_function<std::string>("--at", at, "report exactly these times instead of a grid")
        ->type_name("T1,T2,...")
        ->check(complaint_about_times);
    add_files(run, options);
    add_count(run, "--threads", options.threads, "islands at a time (as many as there are processors)",
              {0, 1024});
    add_pictures(run, options);
    const auto certify = [&options](std::int64_t) {
        options.load.set.emplace_back("simulation.certify", "true");
    };
    run.add_flag_function("--certify", certify, "prove every step and event by intervals (by taylor)")
        ->disable_flag_override();
    add_flag(run, "--table", options.table, "print all events as a table in hyperdense time");
    add_flag(run, "--quiet", options.quiet, "print no summary");
    return run;
}

CLI::App& add_check(CLI::App& app, CheckOptions& options) {
    CLI::App& check =
        *app.add_subcommand("check", "Load and analyse a model without running it.")->footer(check_examples);
    add_model_options(check, options.model, options.load);
    add_output(check, "--json", options.json, "write the report as JSON");
    add_flag(check, "--quiet", options.quiet, "print no summary");
    return check;
}

CLI::App& add_compare(CLI::App& app, CompareOptions& options) {
    CLI::App& compare =
        *app.add_subcommand("compare", "Run a model with symbolic and with numeric impulses, side by side.")
             ->footer(compare_examples);
    add_model_options(compare, options.model, options.load);
    add_settings(compare, options.load, "stop");
    add_choices(compare, options.load, "method", "how the symbolic run is integrated");
    const auto steps = [&options](const std::string& list) {
        for (const std::string& step : split(list)) options.steps.push_back(step_of(step));
    };
    compare.add_option_function<std::string>("--steps", steps, "steps of the numeric runs")
        ->type_name("H1,H2,...")
        ->check(complaint_about_steps);
    compare.add_option("--signal", options.signal, "the signal to compare")->type_name("NAME");
    add_output(compare, "--json", options.json, "write the comparison as JSON");
    add_output(compare, "--svg", options.svg, "draw both runs, and the error against the step");
    add_flag(compare, "--quiet", options.quiet, "print no table");
    return compare;
}

CLI::App& add_exact(CLI::App& app, ExactOptions& options) {
    CLI::App& exact =
        *app.add_subcommand("exact", "Run a model in fractions and print each signal in closed form.")
             ->footer(exact_examples);
    add_model_options(exact, options.model, options.load);
    add_settings(exact, options.load, "stop");
    add_flag(exact, "--latex", options.latex, "a LaTeX document instead of plain text");
    add_output(exact, "--json", options.json, "write the closed forms as JSON");
    add_flag(exact, "--quiet", options.quiet, "print no text");
    return exact;
}

CLI::App& add_hypa(CLI::App& app, HypaOptions& options) {
    CLI::App& hypa = *app.add_subcommand("hypa", "Print a bond graph as constitutive hybrid processes.")
                          ->footer(hypa_examples);
    add_model_options(hypa, options.model, options.load);
    add_flag(hypa, "--latex", options.latex, "a LaTeX document instead of plain text");
    add_count(hypa, "--compose", options.most_modes,
              "write out the composed process of models with up to N modes (16; 0: never)", {});
    return hypa;
}

CLI::App& add_show(CLI::App& app, ShowOptions& options) {
    CLI::App& show =
        *app.add_subcommand("show", "Draw a model: block diagram, order, bond graph with causality.")
             ->footer(show_examples);
    add_model_options(show, options.model, options.load);
    add_output(show, "--svg", options.svg, "draw a picture");
    add_output(show, "--dot", options.dot, "write the picture in the language of Graphviz");
    show.add_option("--mode", options.mode, "the mode of a bond graph that is drawn")
        ->type_name("A=ON,B=OFF");
    const auto at = [&options](const std::string& times) {
        for (const std::string& t : split(times)) options.at.push_back(report::number_of(t));
    };
    show.add_option_function<std::string>("--at", at, "draw the shapes of [animation] at these times instead")
        ->type_name("T1,T2,...")
        ->check(complaint_about_times);
    CLI::Option* flat = add_flag(show, "--flat", options.flat, "draw instances of diagrams open");
    add_flag(show, "--primitives", options.primitives, "draw the primitive blocks that everything is made of")
        ->excludes(flat);
    add_count(show, "--most", options.most, "draw at most N boxes (150)", {1, 5000});
    return show;
}

CLI::App& add_explain(CLI::App& app, ExplainOptions& options) {
    CLI::App& explain =
        *app.add_subcommand("explain", "Work one instant step by step, with every block's rule and numbers.")
             ->footer(explain_examples);
    add_model_options(explain, options.model, options.load);
    add_settings(explain, options.load, "stop");
    const auto at = [&options](const std::string& t) { options.at = report::number_of(t); };
    CLI::Option* time = explain.add_option_function<std::string>("--at", at, "the instant at this time")
                            ->type_name("T")
                            ->check(complaint_about_number);
    add_count(explain, "--event", options.event, "the instant of this event, counted from 1", {1})
        ->excludes(time);
    add_flag(explain, "--all", options.all, "show blocks that nothing happens to, too");
    add_flag(explain, "--latex", options.latex, "a LaTeX document instead of plain text");
    add_output(explain, "--json", options.json, "write the steps as JSON");
    add_output(explain, "--svg", options.svg, "draw the instant: values, impulses, modes that last no time");
    return explain;
}

CLI::App& add_sweep(CLI::App& app, SweepOptions& options) {
    CLI::App& sweep = *app.add_subcommand("sweep", "Run a model many times, over ranges of its parameters.")
                           ->footer(sweep_examples);
    add_model_options(sweep, options.model, options.load);
    const auto over = [&options](const std::vector<std::string>& axes) {
        for (const std::string& axis : axes) options.over.push_back(axis_of(axis));
    };
    sweep
        .add_option_function<std::vector<std::string>>(
            "--over", over, "a parameter, or simulation.KEY, and its values; repeatable")
        ->required()
        ->allow_extra_args(false)
        ->type_name("NAME=FROM:TO:STEP|NAME=A,B,...|@FILE")
        ->check(complaint_about_axis);
    const auto measure = [&options](const std::vector<std::string>& texts) {
        for (const std::string& text : texts)
            for (const std::string& part : measures_in(text)) options.measures.push_back(*measure_of(part));
    };
    sweep
        .add_option_function<std::vector<std::string>>("--measure", measure,
                                                       "a number of each run, such as max(y); repeatable")
        ->allow_extra_args(false)
        ->type_name("MEASURE(NAME)")
        ->check(complaint_about_measures);
    add_count(sweep, "--runs", options.draws.runs, "draws of axes by chance (100)", {1, 1000000000});
    add_count(sweep, "--seed", options.draws.seed, "where chance begins (1)", {0});
    add_text(
        sweep, "--sampling", [&](const auto& word) { options.draws.sampling = *sampling_of(word); },
        "how axes are drawn: by chance, as a Latin hypercube, by Sobol's sequence", "random|latin|sobol",
        complaint_about_sampling);
    add_settings(sweep, options.load);
    add_choices(sweep, options.load);
    add_output(sweep, "--csv", options.csv, "write a row a run as CSV, each as it ends");
    add_output(sweep, "--jsonl", options.jsonl, "write a line of JSON a run, each as it ends");
    add_flag(sweep, "--resume", options.resume, "go on with the files of --csv or --jsonl that are there");
    add_text(
        sweep, "--shard", [&](const auto& text) { options.share = share_of(text); },
        "only part K of N parts; sweep merge puts them together", "K/N", complaint_about_share);
    add_output(sweep, "--json", options.json, "write the runs as JSON");
    add_output(sweep, "--svg", options.svg, "draw measures, or else final values, over the parameters");
    add_text(
        sweep, "--plot", [&](const auto&) { options.plot = true; }, "the same in the terminal (-)", "-",
        [](const std::string& text) { return text == "-" ? "" : "a sweep is drawn with --plot -"; });
    add_count(sweep, "--jobs", options.jobs, "runs at a time (as many as there are processors)", {1, 1024});
    add_flag(sweep, "--quiet", options.quiet, "print no table");
    return sweep;
}

CLI::App& add_merge(CLI::App& app, MergeOptions& options) {
    CLI::App& command = *app.add_subcommand("merge", "Put parts of a sweep together (also: sweep merge).")
                             ->footer(merge_examples);
    command.add_option("FILE", options.parts, "the file of a part, each of them")->required()->type_name("");
    add_output(command, "--output", options.output, "where all rows go (standard output)");
    return command;
}

CLI::App& add_blocks(CLI::App& app, BlocksOptions& options) {
    CLI::App& blocks =
        *app.add_subcommand("blocks", "Print the catalogue of block types.")->footer(blocks_examples);
    CLI::Option* name = blocks.add_option("NAME", options.name, "one block type")->type_name("");
    CLI::Option* schema =
        add_flag(blocks, "--schema", options.schema, "a JSON schema of model files instead")->excludes(name);
    add_flag(blocks, "--markdown", options.markdown, "all of it as a page in Markdown")
        ->excludes(name)
        ->excludes(schema);
    return blocks;
}

std::string new_footer() {
    std::string list;
    for (const Starter& starter : starters())
        list += fmt::format("  {:<10}  {}\n", starter.name, starter.about);
    return fmt::format(new_examples, list);
}

CLI::App& add_new(CLI::App& app, NewOptions& options) {
    CLI::App& command =
        *app.add_subcommand("new", "Write a small model to begin with.")->footer(new_footer());
    command.add_option("FILE", options.path, "the file to write")->required()->type_name("");
    const WordOption& kinds = starter_choice();
    options.kind = kinds.words.front();
    command.add_option(kinds.option, options.kind, kinds.about)
        ->type_name(fmt::format("{}", fmt::join(kinds.words, "|")))
        ->check([&kinds](const std::string& word) { return complaint_about_choice(kinds, word); });
    add_flag(command, "--force", options.force, "write over a file that is there");
    return command;
}

CLI::App& add_completion(CLI::App& app, CompletionOptions& options) {
    CLI::App& command = *app.add_subcommand("completion", "Print a script that completes words for a shell.")
                             ->footer(completion_examples);
    command.add_option("SHELL", options.shell, "bash, zsh or fish")
        ->type_name("")
        ->check([](const std::string& word) {
            return complaint_about_choice({"", "", "", {"bash", "zsh", "fish"}}, word);
        });
    command.add_option("--parameters", options.parameters, "print the parameters of a model, a line each")
        ->type_name("MODEL");
    command.add_option("--signals", options.signals, "print the signals of a model, a line each")
        ->type_name("MODEL");
    return command;
}

// It is read as --help before anything is parsed (options.cpp); here it is listed.
CLI::App& add_help(CLI::App& app, HelpOptions& options) {
    CLI::App& command =
        *app.add_subcommand("help", "Tell what there is, or what a command takes.")->footer(help_examples);
    command.add_option("COMMAND", options.command, "the command")->type_name("");
    return command;
}

CLI::App& add_lsp(CLI::App& app, bool& stdio) {
    CLI::App& command = *app.add_subcommand("lsp", "Serve an editor: mistakes, completion, hints, renaming.")
                             ->footer(lsp_examples);
    add_flag(command, "--stdio", stdio, "speak on standard input and output (it always does)");
    return command;
}

CLI::App& add_studio(CLI::App& app, StudioOptions& options) {
    CLI::App& command =
        *app.add_subcommand("studio", "Open the studio: models in a browser, on this machine only.")
             ->footer(studio_examples);
    command.add_option("MODEL", options.model, "the model file to begin with (TOML)")->type_name("");
    add_count(command, "--port", options.port, "where the browser finds it (any that is free)", {0, 65535});
    command.add_option("--page", options.page, "the folder with the page (where it is installed)")
        ->type_name("FOLDER");
    add_flag(command, "--no-browser", options.no_browser, "only print the address");
    return command;
}

CLI::App& add_man(CLI::App& app) {
    return *app.add_subcommand("man", "Print the manual page.")->footer(man_examples);
}

}  // namespace

std::vector<Commands::Entry> Commands::declare(CLI::App& app) {
    return {
        {add_run(app, run), [this] { return run; }},
        {add_check(app, check), [this] { return check; }},
        {add_compare(app, compare), [this] { return compare; }},
        {add_exact(app, exact), [this] { return exact; }},
        {add_hypa(app, hypa), [this] { return hypa; }},
        {add_show(app, show), [this] { return show; }},
        {add_explain(app, explain), [this] { return explain; }},
        {add_sweep(app, sweep), [this] { return sweep; }},
        {add_merge(app, merge), [this] { return merge; }},
        {add_blocks(app, blocks), [this] { return blocks; }},
        {add_new(app, make_new), [this] { return make_new; }},
        {add_completion(app, completion), [this] { return completion; }},
        {add_studio(app, studio), [this] { return studio; }},
        {add_man(app), [this] { return man; }},
        {add_lsp(app, stdio), [this] { return lsp; }},
        {add_help(app, help), [] { return Message{}; }},
    };
}

}  // namespace deltaflow::app
