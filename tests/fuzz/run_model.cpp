// Whatever the bytes are, a model is loaded, checked, run, explained and shown, or an error says why not.
#include "engine/exact.hpp"
#include "engine/explain.hpp"
#include "engine/simulate.hpp"
#include "report/explain/lesson.hpp"
#include "report/scheme/scheme.hpp"
#include "report/text/output.hpp"
#include "report/write/exact_text.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace {

using namespace deltaflow;

// A budget of work, the same on every machine: a few bytes can ask for ten million blocks or for a step of
// 1e-300, which is slow but no mistake. Steps through loops (factors of sparse matrices) take most of the
// time.
constexpr std::uint64_t most_blocks = 300, most_events = 30, most_steps = 80, exact_steps = 12;
constexpr std::size_t most_boxes = 60;

RunControl budget(std::uint64_t steps) {
    RunControl control;
    control.most_steps = steps;
    return control;
}

report::Output& nowhere() {
    static report::Output output([](std::string_view) {});
    return output;
}

// Twenty samples instead of a grid that may have billions.
void limit(Settings& s) {
    s.max_events = most_events;
    s.every.reset();
    s.at.clear();
    for (int i = 0; i <= 20; ++i) s.at.push_back(s.start + (s.stop - s.start) * i / 20);
    s.at.back() = s.stop;
}

void show(const FlatModel& model) {
    const bonds::Mode mode = report::scheme::read_mode(model.graph, "");
    report::scheme::listing(report::scheme::make_picture(model, mode, {true, false, most_boxes}));
}

void explain_first(const FlatModel& model) {
    const Explanation e = explain(model, {{}, 1, true}, budget(most_steps));
    if (e.found) report::write_text(report::lesson_of(e, true), nowhere());
}

void run_in_exact_numbers(const FlatModel& model, const FractionBook& book) {
    report::write_exact_text(run_exactly(model, book, budget(exact_steps)), nowhere());
}

// Each in its own way; what one of them refuses another may accept.
template <class Body>
void attempt(Body body) {
    try {
        body();
    } catch (const ModelError& error) {
        for (const auto& diagnostic : error.diagnostics) render(error.sources, diagnostic);
    }
}

void use(const std::string& text) {
    const FractionBook book;
    LoadOptions options;
    options.max_blocks = most_blocks;
    FlatModel model = load_model_text("fuzz.toml", text, options);
    limit(model.settings);
    attempt([&] { check(model); });
    attempt([&] { simulate(model, budget(most_steps)); });
    attempt([&] { show(model); });
    model.settings.impulses = ImpulseKind::numeric;
    attempt([&] { simulate(model, budget(most_steps)); });
    model.settings.impulses = ImpulseKind::symbolic;
    attempt([&] { explain_first(model); });
    attempt([&] { run_in_exact_numbers(model, book); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    attempt([&] { use({reinterpret_cast<const char*>(data), size}); });
    nowhere().flush();
    return 0;
}
