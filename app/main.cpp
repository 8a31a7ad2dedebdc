// deltaflow: the command line.
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/interrupt.hpp"
#include "report/text/exit_code.hpp"
#include "report/text/notation.hpp"

#include <exception>
#include <new>

namespace {

using namespace deltaflow;

int complain(int code, std::string_view text) {
    app::tell(fmt::format("{}\n", text));
    return code;
}

int say(const app::Message& message) {
    if (message.code == 0)
        app::write_file("-", [&](app::Output& output) { output.write(message.text); });
    else
        app::tell(message.text);
    return message.code;
}

struct Perform {
    int operator()(const app::Message& message) const { return say(message); }
    int operator()(const app::RunOptions& options) const { return app::run(options); }
    int operator()(const app::CheckOptions& options) const { return app::check(options); }
    int operator()(const app::CompareOptions& options) const { return app::compare(options); }
    int operator()(const app::ExactOptions& options) const { return app::closed_forms(options); }
    int operator()(const app::HypaOptions& options) const { return app::hypa(options); }
    int operator()(const app::ShowOptions& options) const { return app::show(options); }
    int operator()(const app::ExplainOptions& options) const { return app::explain(options); }
    int operator()(const app::SweepOptions& options) const { return app::sweep(options); }
    int operator()(const app::MergeOptions& options) const { return app::merge(options); }
    int operator()(const app::BlocksOptions& options) const { return app::blocks(options); }
    int operator()(const app::NewOptions& options) const { return app::make_new(options); }
    int operator()(const app::CompletionOptions& options) const { return app::completion(options); }
    int operator()(const app::StudioOptions& options) const { return app::studio(options); }
    int operator()(const app::ManOptions& options) const { return app::man(options); }
    int operator()(const app::LspOptions& options) const { return app::lsp(options); }
};

int complain(const ModelError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics)
        app::tell(report::line_text(render(error.sources, diagnostic)));
    return exit_code(error.kind);
}

int complain_of_mistake(std::string_view what) {
    return complain(70, fmt::format("deltaflow: this is a mistake of the program, not of your model: {}\n"
                                    "Please send the model and the command, so that it can be mended.",
                                    what));
}

// What the command may take, whatever the model says.
void set_limits(const app::Command& command) {
    std::visit(
        [](const auto& options) {
            if constexpr (requires { options.load.limits; }) {
                app::limit_seconds(options.load.limits.seconds);
                app::limit_memory(options.load.limits.megabytes);
            }
        },
        command);
}

}  // namespace

int main(int argc, char** argv) {
    app::watch_signals();
    try {
        const app::Command command = app::parse_command_line(argc, argv);
        set_limits(command);
        return std::visit(Perform{}, command);
    } catch (ModelError& error) {
        app::name_options(error, argc, argv);
        return complain(error);
    } catch (const app::OutputError& error) {
        return complain(6, fmt::format("deltaflow: {}", error.what()));
    } catch (const std::bad_alloc&) {
        return complain(130,
                        "deltaflow: there is not enough memory (--limit-memory may say how much there is)");
    } catch (const std::exception& error) {
        return complain_of_mistake(error.what());
    } catch (...) {
        return complain_of_mistake("nobody knows what");
    }
}
