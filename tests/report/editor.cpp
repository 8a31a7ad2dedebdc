// What editors ask, of every model that ships: names, renamings, texts that are not finished.
#include "report/editor/editor.hpp"

#include "engine/model/model.hpp"
#include "engine/simulate.hpp"
#include "report/editor/mentions.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace deltaflow;
using namespace deltaflow::editor;
using TomlNode = deltaflow::editor::Node;

namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::optional<std::string> from_disk(const std::string& path) {
    return std::filesystem::is_regular_file(path) ? std::optional(text_of(path)) : std::nullopt;
}

Project project_of(const std::filesystem::path& path) {
    return open_project(path.string(), Text(text_of(path)), from_disk);
}

std::vector<std::filesystem::path> shipped() {
    std::vector<std::filesystem::path> paths;
    for (const char* folder : {"diagrams", "docs/models"})
        for (const auto& entry :
             std::filesystem::directory_iterator(std::filesystem::path(test::project_folder()) / folder))
            if (entry.path().extension() == ".toml") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

bool loads(const std::string& path, const std::string& text) {
    try {
        LoadOptions options;
        options.max_blocks = 200'000;
        load_model_text(path, text, options);
        return true;
    } catch (const ModelError&) {
        return false;
    }
}

std::string edited(const Text& text, const std::vector<Edit>& edits) {
    std::string result = text.string();
    std::vector<Span> spans;
    for (const Edit& edit : edits)
        spans.push_back({text.offset(edit.range.start), text.offset(edit.range.end)});
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin > b.begin; });
    for (const Span& span : spans) result.replace(span.begin, span.end - span.begin, edits[0].text);
    return result;
}

Project project_of_text(const std::string& text) {
    return open_project("model.toml", Text(text), [](const std::string&) { return std::nullopt; });
}

std::vector<std::string> labels(const std::vector<Item>& items) {
    std::vector<std::string> all;
    for (const Item& item : items) all.push_back(item.label);
    return all;
}

}  // namespace

TEST_CASE("every name of every model that ships can be renamed, and the model stays what it was",
          "[editor]") {
    std::size_t renamed = 0;
    for (const auto& path : shipped()) {
        const Project project = project_of(path);
        const Text& text = project.documents[0].text;
        if (!loads(path.string(), text.string())) continue;
        const FlatModel before = load_model(path.string());
        const Names names = find_names(project);
        for (std::size_t s = 0; s < names.symbols.size(); ++s) {
            const Mention* defined = names.definition_of(s);
            if (!defined || defined->document != 0) continue;
            CAPTURE(path.string(), names.symbols[s].name, name_of(names.symbols[s].kind));
            const auto edits = rename(project, defined->span.begin, "a_name_that_nobody_has");
            REQUIRE_FALSE(edits.empty());
            const FlatModel after = load_model_text(path.string(), edited(text, edits));
            CHECK(after.diagram.nodes.size() == before.diagram.nodes.size());
            CHECK(after.record.size() == before.record.size());
            ++renamed;
        }
    }
    CHECK(renamed > 800);
}

TEST_CASE("a renamed model gives the same numbers", "[editor]") {
    for (const std::string name :
         {"bouncing_ball", "collision", "boost", "traffic_light", "newtons_cradle"}) {
        const auto path = std::filesystem::path(test::project_folder()) / "diagrams" / (name + ".toml");
        Project project = project_of(path);
        const Names names = find_names(project);
        const Trace before = simulate(load_model(path.string()));
        std::string text = project.documents[0].text.string();
        for (std::size_t s = 0, count = names.symbols.size(); s < count; ++s) {  // one after the other
            const Project now = open_project(path.string(), Text(text), from_disk);
            const Names those = find_names(now);
            const Mention* defined = those.definition_of(s);
            if (!defined || defined->document != 0) continue;
            const auto edits = rename(now, defined->span.begin, "n" + std::to_string(s));
            if (!edits.empty()) text = edited(now.documents[0].text, edits);
        }
        const Trace after = simulate(load_model_text(path.string(), text));
        CAPTURE(text);
        CHECK(after.samples == before.samples);
        CHECK(after.events.size() == before.events.size());
    }
}

