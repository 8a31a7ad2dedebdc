// Networks of two-poles to elements, junctions and bonds.
//
// A node is a 0-junction, a point a 1-junction, and what stands between two of them hangs on a junction of
// the other kind. Ground has no junction: what stands between it and a node hangs on the node. Names with a
// colon are of what nobody wrote: "r:1" is the junction of r, "r:p" its bond at p, "r:r" the one that leads
// to r.
#include "engine/front/read/network.hpp"

#include "blocks/spelling.hpp"
#include "engine/front/read/network_coils.hpp"
#include "engine/front/read/network_nodes.hpp"
#include "engine/front/read/network_values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

using bonds::Domain;

class Network {
public:
    Network(DiagramDeclaration& diagram, Domain domain, std::vector<PoleDraft> drafts, Report& report)
        : diagram_(diagram),
          domain_(domain),
          drafts_(std::move(drafts)),
          report_(report),
          nodes_(drafts_, diagram_.is_joined) {}

    void declare() {
        place_points();
        for (const auto& node : nodes_.list()) declare_node(node);
        if (is_circuit() && !diagram_.is_joined) check_spelling();  // else it may be a port
        for (const auto* pair : nodes_.pairs()) declare_pair(*pair);
        declare_coils();
        for (const auto& draft : drafts_)
            if (!draft.has_coils() && !is_coupled(draft)) declare_pole(draft);
        if (!diagram_.is_joined) hold_floating();
    }

private:
    bool is_circuit() const { return domain_ == Domain::circuit; }

    // Adds a member with this value; `made`: nobody wrote it.
    BlockDeclaration& add(std::string name, const Place& place, Value value, Role role, bool made = true) {
        diagram_.made.push_back({std::move(name), place, std::move(value)});
        const bool free = declare_member(diagram_, diagram_.made.back(), role, made, report_);
        BlockDeclaration& block = diagram_.blocks.back();
        if (!free) block.value = nullptr;  // it stays broken, and nothing else is said of it
        return block;
    }

    void add_bond(std::string name, const Place& place, std::string_view from, std::string_view to) {
        add(std::move(name), place, string_value(fmt::format("{} -> {}", from, to), place), Role::bond);
    }

    void add_element(std::string name, const Place& place, std::string_view type) {
        add(std::move(name), place, typed_table(type, place), Role::element);
    }

    // A signal by another name, plus or minus.
    void add_reading(BlockDeclaration& block, std::string_view name, const std::string& signal,
                     bool negative = false) {
        Expression tree = named(signal);
        if (negative) tree = operation("neg", std::move(tree));
        add_reading(block, name, std::move(tree));
    }

    void add_reading(BlockDeclaration& block, std::string_view name, Expression tree) {
        diagram_.made.push_back({"", block.place, string_value(tree.text, block.place)});
        block.readings.push_back({name, {&diagram_.made.back().value, std::move(tree)}});
    }

    // Nodes and points
    void place_points() {
        for (const auto& draft : drafts_) {
            const Value* position = draft.type ? draft.find("position") : nullptr;
            Nodes::Node* node = position ? nodes_.find(draft.ends[1].name) : nullptr;
            if (!node) continue;
            if (!node->position) node->position = position;
            if (node->position->is_number() && position->is_number() &&
                node->position->real != position->real)
                report_.add(position->place,
                            fmt::format("\"{}\" begins at {} already", node->end.name, node->position->real));
        }
    }

    void declare_node(const Nodes::Node& node) {
        const auto& [name, place] = node.end;
        BlockDeclaration& block =
            add(std::string(name), place, typed_table(is_circuit() ? "0" : "1", place), Role::element, false);
        if (!block.value) return;
        block.network = BlockDeclaration::Network::node;
        if (is_circuit()) return add_reading(block, "voltage", absolute(node, "effort", "voltage"));
        add_reading(block, "position", position_of(name));
        add_reading(block, "velocity", absolute(node, "flow", "velocity"));
        Value integral = typed_table("integrator", place);
        put(integral, "in", string_value(fmt::format("{}.velocity", name), place));
        if (node.position) put(integral, "initial", *node.position);
        add(position_of(name), place, std::move(integral), Role::block);
    }

    void declare_pair(const Nodes::Pair& pair) {
        const Place& place = pair.a.place;
        const std::string junction = fmt::format("{}:{}", pair.name, is_circuit() ? "1" : "0");
        add_element(pair.name, place, is_circuit() ? "0" : "1");
        add_element(junction, place, is_circuit() ? "1" : "0");
        add_bond(pair.name + ":a", place, pair.a.name, junction);
        add_bond(pair.name + ":b", place, junction, pair.b.name);
        add_bond(fmt::format("{0}:{0}", pair.name), place, junction, pair.name);
    }

