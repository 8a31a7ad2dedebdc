// `show`: what is drawn is what the model says and the engine sorts.
#include "bonds/causality.hpp"
#include "engine/model/model.hpp"
#include "tests/app/program.hpp"
#include "tests/paths.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>
#include <regex>
#include <set>

using namespace deltaflow;
using Catch::Matchers::Contains;

namespace {

const std::string root = test::project_folder();

// A graph in the language of Graphviz, read back.
struct Edge {
    std::string from, to, attributes;
    bool has(const std::string& text) const { return attributes.find(text) != std::string::npos; }
    std::string value(const std::string& key) const {
        std::smatch found;
        const std::regex pattern(key + "=(\"([^\"]*)\"|[^,\\]]*)");
        if (!std::regex_search(attributes, found, pattern)) return "";
        return found[2].matched ? found[2].str() : found[1].str();
    }
};
struct Graph {
    std::map<std::string, std::string> boxes;  // name -> attributes
    std::vector<Edge> edges;

    // The edges with their ends, as "a -> b".
    std::multiset<std::string> links() const {
        std::multiset<std::string> all;
        for (const Edge& edge : edges) all.insert(edge.from + " -> " + edge.to);
        return all;
    }
    const Edge& labelled(const std::string& label) const {
        for (const Edge& edge : edges)
            if (edge.value("label") == label) return edge;
        throw std::runtime_error("no edge " + label);
    }
};

// Names of boxes come from their tooltips: "v: integrator".
Graph read_graph(const std::string& text) {
    static const std::regex node(R"re((n\d+) \[(label=.*tooltip="([^:"]*).*)\];)re");
    static const std::regex edge(R"re((n\d+)\S* -> (n\d+)\S* \[(.*)\];)re");
    Graph graph;
    std::map<std::string, std::string> names;
    std::istringstream lines(text);
    std::smatch found;
    for (std::string line; std::getline(lines, line);)
        if (std::regex_match(line, found, edge))
            graph.edges.push_back({names.at(found[1]), names.at(found[2]), found[3]});
        else if (std::regex_match(line, found, node)) {
            names[found[1]] = found[3];
            graph.boxes[found[3]] = found[2];
        }
    return graph;
}

Graph shown(const std::string& arguments) {
    const Result result = Workplace().deltaflow("show " + arguments + " --dot -");
    INFO(result.err);
    REQUIRE(result.code == 0);
    return read_graph(result.out);
}

Graph shown_text(const std::string& model, const std::string& options = "") {
    const Workplace place;
    place.write("model.toml", model);
    const Result result = place.deltaflow("show model.toml --dot - " + options);
    INFO(result.err);
    REQUIRE(result.code == 0);
    return read_graph(result.out);
}

std::string shipped(const std::string& name) { return root + "/diagrams/" + name + ".toml"; }

// The number in "(3) v" at the head of a label.
int order_of(const Graph& graph, const std::string& name) {
    std::smatch found;
    REQUIRE(graph.boxes.count(name) == 1);
    REQUIRE(std::regex_search(graph.boxes.at(name), found, std::regex(R"(label="\((\d+)\))")));
    return std::stoi(found[1]);
}

// Tags are nested and closed, and nothing stands bare that must not.
bool is_well_formed(const std::string& xml) {
    static const std::regex tag(R"re(<(/?)([a-z]+)((?: [A-Za-z0-9:_-]+="[^"<]*")*) ?(/?)>)re");
    static const std::regex entity("&(amp|lt|gt|quot|#[0-9]+);");
    std::vector<std::string> open;
    std::size_t at = 0;
    while (at < xml.size()) {
        std::smatch found;
        const std::string rest = xml.substr(at, 4000);
        if (rest.rfind("<!--", 0) == 0) {
            at = xml.find("-->", at) + 3;
        } else if (rest.rfind("<style>", 0) == 0) {  // its text is no markup
            at = xml.find("</style>", at) + 8;
        } else if (rest[0] == '<') {
            if (!std::regex_search(rest, found, tag, std::regex_constants::match_continuous)) return false;
            if (found[1].length() > 0) {
                if (open.empty() || open.back() != found[2]) return false;
                open.pop_back();
            } else if (found[4].length() == 0) {
                open.push_back(found[2]);
            }
            at += static_cast<std::size_t>(found.length());
        } else if (rest[0] == '&') {
            if (!std::regex_search(rest, found, entity, std::regex_constants::match_continuous)) return false;
            at += static_cast<std::size_t>(found.length());
        } else {
            if (static_cast<unsigned char>(rest[0]) < 0x20 && rest[0] != '\n') return false;
            ++at;
        }
    }
    return open.empty();
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

}  // namespace

TEST_CASE("each link is drawn once, from the block that is read to the block that reads", "[app][show]") {
    const Graph graph = shown(shipped("bouncing_ball"));
    CHECK(graph.links() ==
          std::multiset<std::string>{"F -> a", "v -> F", "hit -> F", "y -> hit", "a -> v", "v -> y"});
    CHECK(shown_text("[blocks]\na = \"t\"\nb = \"a*a + a\"\n").links() ==
          std::multiset<std::string>{"a -> b"});
}

TEST_CASE("links tell their regularity, and those that may carry impulses stand out", "[app][show]") {
    const Graph graph = shown(shipped("delta_chain"));
    const std::map<std::string, std::string> labels{{"S", "jump"},      {"S1", "delta"},     {"S2", "delta'"},
                                                    {"S3", "delta''"},  {"S4", "delta^(3)"}, {"R1", "delta"},
                                                    {"S5", "delta^(4)"}};
    for (const Edge& edge : graph.edges) {
        CAPTURE(edge.from);
        if (labels.count(edge.from) > 0) CHECK(edge.value("label") == labels.at(edge.from));
        const bool impulsive = edge.value("label").rfind("delta", 0) == 0;
        CHECK(edge.has("penwidth=2.4") == impulsive);
    }
}

TEST_CASE("blocks are numbered so that what is read comes first", "[app][show]") {
    const Graph graph = shown_text(
        "[blocks]\nz = \"w + u\"\nw = \"2*u\"\nu = \"sin(t)\"\nx = { type = \"integrator\", in = \"z\" }\n");
    CHECK(order_of(graph, "u") < order_of(graph, "w"));
    CHECK(order_of(graph, "w") < order_of(graph, "z"));
}

TEST_CASE("blocks of an algebraic loop are marked and share a number, others are not", "[app][show]") {
    const Graph graph = shown(shipped("algebraic_loop_with_impulse"));
    for (const auto& [name, attributes] : graph.boxes) {
        CAPTURE(name);
        const bool first = name == "x" || name == "y";
        CHECK((attributes.find("loop 1") != std::string::npos) == first);
        CHECK((attributes.find("loop 2") != std::string::npos) == (name == "z"));
        CHECK((attributes.find("peripheries=2") != std::string::npos) == (first || name == "z"));
    }
    CHECK(order_of(graph, "x") == order_of(graph, "y"));
}

TEST_CASE("an instance is one box with its ports; --flat opens it", "[app][show]") {
    const std::string model = R"(
[diagrams.oscillator]
inputs  = ["force"]
outputs = ["x"]
parameters = { k = 1.0 }
[diagrams.oscillator.blocks]
v = { type = "integrator", in = "acc" }
x = { type = "integrator", in = "v", initial = 1 }
acc = "force - k*x"
[blocks]
push = { type = "step", at = 1 }
left = { type = "oscillator", force = "push - out", k = 4.0 }
out  = "left.x + left.v"
)";
    const Graph folded = shown_text(model);
    CHECK(folded.links() ==
          std::multiset<std::string>{"push -> left", "out -> left", "left -> out", "left -> out"});
    CHECK_THAT(folded.boxes.at("left"), Contains(">force<") && Contains(">x<") && Contains(">v<"));
    const Graph flat = shown_text(model, "--flat");
    CHECK(flat.boxes.count("left") == 0);
    CHECK(flat.links() == std::multiset<std::string>{"push -> left.force", "out -> left.force",
                                                     "left.force -> left.acc", "left.x -> left.acc",
                                                     "left.acc -> left.v", "left.v -> left.x",
                                                     "left.x -> out", "left.v -> out"});
}

TEST_CASE("arrays are one box with a count, or one open instance if they are large", "[app][show]") {
    const Graph folded = shown(shipped("thousand_balls"));
    REQUIRE(folded.boxes.size() == 1);
    CHECK_THAT(folded.boxes.at("balls"), Contains("balls[0..999]") && Contains("1000 times"));
    const Graph flat = shown(shipped("thousand_balls") + " --flat");
    CHECK(flat.boxes.size() == 5);
    const Graph small = shown(shipped("newtons_cradle") + " --flat");
    CHECK(small.boxes.count("ball[4].body") == 1);
}

TEST_CASE("what is too large is cut, and the picture says so", "[app][show]") {
    const Result cut = Workplace().deltaflow("show " + shipped("falling_rod") + " --most 10");
    CHECK(cut.code == 0);
    CHECK_THAT(cut.out, Contains("more blocks are not drawn"));
    CHECK(shown(shipped("falling_rod") + " --most 10").boxes.size() <= 10);
    CHECK_THAT(Workplace().deltaflow("show " + shipped("thousand_balls") + " --primitives").out,
               Contains("more primitives are not drawn"));
}

TEST_CASE("primitives show the flat diagram, link by link", "[app][show]") {
    const FlatModel model = load_model(shipped("bouncing_ball"));
    const Result result = Workplace().deltaflow("show " + shipped("bouncing_ball") + " --primitives --dot -");
    CHECK(count(result.out, " -> ") == model.diagram.inputs.size());
}

TEST_CASE("a stroke stands at the end that the effort acts on, the half arrow at the end of the bond",
          "[app][show]") {
    const auto [name, mode] = GENERATE(table<std::string, std::string>({
        {"two_body_collision", "touch=apart"},
        {"two_body_collision", "touch=together"},
        {"cradle_with_rider", "F13=on,F23=off"},
        {"falling_rod", "contact=touch,friction=stick"},
        {"dc_motor", ""},
        {"hydraulic_press", ""},
    }));
    CAPTURE(name, mode);
    const FlatModel model = load_model(shipped(name));
    bonds::Mode states = bonds::initial_mode(model.graph);
    for (std::size_t a = 0; a < states.size(); ++a)
        for (std::uint32_t s = 0; s < model.graph.automata[a].states.size(); ++s)
            if ((mode + ",")
                    .find(model.graph.automata[a].name + "=" + model.graph.automata[a].states[s] + ",") !=
                std::string::npos)
                states[a] = s;
    const auto causality = bonds::assign_causality(model.graph, bonds::Ports(model.graph), states);
    const Graph graph = shown(shipped(name) + (mode.empty() ? "" : " --mode " + mode));
    for (std::size_t i = 0; i < model.graph.bonds.size(); ++i) {
        const auto& bond = model.graph.bonds[i];
        CAPTURE(bond.name);
        const auto is_it = [&](const Edge& e) {
            return e.has("lvee") && (e.value("label") + ",").rfind(bond.name + ",", 0) == 0;
        };
        const auto edge = std::find_if(graph.edges.begin(), graph.edges.end(), is_it);
        REQUIRE(edge != graph.edges.end());
        const auto at = [&](const std::string& arrow) {
            return edge->value("arrowhead").find(arrow) != std::string::npos ? edge->to : edge->from;
        };
        const std::uint32_t receiver = causality.effort_by[i] == bonds::End::from ? bond.to : bond.from;
        CHECK(at("lvee") == model.graph.elements[bond.to].name);
        CHECK(at("tee") == model.graph.elements[receiver].name);
    }
}

TEST_CASE("off junctions are grey and dependent storages marked, mode by mode", "[app][show]") {
    const Graph apart = shown(shipped("two_body_collision"));
    CHECK_THAT(apart.boxes.at("contact"), Contains("apart (off)") && Contains("fontcolor=\"#8c959f\""));
    for (const auto& box : apart.boxes) CHECK_THAT(box.second, !Contains("derivative causality"));
    for (const std::string mode : {"touch=together", "contact=on", "touch=on"}) {
        const Graph together = shown(shipped("two_body_collision") + " --mode " + mode);
        CHECK_THAT(together.boxes.at("contact"), Contains("together (on)") && !Contains("#8c959f"));
        std::size_t dependent = 0;
        for (const auto& box : together.boxes) dependent += count(box.second, "derivative causality");
        CHECK(dependent == 1);
        for (const Edge& edge : together.edges)
            if (edge.has("lvee")) CHECK_THAT(edge.attributes, Contains("e delta"));
    }
}

TEST_CASE("signals between blocks and elements are links; automata appear where they share signals",
          "[app][show]") {
    const Graph rod = shown(shipped("falling_rod"));
    const auto links = rod.links();
    for (const char* link : {"w -> omega", "theta -> arm_x", "Fn -> rub", "friction -> rub", "yA -> contact",
                             "contact -> tip_y", "y -> Fn"})
        CHECK(links.count(link) == 1);
    CHECK(shown(shipped("two_body_collision")).boxes.count("touch") == 0);
}

TEST_CASE("wrong modes exit with 2 and name what is near", "[app][show]") {
    const auto [arguments, text] = GENERATE(table<std::string, std::string>({
        {"two_body_collision --mode tuch=apart", "did you mean \"touch\"?"},
        {"two_body_collision --mode touch=aprt", "did you mean \"apart\"?"},
        {"two_body_collision --mode v1=on", "controlled element \"v1\""},
        {"two_body_collision --mode touch", "automaton=state"},
        {"bouncing_ball --mode touch=on", "known: none"},
    }));
    const std::size_t blank = arguments.find(' ');
    const Result result =
        Workplace().deltaflow("show " + shipped(arguments.substr(0, blank)) + arguments.substr(blank));
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Contains(text));
}

TEST_CASE("a mode without causality exits with 3 and shows the causal path", "[app][show]") {
    const Workplace place;
    place.write("model.toml", R"(
[elements]
pump = { type = "Sf", flow = 1 }
way  = { type = "1", automaton = "tap" }
pipe = { type = "R", value = 1 }
[bonds]
b1 = "pump -> way"
b2 = "way -> pipe"
[automata.tap]
initial = "open"
states  = { open = "on", shut = "off" }
transitions = [ { from = "open", to = "shut", when = "t >= 1" } ]
)");
    CHECK(place.deltaflow("show model.toml").code == 0);
    const Result result = place.deltaflow("show model.toml --mode way=off");
    CHECK(result.code == 3);
    CHECK_THAT(result.err, Contains("causal path: b1") && Contains("tap = shut"));
}

TEST_CASE("pictures are well-formed, whatever texts a model holds", "[app][show]") {
    const Workplace place;
    place.write(
        "good.toml",
        "name = '''A \"quoted\" <b>&amp;</b> {brace} \\N \\l \u00fc\u00df \u6f22\u5b57 ]]> -->'''\n[blocks]\n"
        "y = { type = \"assert\", in = \"9 - t\", message = '''\\\" <i> & } { \\n \u00e9'''  }\n"
        "z = { type = \"decision\", if = \"y\", then = \"y\", else = 3 }\n");
    const Result dot = place.deltaflow("show good.toml --svg out.svg --dot out.dot");
    INFO(dot.err);
    REQUIRE(dot.code == 0);
    CHECK(is_well_formed(place.read("out.svg")));
    CHECK_THAT(place.read("out.svg"), Contains("A \"quoted\" &lt;b&gt;&amp;amp;&lt;/b&gt; {brace}"));
    CHECK_THAT(place.read("out.dot"), Contains(R"(A \"quoted\" <b>&amp;</b> {brace} \\N)"));
    for (const char* name : {"bouncing_ball", "falling_rod", "vacuum_chamber"}) {
        REQUIRE(place.deltaflow("show " + shipped(name) + " --flat --svg out.svg").code == 0);
        CHECK(is_well_formed(place.read("out.svg")));
    }
}

TEST_CASE("every bond of a picture has a half arrow and a stroke", "[app][show]") {
    const Workplace place;
    REQUIRE(place.deltaflow("show " + shipped("dc_motor") + " --svg out.svg").code == 0);
    const std::size_t legend = 3;  // a line, a half arrow and a stroke
    CHECK(count(place.read("out.svg"), "<path class=\"bond\"") == 8);
    CHECK(count(place.read("out.svg"), "<line class=\"bond\"") == 2 * 8 + legend);
}

TEST_CASE("without Graphviz --svg exits with 6 and says what to do, and --dot still works", "[app][show]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", "/nowhere", 1);
    const Result svg = place.deltaflow("show ball.toml --svg out.svg");
    const Result dot = place.deltaflow("show ball.toml --dot out.dot");
    ::setenv("PATH", path.c_str(), 1);
    CHECK(svg.code == 6);
    CHECK_THAT(svg.err, Contains("install") && Contains("--dot"));
    CHECK_FALSE(place.has("out.svg"));
    CHECK(dot.code == 0);
    CHECK(place.has("out.dot"));
}

TEST_CASE("every shipped model can be listed and drawn", "[app][show]") {
    const Workplace place;
    for (const auto& entry : std::filesystem::directory_iterator(root + "/diagrams")) {
        if (entry.path().extension() != ".toml") continue;
        CAPTURE(entry.path());
        const Result result = place.deltaflow("show " + entry.path().string());
        CHECK(result.code == 0);
        CHECK_THAT(result.out, Contains("blocks\n") || Contains("bonds\n"));
        CHECK(place.deltaflow("show " + entry.path().string() + " --flat --svg out.svg").code == 0);
    }
}

TEST_CASE("what only hands on a signal of a loop is part of the loop", "[app][show]") {
    const std::set<std::string> stuck{"body1", "v1", "grip", "v2", "body2"};
    for (const auto& [name, attributes] : shown(shipped("stiction_breakaway")).boxes) {
        CAPTURE(name);
        CHECK((attributes.find("loop 1") != std::string::npos) == (stuck.count(name) > 0));
    }
    const std::set<std::string> charged{"q1", "v1", "vb", "i"};  // v1 = q1 / C1, and C1 is 1
    for (const auto& [name, attributes] : shown(shipped("two_capacitors_blocks")).boxes) {
        CAPTURE(name);
        CHECK((attributes.find("loop 1") != std::string::npos) == (charged.count(name) > 0));
    }
}

TEST_CASE("a junction between two parts of a loop is no part of it if a storage settles its effort",
          "[app][show]") {
    const Graph graph = shown_text(R"([elements]
m1 = { type = "I", value = 1, momentum = 1 }
m2 = { type = "I", value = 2 }
v1 = { type = "1" }
v2 = { type = "1" }
rigid  = { type = "0" }
soft   = { type = "0" }
spring = { type = "C", value = 1 }
[bonds]
b1 = "v1 -> m1"
b2 = "v2 -> m2"
b3 = "v1 -> rigid"
b4 = "rigid -> v2"
b5 = "v1 -> soft"
b6 = "soft -> v2"
b7 = "soft -> spring"
)");
    CHECK_THAT(graph.boxes.at("rigid"), Contains("loop 1"));
    CHECK_THAT(graph.boxes.at("soft"), !Contains("loop"));
    CHECK_THAT(graph.boxes.at("spring"), !Contains("loop"));
}

TEST_CASE("a loop that exists only at instants is marked as such", "[app][show]") {
    const Graph graph = shown_text(R"([blocks]
a = { type = "hold", in = "t - 0.5*b", period = "1/2" }
b = { type = "hold", in = "a + 1", period = "1/2" }
c = "a + b"
)");
    CHECK_THAT(graph.boxes.at("a"), Contains("loop 1, at instants"));
    CHECK_THAT(graph.boxes.at("b"), Contains("loop 1, at instants"));
    CHECK_THAT(graph.boxes.at("c"), !Contains("loop"));
    const Graph facing = shown(root + "/docs/models/facing.toml");
    for (const auto& [name, attributes] : facing.boxes) CHECK_THAT(attributes, !Contains("at instants"));
}

TEST_CASE("a mode can be drawn although the initial one has no causality", "[app][show]") {
    const Workplace place;
    place.write("model.toml", R"([elements]
s1   = { type = "Se", effort = 1 }
s2   = { type = "Se", effort = 2 }
node = { type = "0" }
wire = { type = "1", automaton = "key" }
load = { type = "R", value = 2 }
[bonds]
b1 = "s1 -> node"
b2 = "node -> load"
b3 = "wire -> node"
b4 = "s2 -> wire"
[automata.key]
initial = "closed"
states  = { closed = "on", open = "off" }
)");
    CHECK(place.deltaflow("show model.toml").code == 3);
    CHECK(place.deltaflow("show model.toml --mode key=open --primitives").code == 0);
    const Result open = place.deltaflow("show model.toml --mode key=open");
    CHECK(open.code == 0);
    CHECK_THAT(open.out, Contains("b3  wire -> node  effort into wire"));
}

TEST_CASE("a long chain is drawn downwards, so that it can be read on a page", "[app][show]") {
    const Workplace place;
    std::string model = "[blocks]\nx0 = { type = \"impulse\", at = 1, size = 12345 }\n";
    for (int i = 1; i < 12; ++i) model += fmt::format("x{} = \"der(x{})\"\n", i, i - 1);
    place.write("model.toml", model);
    const std::string svg = place.deltaflow("show model.toml --svg -").out;
    std::smatch size;
    REQUIRE(std::regex_search(svg, size, std::regex("width=\"(\\d+)\" height=\"(\\d+)\"")));
    CHECK(std::stoi(size[1]) < 600);
    CHECK(std::stoi(size[2]) > 900);
}

TEST_CASE("boxes without a line stand in rows, as they are written", "[app][show]") {
    const Workplace place;
    std::string model = "[blocks]\n";
    for (int i = 0; i < 7; ++i) model += fmt::format("x{} = \"sin({}*t)\"\n", i, i + 1);
    place.write("model.toml", model);
    const std::string svg = place.deltaflow("show model.toml --svg -").out;
    const auto place_of = [&](const std::string& name) {
        std::smatch found;
        const std::regex title("x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*>" + name + "<");
        REQUIRE(std::regex_search(svg, found, title));
        return std::pair(std::stod(found[2]), std::stod(found[1]));
    };
    for (int i = 1; i < 7; ++i) CHECK(place_of(fmt::format("x{}", i - 1)) < place_of(fmt::format("x{}", i)));
    CHECK(place_of("x0").first == place_of("x4").first);
    CHECK(place_of("x0").first < place_of("x5").first);
}

TEST_CASE("what is multiplied by zero may not be there, and no line leads to it", "[app][show]") {
    const Workplace place;
    place.write("m.toml",
                "[diagrams.a.blocks]\nx = \"t\"\n[blocks]\np = { type = \"a\" }\ny = \"0*p + 0*p.z + t\"\n");
    CHECK(place.deltaflow("check m.toml").code == 0);
    const Result shown = place.deltaflow("show m.toml --flat");
    CHECK(shown.code == 0);
    CHECK(count(shown.out, " -> ") == 0);
}
