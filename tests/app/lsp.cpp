// Conversations with the language server.
#include "tests/app/lsp_client.hpp"
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>

using Catch::Matchers::Contains;
using Json = Editor::Json;

namespace {

const std::string here = "file:///nowhere/model.toml";

// A place in a text: the `count`-th time that `part` stands there, and so many UTF-16 units after it.
Json position(const std::string& text, const std::string& part, std::size_t further = 0, int count = 1) {
    std::size_t at = std::string::npos;
    for (int i = 0; i < count; ++i) at = text.find(part, at + 1);
    REQUIRE(at != std::string::npos);
    std::size_t line = 0, begin = 0;
    for (std::size_t i = 0; i < at; ++i)
        if (text[i] == '\n') ++line, begin = i + 1;
    std::size_t units = 0;
    for (std::size_t i = begin; i < at; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        units += byte < 0x80 || byte >= 0xC0 ? (byte >= 0xF0 ? 2 : 1) : 0;
    }
    return {{"line", line}, {"character", units + further}};
}

Json at(const Json& position) { return {{"textDocument", {{"uri", here}}}, {"position", position}}; }

std::vector<std::string> labels(const Json& answer) {
    std::vector<std::string> all;
    for (const Json& item : answer["result"]["items"]) all.push_back(item["label"]);
    return all;
}
bool has(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

// The text with edits of one file, in any order.
std::string edited(const std::string& text, const Json& edits) {
    std::vector<std::string> lines{""};
    for (const char c : text) {
        if (c == '\n')
            lines.emplace_back();
        else
            lines.back() += c;
    }
    std::vector<Json> sorted(edits.begin(), edits.end());
    std::sort(sorted.begin(), sorted.end(), [](const Json& a, const Json& b) {
        return a["range"]["start"]["character"] > b["range"]["start"]["character"];
    });
    for (const Json& edit : sorted) {  // ASCII on these lines
        const Json& range = edit["range"];
        REQUIRE(range["start"]["line"] == range["end"]["line"]);
        const std::size_t begin = range["start"]["character"], end = range["end"]["character"];
        lines[range["start"]["line"]].replace(begin, end - begin, edit["newText"]);
    }
    std::string result = lines[0];
    for (std::size_t i = 1; i < lines.size(); ++i) result += "\n" + lines[i];
    return result;
}

}  // namespace

TEST_CASE("an editor talks with the language server from hello to goodbye", "[app][lsp]") {
    Editor editor;
    const Json hello = editor.ask("initialize", {{"capabilities", Json::object()}});
    const Json& can = hello["result"]["capabilities"];
    for (const char* what :
         {"hoverProvider", "definitionProvider", "documentSymbolProvider", "referencesProvider"})
        CHECK(can[what] == true);
    CHECK(can["positionEncoding"] == "utf-16");
    editor.notify("initialized");
    editor.open(here, ball);
    CHECK(editor.diagnostics(here)["diagnostics"].empty());
    CHECK(editor.ask("shutdown")["result"].is_null());
    editor.notify("exit");
    CHECK(editor.wait() == 0);
}

TEST_CASE("mistakes are told while typing, in the engine's words and at its places", "[app][lsp]") {
    Editor editor;
    editor.initialize();
    editor.open(here, ball);
    CHECK(editor.diagnostics(here)["diagnostics"].empty());
    const Json start = position(ball, "integrator"), end = position(ball, "integrator", 10);
    const auto change = [&](const Json& from, const Json& to, const std::string& text, int version) {
        editor.notify("textDocument/didChange",
                      {{"textDocument", {{"uri", here}, {"version", version}}},
                       {"contentChanges", {{{"range", {{"start", from}, {"end", to}}}, {"text", text}}}}});
        return editor.diagnostics(here);
    };
    const Json wrong = change(start, end, "integratr", 2);
    CHECK(wrong["version"] == 2);
    REQUIRE(wrong["diagnostics"].size() == 1);
    const Json& one = wrong["diagnostics"][0];
    CHECK(one["severity"] == 1);
    CHECK(one["source"] == "deltaflow");
    CHECK_THAT(one["message"],
               Contains("there is no block type \"integratr\"; did you mean \"integrator\"?"));
    CHECK(one["range"]["start"]["line"] == start["line"]);
    CHECK(one["range"]["start"]["character"] == start["character"].get<int>() - 1);  // the quote
    const Json again = change(start, position(ball, "integrator", 9), "integrator", 3);
    CHECK(again["diagnostics"].empty());
    editor.notify("textDocument/didClose", {{"textDocument", {{"uri", here}}}});
    CHECK(editor.diagnostics(here)["diagnostics"].empty());
}

TEST_CASE("warnings of check stand where the product is", "[app][lsp]") {
    const std::string text =
        "[blocks]\ns = { type = \"step\", at = 1 }\nd = { type = \"impulse\", at = 2 }\ny = \"s * d\"\n";
    Editor editor;
    editor.initialize();
    editor.open(here, text);
    const Json found = editor.diagnostics(here)["diagnostics"];
    REQUIRE(found.size() == 1);
    CHECK(found[0]["severity"] == 2);
    CHECK(found[0]["range"]["start"]["line"] == 3);
}

TEST_CASE("what is typed is completed by types, keys, words and names", "[app][lsp]") {
    Editor editor;
    editor.initialize();
    editor.open(here, ball);
    const auto fits = [&](const Json& place) {
        return labels(editor.ask("textDocument/completion", at(place)));
    };
    CHECK(has(fits(position(ball, "\"integrator", 1)), "transfer_function"));
    CHECK(has(fits(position(ball, "direction")), "direction"));
    CHECK_FALSE(has(fits(position(ball, "direction")), "type"));
    CHECK(fits(position(ball, "\"falling", 1)) == std::vector<std::string>{"falling", "rising", "both"});
    const auto names = fits(position(ball, "-9.81 + F", 8));
    for (const char* name : {"v", "y", "hit", "e", "sin", "pre", "t", "pi"}) CHECK(has(names, name));
    CHECK(has(fits(position(ball, "record")), "record"));
    CHECK(has(fits(position(ball, "[simulation]", 4)), "simulation"));
    CHECK_FALSE(has(fits(position(ball, "\"y\", \"v\"", 1)), "e"));
}

TEST_CASE("completion works in a line that is not finished", "[app][lsp]") {
    const auto [line, wanted] = GENERATE(table<std::string, std::string>({
        {"z = { type = \"inte", "integrator"},
        {"z = { type = \"integrator\", in", "initial"},
        {"z = { type = \"integrator\", in = \"v + ", "hit"},
        {"z = \"2*h", "hit"},
        {"z = { type = \"crossing\", in = \"y\", direction = \"", "rising"},
        {"z = { type = \"crossing\", in = \"y\", direction = ", "rising"},
    }));
    CAPTURE(line);
    std::string text = ball;
    text.insert(text.find("[simulation]"), line + "\n");
    Editor editor;
    editor.initialize();
    editor.open(here, text);
    const Json answer = editor.ask("textDocument/completion", at(position(text, line, line.size())));
    CHECK(has(labels(answer), wanted));
}

TEST_CASE("members of elements, automata and instances are completed after a dot", "[app][lsp]") {
    const std::string text = R"([diagrams.tank]
inputs = ["flow_in"]
outputs = ["level"]
[diagrams.tank.blocks]
level = { type = "integrator", in = "flow_in" }
[elements]
s = { type = "Se", effort = 1 }
body = { type = "I", value = 2 }
[bonds]
b = "s -> body"
[automata.door]
initial = "shut"
states = { shut = "off", open = "on" }
[blocks]
left = { type = "tank", flow_in = 1 }
x = "body."
y = "door."
z = "left."
)";
    Editor editor;
    editor.initialize();
    editor.open(here, text);
    const auto fits = [&](const std::string& part) {
        return labels(editor.ask("textDocument/completion", at(position(text, part, part.size()))));
    };
    CHECK(has(fits("\"body."), "momentum"));
    CHECK(has(fits("\"door."), "open"));
    CHECK(fits("\"left.") == std::vector<std::string>{"level"});
    CHECK(has(fits("{ type = \"tank\", "), "flow_in"));
    CHECK(has(fits("initial = \""), "open"));
    CHECK(has(fits("b = \"s -> "), "body"));
}

