// Finds the templates of a model, from the outside in: parameters, counts and who contains whom.
#include "engine/front/flatten/indices.hpp"
#include "engine/front/flatten/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>

namespace deltaflow::front {
namespace {

// Instances within instances; copying them recurses.
constexpr int deepest_diagrams = 1000;
// Templates that differ; each takes about two kilobytes.
constexpr std::size_t most_templates = 1000000;

// Instances with the same diagram, surroundings and arguments share a template.
struct Key {
    const DiagramDeclaration* diagram;
    const Environment* outer;
    std::vector<Override> overrides;
};

bool same(const Override& a, const Override& b) {
    if (a.parameter != b.parameter || a.value.has_value() != b.value.has_value()) return false;
    if (!a.value) return true;
    return std::bit_cast<std::uint64_t>(a.value->value) == std::bit_cast<std::uint64_t>(b.value->value) &&
           a.value->exact == b.value->exact;
}

struct SameKey {
    bool operator()(const Key& a, const Key& b) const {
        return a.diagram == b.diagram && a.outer == b.outer &&
               std::equal(a.overrides.begin(), a.overrides.end(), b.overrides.begin(), b.overrides.end(),
                          same);
    }
};

struct HashKey {
    std::size_t operator()(const Key& key) const {
        std::size_t hash = std::hash<const void*>()(key.diagram) * 31 + std::hash<const void*>()(key.outer);
        for (const auto& o : key.overrides) {
            hash = hash * 1099511628211u + o.parameter;
            hash = hash * 1099511628211u + std::hash<double>()(o.value ? o.value->value : 0);
        }
        return hash;
    }
};

// Diagrams that contain each other without end, and the order in which to lower the others.
class Containment {
public:
    explicit Containment(Report& report) : report_(report) {}

    // Finds out how many levels of diagrams are inside; reports recursion.
    void visit(const DiagramDeclaration& diagram) {
        if (state_.count(&diagram)) return;
        open(diagram);
        while (!path_.empty()) step();
        if (height(diagram) <= deepest_diagrams) return;
        endless_ = true;
        report_.add(diagram.place, fmt::format("more than {} diagrams within each other", deepest_diagrams));
    }

    int height(const DiagramDeclaration& diagram) const { return state_.at(&diagram).height; }
    bool is_endless() const { return endless_; }

private:
    struct State {
        bool open = true;
        int height = 0;
    };
    struct Stop {
        const DiagramDeclaration* diagram;
        std::size_t next;
    };

    void open(const DiagramDeclaration& diagram) {
        state_[&diagram];
        path_.push_back({&diagram, 0});
    }

    void step() {
        auto& [diagram, next] = path_.back();
        if (next == diagram->blocks.size()) return close();
        const BlockDeclaration& block = diagram->blocks[next++];
        if (!block.diagram) return;
        const auto found = state_.find(block.diagram);
        if (found == state_.end())
            open(*block.diagram);
        else if (found->second.open)
            report_recursion(block);
        else
            raise(*diagram, found->second.height);
    }

    void close() {
        const DiagramDeclaration& diagram = *path_.back().diagram;
        const int height = state_[&diagram].height;
        state_[&diagram].open = false;
        path_.pop_back();
        if (!path_.empty()) raise(*path_.back().diagram, height);
    }

    void raise(const DiagramDeclaration& diagram, int inside) {
        State& state = state_[&diagram];
        state.height = std::max(state.height, inside + 1);
    }

    void report_recursion(const BlockDeclaration& block) {
        endless_ = true;
        const auto is_start = [&](const Stop& stop) { return stop.diagram == block.diagram; };
        std::string cycle;
        for (auto at = std::find_if(path_.begin(), path_.end(), is_start); at != path_.end(); ++at)
            cycle += std::string(at->diagram->name) + " -> ";
        report_.add(block.place,
                    fmt::format("a diagram cannot contain itself: {}{}", cycle, block.diagram->name));
    }

    Report& report_;
    std::unordered_map<const DiagramDeclaration*, State> state_;  // looked up only, never walked through
    std::vector<Stop> path_;
    bool endless_ = false;
};

class Discovery {
public:
    Discovery(const Declarations& all, const Replacements& replaced, Report& report)
        : all_(all), replaced_(replaced), report_(report), containment_(report) {}

    Templates run() {
        for (const auto& file : all_.files) visit_all(file->body);
        if (containment_.is_endless()) return std::move(found_);
        prepare_files();
        found_.list.push_back({});
        found_.list.back().diagram = &all_.files[0]->body;
        found_.list.back().environment = file_environments_[0];
        explore();
        for (const auto& file : all_.files) check_unused(file->body, file_environments_[file->file]);
        if (too_many()) return {};
        sort();
        return std::move(found_);
    }

private:
    void visit_all(const DiagramDeclaration& diagram) {
        containment_.visit(diagram);
        for (const auto& inner : diagram.diagrams) visit_all(*inner);
    }

    // The parameters of a file are seen by its diagrams.
    void prepare_files() {
        for (const auto& file : all_.files) {
            const Replacements& replaced = file->file == 0 ? replaced_ : Replacements();
            found_.environments.push_back(evaluate_parameters(file->body, nullptr, {}, report_, replaced));
            file_environments_.push_back(&found_.environments.back());
            files_[&file->body] = file_environments_.back();
        }
    }