TEST_CASE("every name in the formulas of the models that ship means something", "[editor]") {
    // What no model defines: functions, words of expressions, signals of elements, counters, variables of
    // laws.
    for (const auto& path : shipped()) {
        const Project project = project_of(path);
        if (!loads(path.string(), project.documents[0].text.string())) continue;
        const Names names = find_names(project);
        for (const char* table : {"blocks", "parameters"}) {
            const Member* members = project.documents[0].syntax.root.find(table);
            for (const Member& member : members ? members->value.members : std::vector<Member>()) {
                if (member.value.kind != TomlNode::Kind::string) continue;
                for (const NamePart& part : name_parts(member.value.text)) {
                    const std::string name =
                        member.value.text.substr(part.span.begin, part.span.end - part.span.begin);
                    if (part.call || part.member || name == "t" || name == "pi" || name == "and" ||
                        name == "or" || name == "not" || name == "total")
                        continue;
                    CAPTURE(path.string(), member.key, name);
                    const Mention* mention = names.at(0, member.value.inside.begin + part.span.begin);
                    REQUIRE(mention);
                    CHECK(names.symbols[mention->symbol].name == name);
                }
            }
        }
    }
}

TEST_CASE("texts that are cut off anywhere are looked through without harm", "[editor]") {
    for (const std::string name : {"bouncing_ball", "collision", "boost", "traffic_light", "rc_ladder"}) {
        const auto path = std::filesystem::path(test::project_folder()) / "diagrams" / (name + ".toml");
        const std::string text = text_of(path);
        for (std::size_t size = 0; size <= text.size(); size += 7) {
            CAPTURE(name, size);
            const Project project = open_project(path.string(), Text(text.substr(0, size)), from_disk);
            complete(project, size);
            outline_of(project.documents[0]);
            const Names names = find_names(project);
            for (const Mention& mention : names.mentions)
                if (mention.document == 0) CHECK(mention.span.end <= size);
        }
    }
}

TEST_CASE("syntax is read like TOML where it is TOML", "[editor]") {
    const Syntax syntax = read_syntax(R"(a.b = 1 # [no.table]
s = 'it = "x"'
t = """
[not.a.header]
"""
[x."y z"]
list = [1, [2, 3], { k = "v" }, # comment ]
  "four"]
[[x.items]]
n = 1
[[x.items]]
n = 2
)");
    const TomlNode& root = syntax.root;
    REQUIRE(root.find("a"));
    CHECK(root.find("a")->value.find("b")->value.text == "1");
    CHECK(root.find("s")->value.text == "it = \"x\"");
    CHECK(root.find("t")->value.text == "[not.a.header]\n");
    const TomlNode& list = find_table(root, {"x", "y z"})->find("list")->value;
    REQUIRE(list.items.size() == 4);
    CHECK(list.items[1].items.size() == 2);
    CHECK(list.items[2].text_of("k") == "v");
    CHECK(root.find("x")->value.find("items")->value.items.size() == 2);
    CHECK(syntax.sections.size() == 4);
}

TEST_CASE("a list that nobody closed ends where the next table or key begins", "[editor]") {
    const Syntax syntax = read_syntax("[simulation]\nrecord = [\"a\",\n\"b\"\nstop = 3\n[blocks]\ny = 1\n");
    CHECK(syntax.root.find("simulation")->value.find("record")->value.items.size() == 2);
    CHECK(syntax.root.find("simulation")->value.find("stop"));
    CHECK(syntax.root.find("blocks")->value.find("y"));
}

TEST_CASE("places lead from bytes to UTF-16 and back", "[editor]") {
    const Text text(
        "a\xC3\xA9\xF0\x9D\x9B\xBF"
        "b\r\nsecond\rthird\n");
    CHECK(text.lines() == 4);
    CHECK(text.position(7) == Position{0, 4});
    CHECK(text.offset({0, 4}) == 7);
    CHECK(text.offset({0, 3}) == 3);  // inside a pair: before it
    CHECK(text.offset({0, 99}) == 8);
    CHECK(text.offset({1, 2}) == 12);
    CHECK(text.offset({9, 0}) == text.string().size());
    for (std::size_t at : {0u, 1u, 3u, 7u, 8u, 10u, 13u, 17u}) CHECK(text.offset(text.position(at)) == at);
    CHECK(text.replaced({{0, 2}, {0, 4}}, "x").string() == "a\xC3\xA9xb\r\nsecond\rthird\n");
    CHECK(text.span({0, 1, 3, 1}) == Span{3, 7});
}