TEST_CASE("hovering tells rule, regularity and value", "[app][lsp]") {
    const std::string text =
        "[parameters]\nf = 50\nw = \"2*f + 1/3\"\n[blocks]\nu = { type = \"impulse\", at = \"w/10\" }\n"
        "y = { type = \"integrator\", in = \"u\", initial = 3 }\n";
    Editor editor;
    editor.initialize();
    editor.open(here, text);
    const auto told = [&](const Json& place) {
        const Json answer = editor.ask("textDocument/hover", at(place));
        return answer["result"].is_null() ? std::string()
                                          : answer["result"]["contents"]["value"].get<std::string>();
    };
    CHECK_THAT(told(position(text, "w =")), Contains("301/3 = 100.333"));
    CHECK_THAT(told(position(text, "\"w/10", 1)), Contains("parameter") && Contains("301/3"));
    CHECK_THAT(told(position(text, "u =")), Contains("`at` is 301/30") && Contains("regularity: delta"));
    CHECK_THAT(told(position(text, "y =")),
               Contains("y_right[0] = y_left[0] + u[-1]") && Contains("at t = 0: 3"));
    CHECK_THAT(told(position(text, "integrator", 2)), Contains("examples"));
    CHECK_THAT(told(position(text, "initial", 2)), Contains("value just before the start"));
    CHECK(told({{"line", 0}, {"character", 3}}).empty());
}

