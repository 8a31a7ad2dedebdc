// deltaflow: the command line.
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "report/text/exit_code.hpp"
#include "report/text/notation.hpp"

#include <exception>
#include <new>

namespace {

using namespace deltaflow;

int complain(int code, std::string_view text) {
    fmt::print(stderr, "{}\n", text);
    return code;
}

int say(const app::Message& message) {
    if (message.code == 0)
        app::write_file("-", [&](app::Output& output) { output.write(message.text); });
    else
        fmt::print(stderr, "{}", message.text);
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
    int operator()(const app::BlocksOptions& options) const { return app::blocks(options); }
    int operator()(const app::NewOptions& options) const { return app::make_new(options); }
    int operator()(const app::CompletionOptions& options) const { return app::completion(options); }
    int operator()(const app::StudioOptions& options) const { return app::studio(options); }
    int operator()(const app::ManOptions& options) const { return app::man(options); }
    int operator()(const app::LspOptions& options) const { return app::lsp(options); }
};

int complain(const ModelError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics)
        fmt::print(stderr, "{}", report::line_text(render(error.sources, diagnostic)));
    return exit_code(error.kind);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return std::visit(Perform{}, app::parse_command_line(argc, argv));
    } catch (ModelError& error) {
        app::name_options(error, argc, argv);
        return complain(error);
    } catch (const app::OutputError& error) {
        return complain(6, fmt::format("deltaflow: {}", error.what()));
    } catch (const std::bad_alloc&) {
        return complain(1, "deltaflow: out of memory");
    } catch (const std::exception& error) {
        return complain(1, fmt::format("deltaflow: {}", error.what()));
    }
}
