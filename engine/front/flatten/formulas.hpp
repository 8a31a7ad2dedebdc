// Formulas of a diagram: expressions of its signals and parameters become primitive blocks.
#pragma once

#include "engine/front/flatten/resolve.hpp"

#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace deltaflow::front {

class Formulas {
public:
    Formulas(Template& shape, Report& report);
    Formulas(const Formulas&) = delete;
    Formulas& operator=(const Formulas&) = delete;

    // The signal that a formula gives. Reports errors and throws Reported.
    Ref signal(const Formula& formula);
    // The same where one name means a signal of its own: the f of e = law(f).
    Ref signal(const Formula& formula, std::string_view variable, Ref value);
    struct Variable {
        std::string_view name;
        Ref value;
    };
    Ref signal(const Formula& formula, std::vector<Variable> variables);
    // The condition that it is, where one is read.
    Condition condition(const Formula& formula);
    // Left side minus right side of a comparison in a guard.
    Ref difference(const Formula& guard, const Expression& comparison);

    // From here on i is this number, or nothing.
    void set_index(std::optional<std::uint64_t> i) { i_ = i; }

    // The first name in a formula that is no number, if there is one.
    const Expression* first_signal(const Expression& tree) const;

    Builder& builder() { return builder_; }
    // Names that wait for `resolve`.
    const std::vector<Reference>& references() const { return references_; }
    // For errors that may be there in one instance and not in another.
    std::vector<std::string> where() const;

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    template <class Lower>
    auto lower(const Formula& formula, const Lower& lower);
    const Expression& whole(const Expression& e);
    Meaning look_up(const Expression& name);
    std::uint32_t slot(std::uint32_t block, const Expression& name, bool plain);
    std::string_view closed(const Expression& name);
    Meaning unknown(const Expression& name, std::string_view first);
    std::string way_out(std::string_view name) const;
    std::vector<std::string_view> visible_names() const;

    const Template& shape_;
    Report& report_;
    Builder builder_;
    Scope scope_;
    const Formula* formula_ = nullptr;  // the one that is being lowered
    std::vector<Variable> variables_;
    std::optional<std::uint64_t> i_;
    std::unordered_set<std::string> closed_;  // names with their indices as numbers; addresses stay
    std::deque<Expression> spread_;           // expressions in which [*] has become numbers
    std::vector<std::uint32_t> slot_of_block_;
    std::unordered_map<std::string_view, std::uint32_t> slot_of_name_;
    std::vector<Reference> references_;
};

}  // namespace deltaflow::front
