#include "engine/front/read/network_coils.hpp"

#include "engine/front/read/network_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace deltaflow::front {
namespace {

bool is_inductor(const PoleDraft& draft) { return draft.type && draft.type->type == "inductor"; }

class Coils {
public:
    Coils(const std::vector<PoleDraft>& drafts, Report& report) : report_(report) {
        for (const auto& draft : drafts)
            if (is_inductor(draft)) coils_.push_back(&draft);
        group_.resize(coils_.size());
        std::iota(group_.begin(), group_.end(), 0);
        for (const auto& draft : drafts)
            if (draft.good && draft.has_coils()) couple(draft);
    }

    std::vector<CoilGroup> groups() {
        std::vector<CoilGroup> result;
        if (mutual_.empty()) return result;
        for (std::size_t g = 0; g < coils_.size(); ++g) {
            std::vector<std::size_t> members;
            for (std::size_t i = g; i < coils_.size(); ++i)
                if (root(i) == g && coils_[i]->good) members.push_back(i);
            if (members.size() > 1) result.push_back(made_of(members));
        }
        return result;
    }

private:
    // The group of the first one.
    std::size_t root(std::size_t i) const {
        while (group_[i] != i) i = group_[i];
        return i;
    }

    void couple(const PoleDraft& draft) {
        const auto a = find(draft.coils[0]), b = find(draft.coils[1]);
        if (a == coils_.size() || b == coils_.size()) return;
        const std::size_t i = root(a), j = root(b);
        group_[std::max(i, j)] = std::min(i, j);
        const std::string l = fmt::format("{}*{}", inductance(a), inductance(b));
        const Value* mutual = draft.find("mutual");
        std::string text =
            mutual ? text_of(mutual, "") : fmt::format("{}*sqrt({})", text_of(draft.find("value"), ""), l);
        if (!mutual_.emplace(std::minmax(a, b), std::move(text)).second)
            report_.add(draft.entry->place, fmt::format("\"{}\" and \"{}\" are coupled already",
                                                        draft.coils[0].name, draft.coils[1].name));
    }

    std::size_t find(const End& name) {
        const auto found = std::find_if(coils_.begin(), coils_.end(),
                                        [&](const PoleDraft* coil) { return coil->name() == name.name; });
        if (found == coils_.end()) {
            std::vector<std::string_view> known;
            for (const auto* coil : coils_) known.push_back(coil->name());
            report_.add(name.place, fmt::format("there is no inductor \"{}\" in this circuit{}", name.name,
                                                report_.hint(name.name, known)));
        }
        return static_cast<std::size_t>(found - coils_.begin());
    }

    std::string inductance(std::size_t i) const { return text_of(coils_[i]->find("value"), "0"); }
    std::string entry(std::size_t i, std::size_t j) const {
        if (i == j) return inductance(i);
        const auto found = mutual_.find(std::minmax(i, j));
        return found == mutual_.end() ? "0" : found->second;
    }

    CoilGroup made_of(const std::vector<std::size_t>& members) const {
        CoilGroup group;
        const Place& place = coils_[members[0]]->entry->place;
        Value matrix = list(place), momentum = list(place);
        for (const std::size_t i : members) {
            group.coils.push_back(coils_[i]);
            group.name += fmt::format("{}{}", group.name.empty() ? "" : ":", coils_[i]->name());
            Value row = list(coils_[i]->entry->place);
            std::string flux = "0";
            for (const std::size_t j : members) {
                row.items.push_back(string_value(entry(i, j), row.place));
                if (const Value* initial = coils_[j]->find("initial"))
                    flux += fmt::format(" + {}*{}", entry(i, j), text_of(initial, ""));
            }
            matrix.items.push_back(std::move(row));
            momentum.items.push_back(string_value(std::move(flux), place));
        }
        group.field = typed_table("I", place);
        put(group.field, "value", std::move(matrix));
        put(group.field, "momentum", std::move(momentum));
        return group;
    }

    static Value list(const Place& place) {
        Value value;
        value.kind = Value::Kind::array;
        value.place = place;
        return value;
    }

    Report& report_;
    std::vector<const PoleDraft*> coils_;
    std::vector<std::size_t> group_;
    std::map<std::pair<std::size_t, std::size_t>, std::string> mutual_;
};

}  // namespace

std::vector<CoilGroup> coil_groups(const std::vector<PoleDraft>& drafts, Report& report) {
    return Coils(drafts, report).groups();
}

}  // namespace deltaflow::front
