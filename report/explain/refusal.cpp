// What forbids an instant, in words.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "blocks/composer.hpp"
#include "report/explain/steps.hpp"
#include "report/text/notation.hpp"

namespace deltaflow::report {

std::string derivative_words(int order) {
    static constexpr const char* words[] = {"value", "slope", "second derivative", "third derivative"};
    return order < 4 ? words[order] : fmt::format("derivative of order {}", order);
}

namespace {

// "v = -14 | 11.2, left and right of the instant"
Sentence operand_sentence(const BlockFormulas& f, BlockIndex u) {
    const WorkedBlock& in = f.block(u);
    const Words left = in.jumps ? said("{} | ", {BlockFormulas::left(in)}) : Words();
    return {said("{} = {}{}{}",
                 {f.signal(u), left, f.germ_of(u), in.jumps ? ", left and right of the instant" : ""}),
            {},
            ""};
}

}  // namespace

// The operands as they meet, and what forbids it. In a solve that was given up parts have no value yet.
Paragraph refusal_of(const BlockFormulas& f, const WorkedFailure& failure, bool complete) {
    Paragraph p;
    p.signal = failure.block;
    if (failure.at >= 0) {
        p.block = static_cast<BlockIndex>(failure.at);
        p.is_part = !f.block(p.block).named;
        p.definition = f.definition(p.block);
        p.equations = f.equations(p.block);
        for (const BlockIndex u : f.block(p.block).inputs)
            if (f.block(u).op != Primitive::constant && (complete || f.stands_alone(u)))
                p.sentences.push_back(operand_sentence(f, u));
    }
    p.sentences.push_back({failure.what, {}, ""});
    if (!failure.advice.empty()) p.sentences.push_back({"what to do: " + failure.advice, {}, ""});
    return p;
}

}  // namespace deltaflow::report
