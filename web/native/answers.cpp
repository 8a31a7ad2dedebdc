// The engine of the page as a program, for tests of the page: a question a line, an answer a line.
#include "web/engine.hpp"

#include <algorithm>
#include <iostream>

namespace deltaflow::web {

void tell_progress(double) {}

}  // namespace deltaflow::web

int main() {
    for (std::string question; std::getline(std::cin, question);) {
        std::string answer = deltaflow::web::answer_to(question.c_str());
        std::replace(answer.begin(), answer.end(), '\n', ' ');  // in JSON only ever between words
        std::cout << answer << std::endl;
    }
}
