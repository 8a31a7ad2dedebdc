// A model as boxes and lines, before it is laid out: what `show` draws, writes as DOT and prints.
#pragma once

#include "bonds/causality.hpp"
#include "engine/model/model.hpp"
#include "signal/regularity.hpp"

#include <string>
#include <vector>

namespace deltaflow::report::scheme {

enum class Shape : std::uint8_t { block, instance, element, junction, automaton, terminal };

// What stands around a box.
enum class Frame : std::uint8_t { box, circle, triangle };

struct Box {
    Shape shape = Shape::block;
    std::string name;                          // in full: "left.v"
    std::string title;                         // "v", "I: body1", "0/E"
    std::vector<std::string> lines;            // what stands below it, cut to fit
    std::string about;                         // all of it on one line
    std::vector<std::string> inputs, outputs;  // ports that have a place of their own
    std::string order;                         // "3"; "2-5" of a folded instance; "i2" at instants only
    std::uint32_t loop = 0;                    // the algebraic loop that it belongs to, from 1
    bool loop_at_instants = false;             // which exists only there
    std::int32_t group = -1;
    std::string_view symbol = {};   // a sign that people know, as a path of 20 by 10 around its middle
    std::string_view letters = {};  // of a sign: "∫"
    std::string_view drawn = {};    // or the sign as a path, of 28 by 16 around its middle
    Frame frame = Frame::box;
    bool many = false;       // an array
    bool off = false;        // a controlled element that is off in this mode
    bool dependent = false;  // a storage in derivative causality
};

// A signal from one box to another. A port of -1 is the whole side of the box.
struct Link {
    std::uint32_t from = 0, to = 0;
    std::int32_t from_port = -1, to_port = -1;
    std::string signal;  // its name where it is read
    Regularity regularity;
    std::uint32_t loop = 0;
    bool control = false;  // an automaton switches an element: it carries no signal
    bool told = true;      // its regularity is news: what it comes from changes it, and no other line says so
    int sign = 0;          // at a sum: +1 or -1
};

struct BondLine {
    std::uint32_t from = 0, to = 0;
    std::int32_t from_port = -1, to_port = -1;  // of folded instances: the element inside
    std::string name;
    std::string ends;         // "air -> door1.way"
    std::uint64_t count = 1;  // bonds of an array that are drawn as one
    bonds::End effort_by = bonds::End::nobody;
    Regularity effort, flow;
};

// An instance that is drawn open.
struct Group {
    std::string title;
    std::int32_t parent = -1;
};

struct Picture {
    std::string title, mode;
    std::vector<std::string> notes;  // what was left out
    std::vector<Box> boxes;
    std::vector<Link> links;
    std::vector<BondLine> bonds;
    std::vector<Group> groups;
};

struct PictureOptions {
    bool flat = false;        // instances are drawn open
    bool primitives = false;  // instead: the flat diagram
    std::size_t most = 150;   // boxes
};

// Throws ModelError where the model cannot be compiled or has no causality in that mode.
Picture make_picture(const FlatModel& model, const bonds::Mode& mode, const PictureOptions& options);
Picture make_primitives_picture(const FlatModel& model, const bonds::Mode& mode, std::size_t most);

// "smooth", "C1", "jump", "delta", "delta'", "delta^(3)"
std::string regularity_text(Regularity r);

// "loop 2", "loop 3, at instants"
std::string loop_text(const Box& box);

// May it carry an impulse?
bool carries_impulse(const BondLine& bond);
// What stands beside it: "b3", "next (9 times)", "b3, e delta" where its effort may be an impulse.
std::string bond_text(const BondLine& bond);

// The mode that "touch=together,contact=on" asks for: automata by state, controlled elements on or off; all
// else as at the start. Throws std::invalid_argument.
bonds::Mode read_mode(const bonds::Graph& graph, const std::string& text);
std::string mode_text(const bonds::Graph& graph, const bonds::Mode& mode);

std::string listing(const Picture& picture);
enum class Direction : std::uint8_t { rightwards, downwards };
std::string dot_text(const Picture& picture, Direction direction = Direction::rightwards);

}  // namespace deltaflow::report::scheme
