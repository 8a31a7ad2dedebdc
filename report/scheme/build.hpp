// Builds the picture of a model from its outline, its order and its bond graph.
#pragma once

#include "engine/front/outline.hpp"
#include "engine/order.hpp"
#include "report/scheme/scheme.hpp"

#include <map>

namespace deltaflow::report::scheme {

// Text in lines of at most `width` letters, broken at blanks where it can be; too many lines end in "...".
std::vector<std::string> wrapped(const std::string& text, std::size_t width, std::size_t most);

inline std::string joined(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
}

class PictureBuilder {
public:
    PictureBuilder(const FlatModel& model, const bonds::Mode& mode, const PictureOptions& options);
    Picture build();

private:
    // Where a name leads: a box, and what is left of the name inside it.
    struct Found {
        std::int32_t box = -1;
        std::string rest;
    };
    // An instance that is drawn open.
    struct Opened {
        bool first_only = false;  // of an array
        std::string sole_output;
    };
    // What is known of the place of a box in the order of evaluation.
    struct Numbers {
        std::uint32_t first = 0, last = 0, instant = 0;
        std::vector<NodeId> nodes = {};  // what it computes, or hands on under its own name
    };

    // A line seen from one of its ends, a box that only hands on what it gets: does it bring that, or take it
    // away?
    struct Passage {
        std::size_t box, other;
        bool brings, takes;
    };

    // Boxes (scheme_build.cpp).
    void add_diagram(const OutlineDiagram& diagram, std::int32_t group);
    void add_part(const OutlinePart& part, const std::string& path, std::int32_t group);
    void add_folded(const OutlinePart& part, const std::string& name, std::int32_t group);
    void add_opened(const OutlinePart& part, const std::string& name, std::int32_t group);
    void add_terminals(const OutlinePart& part, const OutlineDiagram& copy, std::int32_t group);
    std::int32_t add_box(Box box);
    void add_number(NodeId node, Numbers& numbers) const;
    void number_boxes();

    // Links (scheme_links.cpp).
    void link_diagram(const OutlineDiagram& diagram);
    void link_part(const OutlinePart& part, const std::string& path);
    void link_instance(const OutlinePart& part, const std::string& path);
    void add_link(const OutlineRead& read, const std::string& path, std::int32_t to, std::int32_t port,
                  int sign = 0);
    void tell_regularity();
    std::int32_t output_port(Box& box, const std::string& name) const;
    std::int32_t bond_port(std::int32_t box, const std::string& inside, bool input);
    Found find(const std::string& name);
    Found find_other(const std::string& name);
    std::int32_t total_box();

    // Algebraic loops (scheme_loops.cpp).
    void find_loops();
    void mark_loop(const std::vector<NodeId>& loop, bool at_instants);
    std::string maker_of(const std::string& signal) const;
    void add_bond_passages(std::vector<Passage>& all);
    void add_link_passages(std::vector<Passage>& all) const;
    void join_loop(std::uint32_t loop, const std::vector<Passage>& passages);

    // The bond graph (scheme_bonds.cpp).
    void describe_element(Box& box);
    void describe_field(Box& box) const;
    void describe_automaton(Box& box) const;
    bool is_told_by_element(const std::string& automaton);
    void describe_states(Box& instance) const;
    void add_bonds();
    void add_bond(const bonds::Bond& bond, bonds::End effort_by);
    bool is_drawn(const std::string& name) const;
    void add_controls();
    void drop_lone_automata();

    const FlatModel& model_;
    const bonds::Mode& mode_;
    const PictureOptions& options_;
    Order order_;
    Picture picture_;
    std::vector<Numbers> numbers_;               // per box
    std::map<std::string, std::int32_t> boxes_;  // by name
    std::map<std::string, std::int32_t> folded_;
    std::map<std::string, Opened> opened_;
    std::map<std::string, std::uint32_t> elements_, bonds_, automata_;
    std::map<std::pair<std::string, std::pair<std::uint32_t, std::uint32_t>>, std::size_t> bond_lines_;
    std::uint64_t left_out_ = 0;
    std::uint32_t loops_ = 0;
};

}  // namespace deltaflow::report::scheme
