// Names that were left open while a diagram was lowered.
#include "engine/front/flatten/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

// A slot may lead to another slot (`a = "b"`): follows such chains without recursion, each only once.
class Resolver {
public:
    Resolver(const Templates& templates, const Template& shape, const std::vector<Reference>& references,
             Report& report)
        : templates_(templates),
          shape_(shape),
          references_(references),
          report_(report),
          state_(references.size(), fresh),
          result_(references.size(), broken_signal) {}

    Ref resolve(Ref signal) {
        while (signal.kind == Ref::Kind::slot && signal != broken_signal && state_[signal.index] != done) {
            if (state_[signal.index] == under_way) {
                report_cycle(signal.index);
                signal = broken_signal;
                break;
            }
            state_[signal.index] = under_way;
            path_.push_back(signal.index);
            signal = follow(references_[signal.index]);
        }
        if (signal.kind == Ref::Kind::slot && signal != broken_signal) signal = result_[signal.index];
        for (const std::uint32_t slot : path_) {
            state_[slot] = done;
            result_[slot] = signal;
        }
        path_.clear();
        return signal;
    }

private:
    enum State : std::uint8_t { fresh, under_way, done };

    Ref follow(const Reference& reference) {
        try {
            const bool plain = reference.name.size() == shape_.diagram->blocks[reference.block].name.size();
            if (plain) return find_signal(templates_, shape_, reference.block, report_);
            return find_signal(templates_, shape_, reference.name, report_);
        } catch (const ExpressionError& e) {
            report_.add(*reference.source, at(reference, e));
        } catch (const Reported&) {
        }
        return broken_signal;
    }

    // A name whose indices were computed does not stand in the file letter by letter.
    static ExpressionError at(const Reference& reference, const ExpressionError& e) {
        if (reference.name.size() == reference.length)
            return {reference.offset + e.offset, e.length, e.what()};
        return {reference.offset, reference.length, fmt::format("{} (this is {})", e.what(), reference.name)};
    }

    std::uint32_t block_of(std::uint32_t slot) const { return references_[slot].block; }

    // Begins with the block that comes first in the file.
    void report_cycle(std::uint32_t slot) {
        std::vector<std::uint32_t> cycle(std::find(path_.begin(), path_.end(), slot), path_.end());
        const auto first =
            std::min_element(cycle.begin(), cycle.end(),
                             [this](std::uint32_t a, std::uint32_t b) { return block_of(a) < block_of(b); });
        std::rotate(cycle.begin(), first, cycle.end());
        std::string text;
        for (const std::uint32_t s : cycle) text += fmt::format("{} -> ", references_[s].name);
        const Place& place = shape_.diagram->blocks[block_of(cycle[0])].place;
        report_.add(place, fmt::format("these blocks only repeat each other: {}{}", text,
                                       references_[cycle[0]].name));
    }

    const Templates& templates_;
    const Template& shape_;
    const std::vector<Reference>& references_;
    Report& report_;
    std::vector<State> state_;
    std::vector<Ref> result_;
    std::vector<std::uint32_t> path_;  // the slots of the chain at hand
};

}  // namespace

void find_references(const Templates& templates, const Template& shape,
                     const std::vector<Reference>& references, Report& report) {
    Resolver resolver(templates, shape, references, report);
    for (std::uint32_t slot = 0; slot < references.size(); ++slot) resolver.resolve({Ref::Kind::slot, slot});
}

void resolve(const Templates& templates, Template& shape, const std::vector<Reference>& references,
             const std::vector<std::pair<Ref, double>>& guesses, Report& report) {
    Resolver resolver(templates, shape, references, report);
    for (auto& input : shape.own.inputs) input = resolver.resolve(input);
    for (auto& child : shape.children)
        for (auto& argument : child.arguments) argument = resolver.resolve(argument);
    for (auto& output : shape.outputs) output = resolver.resolve(output);
    for (auto& signal : shape.graph_signals) signal = resolver.resolve(signal);
    for (const auto& [signal, value] : guesses) {
        const Ref resolved = resolver.resolve(signal);
        if (resolved.kind == Ref::Kind::node) shape.own.guesses.emplace_back(resolved.index, value);
    }
    shape.sizes.guesses -= guesses.size() - shape.own.guesses.size();
}

}  // namespace deltaflow::front
