// The engine in a browser: one function.
#include "web/engine.hpp"

#include <emscripten.h>

EM_JS(void, hand_progress, (double fraction), {
    if (Module.progress) Module.progress(fraction);
});

namespace deltaflow::web {

void tell_progress(double fraction) { hand_progress(fraction); }

}  // namespace deltaflow::web

// The answer stays until the next question.
extern "C" EMSCRIPTEN_KEEPALIVE const char* deltaflow_ask(const char* question) {
    static std::string answer;
    answer = deltaflow::web::answer_to(question);
    return answer.c_str();
}