TEST_CASE("places are counted in UTF-16", "[app][lsp]") {
    const std::string text =
        "name = \"\xF0\x9D\x9B\xBF\xC3\xA9\"\n[blocks]\nu = 1 # \xF0\x9D\x9B\xBF\n"
        "y = { type = \"assert\", message = \"\xF0\x9D\x9B\xBF\xC3\xA9\", in = \"uu\" }\n";
    Editor editor;
    editor.initialize();
    editor.open(here, text);
    const Json found = editor.diagnostics(here)["diagnostics"];
    REQUIRE(found.size() == 1);
    CHECK(found[0]["range"]["start"] == position(text, "uu"));
    CHECK(found[0]["range"]["end"] == position(text, "uu", 2));
    // A character outside the first plane is two units: what is put in after it stands after it.
    const Json after = position(text, "\xF0\x9D\x9B\xBF\xC3\xA9\", in", 3);
    editor.notify(
        "textDocument/didChange",
        {{"textDocument", {{"uri", here}, {"version", 2}}},
         {"contentChanges",
          {{{"range", {{"start", position(text, "uu")}, {"end", position(text, "uu", 2)}}}, {"text", "u"}},
           {{"range", {{"start", after}, {"end", after}}}, {"text", "!"}}}}});
    CHECK(editor.diagnostics(here)["diagnostics"].empty());
    CHECK(editor.ask("textDocument/definition", at(position(text, "uu", 1)))["result"]["range"]["start"] ==
          Json({{"line", 2}, {"character", 0}}));
}

TEST_CASE("definitions, references and the outline lead to names", "[app][lsp]") {
    Editor editor;
    editor.initialize();
    editor.open(here, ball);
    const Json where = editor.ask("textDocument/definition", at(position(ball, "pre(v)", 4)))["result"];
    CHECK(where["uri"] == here);
    CHECK(where["range"]["start"] == position(ball, "v   ="));
    Json question = at(position(ball, "v   ="));
    question["context"] = {{"includeDeclaration", false}};
    CHECK(editor.ask("textDocument/references", question)["result"].size() == 3);
    const Json parts =
        editor.ask("textDocument/documentSymbol", {{"textDocument", {{"uri", here}}}})["result"];
    std::vector<std::string> tables, blocks;
    for (const Json& part : parts) {
        tables.push_back(part["name"]);
        if (part["name"] == "blocks")
            for (const Json& child : part["children"]) blocks.push_back(child["name"]);
        CHECK(part["selectionRange"]["start"]["line"] >= part["range"]["start"]["line"]);
        CHECK(part["selectionRange"]["end"]["line"] <= part["range"]["end"]["line"]);
    }
    CHECK(tables == std::vector<std::string>{"name", "parameters", "blocks", "simulation"});
    CHECK(blocks == std::vector<std::string>{"a", "F", "hit", "v", "y"});
}

