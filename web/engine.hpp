// What the page asks, answered: by WebAssembly in a browser, by a program in tests of the page.
#pragma once

#include <string>

namespace deltaflow::web {

// A question as JSON, an answer as JSON: what was asked for, or mistakes, or a failure.
std::string answer_to(const char* question);

// Handed to whoever waits for a long run; wasm/ and native/ each have their own.
void tell_progress(double fraction);

}  // namespace deltaflow::web