TEST_CASE("a renaming never lets one name hide another", "[editor]") {
    const std::string text = R"([parameters]
g = 2
k = 3
[diagrams.d]
outputs = ["y"]
parameters = { m = 1 }
[diagrams.d.blocks]
y = "m * g"
[blocks]
x = { type = "d", m = "k" }
)";
    const Project project = project_of_text(text);
    const auto renamed = [&](const std::string& what, const std::string& name) {
        return edited(project.documents[0].text, rename(project, text.find(what), name));
    };
    CHECK_THROWS_AS(renamed("g = 2", "m"), RenameError);  // the diagram's m would hide it
    CHECK_THROWS_AS(renamed("m = 1", "g"), RenameError);  // it would hide the model's g
    CHECK_THROWS_AS(renamed("g = 2", "k"), RenameError);  // there is one
    CHECK_THROWS_AS(renamed("d]", "gain"), RenameError);  // a block type
    CHECK(renamed("m = 1", "k").find("x = { type = \"d\", k = \"k\" }") != std::string::npos);
    CHECK(renamed("g = 2", "x2").find("y = \"m * x2\"") != std::string::npos);
    CHECK(renamed("d]", "double").find("type = \"double\"") != std::string::npos);
    CHECK(renamed("y = ", "out").find("outputs = [\"out\"]") != std::string::npos);
}

TEST_CASE("states and values of automata are names of their own", "[editor]") {
    const std::string text = R"([blocks]
open = 1
y = "door.open + open + door.n"
[automata.door]
initial = "shut"
states = { shut = "off", open = "on" }
values = { n = 0 }
transitions = [
  { from = "shut", to = "open", when = "t > open", set = { n = "n + 1" } },
]
)";
    const Project project = project_of_text(text);
    const auto renamed = [&](const std::string& what, std::size_t further, const std::string& name) {
        return edited(project.documents[0].text, rename(project, text.find(what) + further, name));
    };
    const std::string state = renamed("door.open", 5, "ajar");
    CHECK(state.find("\"door.ajar + open + door.n\"") != std::string::npos);
    CHECK(state.find("to = \"ajar\", when = \"t > open\"") != std::string::npos);
    const std::string value = renamed("n = 0", 0, "count");
    CHECK(value.find("set = { count = \"count + 1\" }") != std::string::npos);
    CHECK(value.find("door.count") != std::string::npos);
    CHECK(loads("model.toml", state));
    CHECK(loads("model.toml", value));
}

TEST_CASE("a file of diagrams alone has no mistakes, and a missing file is told at its use", "[editor]") {
    const Text library("[diagrams.d]\noutputs = [\"y\"]\n[diagrams.d.blocks]\ny = 1\n");
    CHECK(problems_of("library.toml", library).empty());
    const Text broken("[diagrams.d]\noutputs = [\"z\"]\n[diagrams.d.blocks]\ny = 1\n");
    CHECK(problems_of("library.toml", broken).size() == 1);
    const Text user("use = [\"no_such_file.toml\"]\n[blocks]\ny = 1\n");
    const auto problems = problems_of("model.toml", user);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].range.start.line == 0);
}

TEST_CASE("a renaming reaches pictures of the model, too", "[editor]") {
    const std::string text =
        "[blocks]\ny = \"t\"\n[layout]\ny = [10, 20]\n[animation]\n"
        "y = { shape = \"ball\", x = 0, y = \"y + 0.5\" }\n";
    const Project project = project_of_text(text);
    const std::string now = edited(project.documents[0].text, rename(project, text.find("y = "), "height"));
    CHECK(now ==
          "[blocks]\nheight = \"t\"\n[layout]\nheight = [10, 20]\n[animation]\n"
          "y = { shape = \"ball\", x = 0, y = \"height + 0.5\" }\n");
}

TEST_CASE("files above the model's folder are not looked at", "[editor]") {
    std::vector<std::string> read;
    open_project("/models/mine/model.toml",
                 Text("use = [\"part.toml\", \"../other.toml\", \"/etc/passwd\", \"a/../b.toml\"]\n"),
                 [&](const std::string& path) -> std::optional<std::string> {
                     read.push_back(path);
                     return std::nullopt;
                 });
    CHECK(read == std::vector<std::string>{"/models/mine/part.toml", "/models/mine/b.toml"});
}

TEST_CASE("a diagram without a name is no type", "[editor]") {
    const Project project = project_of_text("[diagrams.\"\"]\n[blocks]\nx = { }\ny = { type = 3 }\n");
    CHECK(find_names(project).mentions.size() == 3);
    CHECK_FALSE(complete(project, project.documents[0].text.string().find("{ }") + 2).empty());
}

TEST_CASE("headers and keys are completed in diagrams, too", "[editor]") {
    const std::string text = "[diagrams.d]\nin\n[diagrams.d.bl\n";
    const Project project = project_of_text(text);
    CHECK(labels(complete(project, text.find("in\n") + 2)) == std::vector<std::string>{"inputs"});
    CHECK(labels(complete(project, text.size() - 1)) == std::vector<std::string>{"blocks"});
}