TEST_CASE("a definition in another file is found there", "[app][lsp]") {
    const Workplace place;
    place.write("part.toml", "[diagrams.two]\noutputs = [\"y\"]\n[diagrams.two.blocks]\ny = 2\n");
    const std::string text = "use = [\"part.toml\"]\n[blocks]\nx = { type = \"two\" }\nz = \"x.y\"\n";
    const std::string uri = "file://" + place.path("model.toml").string();
    Editor editor;
    editor.initialize();
    editor.open(uri, text);
    CHECK(editor.diagnostics(uri)["diagnostics"].empty());
    const auto where = [&](const Json& position) {
        return editor.ask("textDocument/definition",
                          {{"textDocument", {{"uri", uri}}}, {"position", position}})["result"];
    };
    CHECK_THAT(where(position(text, "two"))["uri"], Catch::EndsWith("/part.toml"));
    CHECK(where(position(text, "x.y", 2))["range"]["start"] == Json({{"line", 3}, {"character", 0}}));
    CHECK_THAT(where(position(text, "part.toml", 2))["uri"], Catch::EndsWith("/part.toml"));
}

TEST_CASE("a renaming touches the name everywhere and nothing else", "[app][lsp]") {
    const std::string text = ball + "# v is not touched here\n";
    Editor editor;
    editor.initialize();
    editor.open(here, text);
    Json question = at(position(text, "pre(v)", 4));
    CHECK(editor.ask("textDocument/prepareRename", question)["result"]["start"] ==
          position(text, "pre(v)", 4));
    question["newName"] = "speed";
    const Json answer = editor.ask("textDocument/rename", question);
    const std::string now = edited(text, answer["result"]["changes"][here]);
    CHECK_THAT(now, Contains("pre(speed)") && Contains("speed   = {") && Contains("in = \"speed\"") &&
                        Contains("[\"y\", \"speed\", \"F\"]") && Contains("# v is not touched here"));
    const Workplace place;
    place.write("ball.toml", now);
    CHECK(place.deltaflow("run ball.toml").code == 0);
}

TEST_CASE("a renaming that would change the meaning is refused", "[app][lsp]") {
    Editor editor;
    editor.initialize();
    editor.open(here, ball);
    for (const std::string name : {"y", "e", "sin", "t", "pi", "2v", "v v", "", "a.b", "v\"", "and"}) {
        CAPTURE(name);
        Json question = at(position(ball, "pre(v)", 4));
        question["newName"] = name;
        const Json answer = editor.ask("textDocument/rename", question);
        CHECK(answer["error"]["code"] == -32803);
        CHECK(answer["error"]["message"].get<std::string>().size() > 10);
    }
    Json nothing = at({{"line", 0}, {"character", 0}});
    nothing["newName"] = "x";
    CHECK(editor.ask("textDocument/rename", nothing)["error"]["code"] == -32803);
}

TEST_CASE("a diagram is renamed in the files that use it", "[app][lsp]") {
    const Workplace place;
    const std::string part =
        "[diagrams.two]\noutputs = [\"y\"]\nparameters = { k = 2 }\n[diagrams.two.blocks]\ny = \"k\"\n";
    const std::string model = "use = [\"part.toml\"]\n[blocks]\nx = { type = \"two\", k = 3 }\n";
    place.write("part.toml", part);
    place.write("model.toml", model);
    const std::string uri = "file://" + place.path("part.toml").string();
    Editor editor;
    editor.initialize();
    editor.open(uri, part);
    CHECK(editor.diagnostics(uri)["diagnostics"].empty());
    Json question{
        {"textDocument", {{"uri", uri}}}, {"position", position(part, "k =")}, {"newName", "gain_of_it"}};
    const Json changes = editor.ask("textDocument/rename", question)["result"]["changes"];
    REQUIRE(changes.size() == 2);
    for (const auto& [file, edits] : changes.items()) {
        const bool of_part = file == uri;
        place.write(of_part ? "part.toml" : "model.toml", edited(of_part ? part : model, edits));
    }
    CHECK_THAT(place.read("model.toml"), Contains("gain_of_it = 3"));
    CHECK_THAT(place.deltaflow("run model.toml --quiet --at 1 --record x --csv -").out, Contains(",3\n"));
}