    // Relative to ground, or to the mean of those that are not joined to it.
    static Expression absolute(const Nodes::Node& node, std::string_view own, std::string_view reading) {
        Expression signal = named(fmt::format("{}.{}", node.end.name, own));
        if (!node.reference) return signal;
        return operation("+", std::move(signal),
                         named(fmt::format("{}.{}", node.reference->end.name, reading)));
    }

    // A node with one two-pole whose name is near to another one's is a slip; numbers tell names apart.
    void check_spelling() {
        std::vector<std::string_view> known;
        for (const auto& node : nodes_.list())
            if (node.uses > 1) known.push_back(node.end.name);
        known.push_back(ground);
        const auto letters = [](std::string name) {
            name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }),
                       name.end());
            return name;
        };
        for (const auto& node : nodes_.list()) {
            const End& end = node.end;
            const bool single = node.uses == 1 && end.name.size() > 2;
            const std::string near = single ? nearest_name(end.name, known) : "";
            if (!near.empty() && letters(near) != letters(std::string(end.name)))
                report_.add(end.place,
                            fmt::format("nothing else is at \"{}\"; did you mean \"{}\"?", end.name, near));
        }
    }

    static std::string position_of(std::string_view point) { return fmt::format("{}:position", point); }

    // Of nodes that nothing joins to ground the first is given no voltage, and all are told relative to their
    // mean; of such points the first does not move.
    void hold_floating() {
        for (const auto& node : nodes_.list()) {
            if (!node.floats) continue;
            const auto& [name, place] = node.end;
            const std::string zero = fmt::format("{}:0", name), mean = fmt::format("{}:mean", name);
            Value source = typed_table(is_circuit() ? "Se" : "Sf", place);
            put(source, is_circuit() ? "effort" : "flow", string_value("0", place));
            add(zero, place, std::move(source), Role::element);
            add_bond(fmt::format("{0}:{0}", name), place, zero, name);
            if (!is_circuit()) continue;
            add(mean, place, string_value(mean_of(node), place), Role::block);
            set_mean(name, mean);
        }
    }

    static std::string mean_of(const Nodes::Node& first) {
        std::vector<std::pair<std::string_view, std::size_t>> counted;
        for (const auto& [node, count] : first.depending) counted.emplace_back(node->end.name, count);
        std::sort(counted.begin(), counted.end());
        std::string sum;
        for (const auto& [name, count] : counted)
            sum += fmt::format("{}{}*{}.effort", sum.empty() ? "" : " + ", count, name);
        return fmt::format("({}) / {}", sum, counted.size());
    }

    void set_mean(std::string_view node, const std::string& mean) {
        const auto found = diagram_.names.find(node);
        if (found->second.kind != Symbol::Kind::block) return;  // reported already
        auto& readings = diagram_.blocks[found->second.index].readings;
        Expression tree = operation("-", named(fmt::format("{}.effort", node)), named(mean));
        if (!readings.empty()) readings[0].formula.tree = std::move(tree);
    }

    // Two-poles
    void declare_pole(const PoleDraft& draft) {
        const bool instance = !draft.type;
        Value value = !draft.good ? Value()
                      : instance  ? without(draft.entry->value, joining_key(domain_))
                                  : element_value(draft);
        const std::string name(draft.name());
        BlockDeclaration& block = add(name, draft.entry->place, std::move(value), Role::element, false);
        block.network = BlockDeclaration::Network::pole;
        if (!draft.good) block.value = nullptr;
        if (!block.value) return;
        if (instance) return join_instance(draft);
        add_readings(draft, block);
        if (draft.type->element == "TF") return connect_transformer(draft);
        connect(draft, draft.ends, "", fmt::format("{0}:{0}", name));
        if (const Value* closed = draft.find("closed"))
            add(name, draft.entry->place, gate(*closed, draft.entry->place), Role::automaton, false).made =
                true;
    }

    // Coils that share their flux are 0-junctions before the ports of a field.
    void declare_coils() {
        groups_ = coil_groups(drafts_, report_);
        for (const CoilGroup& group : groups_) {
            const Place& place = group.coils[0]->entry->place;
            add(group.name, place, group.field, Role::element);
            for (std::size_t k = 0; k < group.coils.size(); ++k) {
                const PoleDraft& coil = *group.coils[k];
                const std::string name(coil.name()), port = fmt::format("{}[{}]", group.name, k);
                BlockDeclaration& block =
                    add(name, coil.entry->place, typed_table("0", place), Role::element, false);
                block.network = BlockDeclaration::Network::pole;
                if (!block.value) continue;
                add_reading(block, "voltage", name + ".effort");
                for (const std::string_view signal : {"current", "flow"})
                    add_reading(block, signal, port + ".flow");
                add_reading(block, "momentum", port + ".momentum");
                connect(coil, coil.ends, "", fmt::format("{0}:{0}", name));
                add_bond(name + ":flux", place, name, port);
            }
        }
    }

    bool is_coupled(const PoleDraft& draft) const {
        return std::any_of(groups_.begin(), groups_.end(), [&](const CoilGroup& group) {
            return std::count(group.coils.begin(), group.coils.end(), &draft) > 0;
        });
    }

    Value element_value(const PoleDraft& draft) {
        Value value = typed_table(element_type(draft), draft.entry->place);
        forward(draft, value);
        const auto start = [&](const End& end) {
            const Nodes::Node* node = nodes_.find(end.name);
            return text_of(node ? node->position : nullptr, "");
        };
        const bool apart = !is_circuit() && draft.type->ends == "between";
        work_out(draft, apart ? difference_of(start(draft.ends[0]), start(draft.ends[1])) : "", value);
        return value;
    }

    void add_readings(const PoleDraft& draft, BlockDeclaration& block) {
        const std::string name(draft.name());
        const std::string port = draft.type->element == "TF" ? fmt::format("{0}:{0}", name) : name;
        for (const std::string_view signal : draft.type->signals) {
            if (signal == "position")
                add_reading(block, signal, position_of(draft.ends[1].name));
            else if (signal == "voltage" || signal == "force")
                add_reading(block, signal, port + ".effort");
            else
                add_reading(block, signal, port + ".flow", signal == "current" && is_source(draft));
        }
    }

    static bool is_source(const PoleDraft& draft) {
        return draft.type->element == "MSe" || draft.type->element == "MSf";
    }

    // Power comes from `in` and goes to `out`, through the junction; a source gives, others take.
    struct Way {
        End in, out;
        bool gives = false;
    };

    Way way_of(const PoleDraft& draft, const Ends& given) const {
        const Ends ends = nodes_.relative(given);
        const bool gives = is_source(draft);
        const std::string_view type = draft.type->type;
        const bool backward = is_circuit() ? gives : type == "contact" || type == "mass";
        return backward ? Way{ends[1], ends[0], gives} : Way{ends[0], ends[1], gives};
    }

    void connect(const PoleDraft& draft, const Ends& ends, std::string_view side, const std::string& port) {
        connect(draft, way_of(draft, ends), side, port);
    }

    // Where an end is ground the element hangs on the other one. In a circuit that is so only where this
    // leaves its effort as it is: the bond's.
    void connect(const PoleDraft& draft, const Way& way, std::string_view side, const std::string& port) {
        const std::string name(draft.name());
        const Place& place = draft.entry->place;
        const bool from_ground = way.in.is_ground(), to_ground = way.out.is_ground();
        const bool hangs = is_circuit() ? (way.gives ? from_ground : to_ground) : from_ground || to_ground;
        if (hangs && to_ground) return add_bond(port, place, way.in.name, name);
        if (hangs) return add_bond(port, place, name, way.out.name);
        const std::string junction = fmt::format("{}:{}{}", name, side, is_circuit() ? "1" : "0");
        add_element(junction, place, is_circuit() ? "1" : "0");
        if (!from_ground)
            add_bond(fmt::format("{}:{}{}", name, side, way.in.name), place, way.in.name, junction);
        if (!to_ground)
            add_bond(fmt::format("{}:{}{}", name, side, way.out.name), place, junction, way.out.name);
        add_bond(port, place, way.gives ? name : junction, way.gives ? junction : name);
    }

    void connect_transformer(const PoleDraft& draft) {
        const std::string name(draft.name());
        const Ends first = nodes_.relative(draft.ends), second = nodes_.relative(draft.secondary);
        connect(draft, Way{first[0], first[1], false}, "", fmt::format("{0}:{0}", name));
        connect(draft, Way{second[1], second[0], true}, ":", fmt::format("{0}::{0}", name));
    }

    // The nodes of an instance and those outside are the same.
    void join_instance(const PoleDraft& draft) {
        for (const auto& [inner, end] : draft.joined) {
            const std::string bond = fmt::format("{}:{}", draft.name(), inner);
            const std::string inside = fmt::format("{}.{}", draft.name(), inner);
            if (!end.is_ground()) {
                add_bond(bond, end.place, end.name, inside);
                continue;
            }
            Value source = typed_table(is_circuit() ? "Se" : "Sf", end.place);
            put(source, is_circuit() ? "effort" : "flow", string_value("0", end.place));
            add(bond + ":0", end.place, std::move(source), Role::element);
            add_bond(bond, end.place, bond + ":0", inside);
        }
    }

    DiagramDeclaration& diagram_;
    const Domain domain_;
    const std::vector<PoleDraft> drafts_;
    Report& report_;
    Nodes nodes_;
    std::vector<CoilGroup> groups_;
};

}  // namespace

void declare_network(DiagramDeclaration& diagram, const Entry& table, Domain domain, Report& report) {
    Network(diagram, domain, read_poles(table.value, domain, report), report).declare();
}

}  // namespace deltaflow::front
