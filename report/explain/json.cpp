// A lesson as JSON: the numbers of the solve, and the sentences of the plain text.
#include "report/explain/lesson.hpp"
#include "report/text/exit_code.hpp"
#include "report/text/notation.hpp"

#include <nlohmann/json.hpp>

namespace deltaflow::report {

namespace {

using Json = nlohmann::ordered_json;

Json sentence(const Sentence& s) {
    std::vector<std::string> chain;
    for (const Math& m : s.chain) chain.push_back(plain(m));
    Json json{{"words", s.words.plain}, {"chain", chain}};
    if (s.subject) json["subject"] = plain(*s.subject);
    if (!s.after.empty()) json["after"] = s.after;
    return json;
}

Json sentences(const Paragraph& p) {
    Json list = Json::array();
    for (const Sentence& s : p.sentences) list.push_back(sentence(s));
    return list;
}

Json loop(const Paragraph& p) {
    Json equations = Json::array();
    for (const Equation& e : p.system)
        equations.push_back(
            {{"unknown", plain(e.unknown)}, {"formula", plain(e.formula)}, {"solution", e.solution}});
    return {{"loop", equations}, {"rules", p.equations}, {"sentences", sentences(p)}};
}

Json step(const Paragraph& p, const WorkedSolve& solve) {
    if (p.signal.empty()) return loop(p);
    const WorkedBlock& b = solve.blocks[p.block];
    Json json{{"signal", p.signal},    {"definition", plain(p.definition)},
              {"rules", p.equations},  {"sentences", sentences(p)},
              {"left", b.left},        {"right", b.right},
              {"impulses", b.impulses}};
    if (!p.also.empty()) json["also"] = p.also;
    return json;
}

Json switches(const std::vector<WorkedSwitch>& list) {
    Json json = Json::array();
    for (const WorkedSwitch& s : list) {
        Json comparisons = Json::array();
        for (const WorkedComparison& c : s.comparisons)
            comparisons.push_back(
                {{"text", c.text}, {"holds", c.holds}, {"rung", c.order}, {"value", c.value}});
        json.push_back({{"automaton", s.automaton},
                        {"from", s.from},
                        {"to", s.to},
                        {"when", s.when},
                        {"exchanged", s.exchanged},
                        {"comparisons", comparisons}});
    }
    return json;
}

Json outcomes(const std::vector<Outcome>& list) {
    Json json = Json::object();
    for (const Outcome& o : list)
        json[o.signal] = {{"left", o.left}, {"right", o.right}, {"impulses", o.impulses}};
    return json;
}

void add_graph(Json& json, const WorkedSolve& solve) {
    Json modes = Json::object(), storages = Json::array(), dissipated = Json::object();
    for (const auto& [automaton, state] : solve.mode) modes[automaton] = state;
    json["modes"] = modes;
    json["because"] = switches(solve.because);
    json["left_by"] = switches(solve.left_by);
    json["then"] = switches(solve.then);
    for (const WorkedStorage& s : solve.storages)
        storages.push_back({{"name", s.name},
                            {"state", s.inertia ? "momentum" : "displacement"},
                            {"dependent", s.dependent},
                            {"before", s.before},
                            {"after", s.after},
                            {"energy_before", s.energy_before},
                            {"energy_after", s.energy_after}});
    json["storages"] = storages;
    if (!solve.has_energy) return;
    for (const auto& [name, work] : solve.dissipated) dissipated[name] = work;
    json["energy"] = {{"stored_before", solve.stored_before},
                      {"stored_after", solve.stored_after},
                      {"supplied", solve.supplied},
                      {"dissipated", dissipated}};
}

Json solve(const SolvedLesson& lesson) {
    const WorkedSolve& solve = *lesson.solve;
    Json before = Json::object(), steps = Json::array();
    for (const Before& b : lesson.before) before[b.signal] = b.derivatives;
    for (const Paragraph& p : lesson.paragraphs) steps.push_back(step(p, solve));
    Json json{{"epsilon", solve.epsilon},
              {"index", solve.index},
              {"committed", solve.committed},
              {"causes", solve.causes},
              {"before", before},
              {"steps", steps},
              {"signals", outcomes(lesson.outcomes)},
              {"unchanged", outcomes(lesson.unchanged)},
              {"left_out", lesson.left_out}};
    if (!solve.storages.empty() || !solve.mode.empty()) add_graph(json, solve);
    if (!lesson.slides.empty()) json["sliding"] = lesson.slides;
    if (lesson.refusal) json["refused"] = step(*lesson.refusal, solve);
    return json;
}

}  // namespace

void write_json(const Lesson& lesson, Output& output) {
    Json solves = Json::array(), errors = Json::array();
    for (std::size_t part = 0; part < lesson.instants.size(); ++part)
        for (const SolvedLesson& s : lesson.instants[part].solves) {
            solves.push_back(solve(s));
            solves.back()["part"] = part;
        }
    for (const RunError& error : lesson.explanation->errors)
        errors.push_back({{"code", exit_code(error.kind)}, {"t", error.t}, {"text", error.text}});
    const Json json{{"model", lesson.title},
                    {"t", lesson.explanation->t},
                    {"events", lesson.explanation->events},
                    {"solves", solves},
                    {"errors", errors}};
    output.write(json.dump(2, ' ', false, Json::error_handler_t::replace));
    output.write("\n");
}

}  // namespace deltaflow::report