TEST_CASE("the server survives what is no message", "[app][lsp]") {
    Editor editor;
    CHECK(editor.ask("textDocument/hover", at({{"line", 0}, {"character", 0}}))["error"]["code"] == -32002);
    editor.initialize();
    CHECK(editor.ask("initialize")["error"]["code"] == -32600);
    editor.send_bytes("Content-Length: 5\r\n\r\n{\"a\":");
    CHECK((*editor.next())["error"]["code"] == -32700);
    editor.send_bytes("content-length: 7\r\nContent-Type: x\r\n\r\n[1,2,3]");
    CHECK((*editor.next())["error"]["code"] == -32600);
    editor.send_bytes("nonsense\r\n\r\nmore of it\r\nContent-Length: many\r\n\r\n");
    CHECK(editor.ask("no/such/method")["error"]["code"] == -32601);
    const Json error = editor.ask("textDocument/hover", {{"textDocument", 3}})["error"];
    CHECK(error["code"] == -32602);
    CHECK(error["message"].get<std::string>().find("exception") == std::string::npos);
    CHECK(editor.ask("textDocument/hover", Json::array({1, 2}))["error"]["code"] == -32602);
    CHECK(editor.ask("textDocument/hover", at({{"line", -1}, {"character", 0}}))["error"]["code"] == -32602);
    editor.notify("textDocument/didChange", {{"textDocument", {{"uri", "file:///never/opened"}}}});
    editor.notify("textDocument/didOpen", {{"textDocument", "wrong"}});
    editor.notify("$/unknown");
    editor.open(here, ball);
    CHECK(editor.ask("textDocument/hover", at({{"line", 0}, {"character", -5}}))["error"]["code"] == -32602);
    CHECK(
        editor.ask("textDocument/hover", at({{"line", 99999999999u}, {"character", 3}}))["result"].is_null());
    CHECK(editor.diagnostics(here)["diagnostics"].empty());
}

TEST_CASE("a request that waits can be cancelled", "[app][lsp]") {
    Editor editor;
    editor.initialize();
    editor.open(here, ball);
    editor.diagnostics(here);
    // One write: all of it has arrived before the first answer is worked out.
    std::string bytes;
    const auto add = [&](const Json& message) {
        const std::string content = message.dump();
        bytes += "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + content;
    };
    for (int id = 1001; id <= 1040; ++id)
        add({{"jsonrpc", "2.0"},
             {"id", id},
             {"method", "textDocument/hover"},
             {"params", at(position(ball, "v   ="))}});
    add({{"jsonrpc", "2.0"}, {"method", "$/cancelRequest"}, {"params", {{"id", 1040}}}});
    editor.send_bytes(bytes);
    CHECK(editor.answer(1040)["error"]["code"] == -32800);
}

TEST_CASE("after shutdown nothing is answered, and exit without it is an error", "[app][lsp]") {
    Editor editor;
    editor.initialize();
    editor.ask("shutdown");
    CHECK(editor.ask("textDocument/hover", at({{"line", 0}, {"character", 0}}))["error"]["code"] == -32600);
    editor.notify("exit");
    CHECK(editor.wait() == 0);
    Editor hasty;
    hasty.initialize();
    hasty.notify("exit");
    CHECK(hasty.wait() == 1);
    Editor gone;
    gone.initialize();
    CHECK(gone.wait() == 1);
}

TEST_CASE("a large text and a model that would become large are answered in time", "[app][lsp]") {
    std::string large = "[blocks]\n";
    for (int i = 0; i < 100000; ++i) large += "x" + std::to_string(i) + " = \"t\"\n";
    large += "many = { type = \"sum\", in = \"unknown\" }\n";
    Editor editor;
    editor.initialize();
    editor.open(here, large);
    CHECK(editor.diagnostics(here)["diagnostics"].size() == 1);
    CHECK(editor.ask("textDocument/hover", at({{"line", 5}, {"character", 0}})).contains("result"));
    const std::string count =
        "[diagrams.d]\noutputs = [\"y\"]\n[diagrams.d.blocks]\ny = 1\n[blocks]\n"
        "m = { type = \"d\", count = 3000000 }\n";
    editor.open("file:///nowhere/count.toml", count);
    CHECK(editor.diagnostics("file:///nowhere/count.toml")["diagnostics"].empty());
}
