// What models can be written with, as data.
#include "blocks/catalogue.hpp"
#include "blocks/function_table.hpp"
#include "blocks/json_text.hpp"
#include "bonds/catalogue.hpp"
#include "bonds/poles.hpp"
#include "report/ask/ask.hpp"

namespace deltaflow::report {

namespace {

using namespace json_text;

template <class P>
std::string parameter(const P& p) {
    return object({{"name", string(p.name)},
                   {"default", string(p.fallback)},
                   {"required", p.fallback.empty() && p.required ? "true" : "false"},
                   {"about", string(p.about)}});
}

std::string port(const Port& p) {
    return object({{"name", string(p.name)}, {"many", p.many ? "true" : "false"}});
}

template <class List, class F>
std::string listed(const List& list, const F& f) {
    std::vector<std::string> items;
    for (const auto& item : list) items.push_back(f(item));
    return array(items);
}

template <class T>
Members heading(const T& type) {
    return {{"type", string(type.type)}, {"about", string(type.about)}, {"rule", string(type.rule)}};
}

std::string block(const BlockType& type) {
    Members all = heading(type);
    all.emplace_back("inputs", listed(type.inputs, port));
    all.emplace_back("parameters", listed(type.parameters, parameter<Parameter>));
    return object(all);
}

std::string element(const bonds::ElementType& type) {
    Members all = heading(type);
    all.emplace_back("inputs", array({}));
    all.emplace_back("parameters", listed(type.parameters, parameter<bonds::ElementParameter>));
    return object(all);
}

std::string pole(const bonds::PoleType& type) {
    Members all = heading(type);
    all.emplace_back("table", string(bonds::table_of(type.domain)));
    all.emplace_back("inputs", array({port({type.ends})}));
    all.emplace_back("parameters",
                     listed(type.parameters, [](const bonds::PoleParameter& p) { return parameter(p.key); }));
    return object(all);
}

}  // namespace

std::string catalogue() {
    return object({{"blocks", listed(deltaflow::catalogue(), block)},
                   {"elements", listed(bonds::elements(), element)},
                   {"functions", listed(function_table(), [](const Function& f) { return string(f.name); })},
                   {"poles", listed(bonds::poles(), pole)}});
}

}  // namespace deltaflow::report
