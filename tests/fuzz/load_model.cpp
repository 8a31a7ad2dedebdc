// Whatever the bytes are, loading and checking end well or with an error of the model, never otherwise.
#include "engine/simulate.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

// A small cap: a few bytes can ask for ten million blocks, which is slow but no mistake.
constexpr std::uint64_t most_blocks = 2000;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string text(reinterpret_cast<const char*>(data), size);
    deltaflow::LoadOptions options;
    options.max_blocks = most_blocks;
    try {
        deltaflow::check(deltaflow::load_model_text("fuzz.toml", std::move(text), options));
    } catch (const deltaflow::ModelError& error) {
        for (const auto& diagnostic : error.diagnostics) render(error.sources, diagnostic);
    }
    return 0;
}