    void explore() {
        for (; explored_ < found_.list.size() && !too_many(); ++explored_) {
            const DiagramDeclaration& diagram = *found_.list[explored_].diagram;
            first_.emplace(&diagram, static_cast<TemplateId>(explored_));
            for (std::uint32_t i = 0; i < diagram.blocks.size(); ++i)
                if (diagram.blocks[i].kind == BlockDeclaration::Kind::instance) add_child(i);
        }
    }

    // Diagrams that pass ever new parameters inwards multiply.
    bool too_many() {
        if (found_.list.size() <= most_templates) return false;
        const Template& last = found_.list.back();
        report_.add(last.first_use ? last.first_use->place : last.diagram->place,
                    fmt::format("more than {} instances with parameters of their own", most_templates));
        return true;
    }

    void add_child(std::uint32_t index) {
        const BlockDeclaration& block = found_.list[explored_].diagram->blocks[index];
        const Environment& here = *found_.list[explored_].environment;
        Child child;
        child.block = index;
        if (block.count) child.count = child.array_size = count_of(block, here);
        if (block.count && counts_i(block, here)) return add_children(child, block, here);
        child.shape = find_template(block, here, {});
        found_.list[explored_].children.push_back(std::move(child));
    }

    // Arguments that speak of i are different in each instance.
    bool counts_i(const BlockDeclaration& block, const Environment& here) const {
        if (here.diagram->names.count(index_name) || find_parameter(here, index_name)) return false;
        const auto& arguments = block.arguments;
        const auto mentions = [](const Formula& formula) { return mentions_index(formula.tree); };
        return std::any_of(arguments.begin(), arguments.end(),
                           [&](const ArgumentDeclaration& a) { return mentions(a.formula); }) ||
               std::any_of(block.inputs.begin(), block.inputs.end(),
                           [&](const auto& port) { return std::any_of(port.begin(), port.end(), mentions); });
    }

    void add_children(Child child, const BlockDeclaration& block, const Environment& here) {
        if (child.array_size > most_templates) {
            report_.add(block.count->place, fmt::format("at most {} instances may differ", most_templates));
            child.array_size = 1;
        }
        child.count = 1;
        for (child.first_index = 0; child.first_index < child.array_size; ++child.first_index) {
            child.shape = find_template(block, here, child.first_index);
            found_.list[explored_].children.push_back(child);
        }
    }

    std::uint64_t count_of(const BlockDeclaration& block, const Environment& here) {
        try {
            return read_count(*block.count, here, report_);
        } catch (const Reported&) {
            return 1;
        }
    }

    TemplateId find_template(const BlockDeclaration& block, const Environment& here,
                             std::optional<std::uint64_t> i) {
        Key key{block.diagram, surroundings(*block.diagram, here), {}};
        for (const auto& argument : block.arguments)
            key.overrides.push_back({argument.parameter, override_value(argument, here, i)});
        const auto found = known_.find(key);
        if (found != known_.end()) return found->second;
        const TemplateId id = add_template(key, &block);
        known_.emplace(std::move(key), id);
        return id;
    }

    std::optional<Number> override_value(const ArgumentDeclaration& argument, const Environment& here,
                                         std::optional<std::uint64_t> i) {
        try {
            return evaluate(argument.formula, here, report_, i);
        } catch (const Reported&) {
            return {};
        }
    }

    // The environment of the diagram, or file, in which `diagram` was written.
    const Environment* surroundings(const DiagramDeclaration& diagram, const Environment& here) const {
        for (const Environment* level = &here; level; level = level->outer)
            if (level->diagram == diagram.owner) return level;
        return files_.at(diagram.owner);
    }

    TemplateId add_template(const Key& key, const BlockDeclaration* first_use) {
        found_.environments.push_back(evaluate_parameters(*key.diagram, key.outer, key.overrides, report_));
        Template fresh;
        fresh.diagram = key.diagram;
        fresh.environment = &found_.environments.back();
        fresh.first_use = first_use;
        found_.list.push_back(std::move(fresh));
        return static_cast<TemplateId>(found_.list.size() - 1);
    }

    // A diagram that nobody uses is tried with its defaults, so that its mistakes are found, too.
    void check_unused(const DiagramDeclaration& owner, const Environment* here) {
        for (const auto& diagram : owner.diagrams) {
            if (too_many()) return;
            if (!first_.count(diagram.get())) {
                add_template({diagram.get(), here, {}}, nullptr);
                explore();
            }
            check_unused(*diagram, found_.list[first_.at(diagram.get())].environment);
        }
    }

    void sort() {
        found_.order.resize(found_.list.size());
        for (TemplateId i = 0; i < found_.order.size(); ++i) found_.order[i] = i;
        const auto height = [&](TemplateId i) { return containment_.height(*found_.list[i].diagram); };
        std::stable_sort(found_.order.begin(), found_.order.end(),
                         [&](TemplateId a, TemplateId b) { return height(a) < height(b); });
    }

    const Declarations& all_;
    const Replacements& replaced_;
    Report& report_;
    Containment containment_;
    Templates found_;
    std::size_t explored_ = 0;
    std::vector<const Environment*> file_environments_;
    std::unordered_map<const DiagramDeclaration*, const Environment*> files_;
    std::unordered_map<const DiagramDeclaration*, TemplateId> first_;
    std::unordered_map<Key, TemplateId, HashKey, SameKey> known_;
};

}  // namespace

Templates discover(const Declarations& all, const Replacements& replaced, Report& report) {
    return Discovery(all, replaced, report).run();
}

}  // namespace deltaflow::front
