// JSON-RPC, and what the methods of the protocol mean; the only file of the program that includes
// messages.hpp.
#include "app/server/language_server.hpp"

#include "app/server/messages.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>

namespace deltaflow::app {

struct LanguageServer::Impl {
    std::function<void(const std::string&)> send;
    Workspace workspace;
    std::deque<Json> waiting;
    std::set<std::string> cancelled_ids;  // as JSON text
    std::vector<std::string> to_look_at;  // addresses of files that have changed
    enum class Phase { created, running, shut_down } phase = Phase::created;
    std::optional<int> exit;

    // Messages out

    void put(const Json& message) { send(message.dump(-1, ' ', false, Json::error_handler_t::replace)); }
    void fail(const Json& id, Code code, const std::string& message) {
        put({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
    }
    void notify(const char* method, Json params) {
        put({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
    }

    // Messages in

    void receive(const std::string& content) {
        Json message = Json::parse(content, nullptr, false);
        if (message.is_discarded()) return fail(nullptr, parse_error, "this is no JSON");
        if (!message.is_object()) return fail(nullptr, invalid_request, "a message is an object");
        if (message.value("method", Json()) == "$/cancelRequest") {
            const Json params = message.value("params", Json::object());
            if (params.is_object() && params.contains("id")) cancel(params["id"]);
            return;
        }
        waiting.push_back(std::move(message));
    }

    // What is done is done.
    void cancel(const Json& id) {
        const auto is_it = [&](const Json& message) { return message.contains("id") && message["id"] == id; };
        if (std::any_of(waiting.begin(), waiting.end(), is_it)) cancelled_ids.insert(id.dump());
    }

    void handle(const Json& message) {
        const Json id = message.value("id", Json());
        const bool request = message.contains("id");
        if (!message.contains("method")) {
            // An answer to nothing that we asked, or nonsense.
            if (!message.contains("result") && !message.contains("error"))
                fail(id, invalid_request, "a message has a method");
            return;
        }
        try {
            if (!message["method"].is_string()) throw Failure{invalid_request, "the method is no text"};
            const std::string name = message["method"];
            const Json params = message.value("params", Json::object());
            if (!request) return take(name, params);
            if (cancelled_ids.erase(id.dump()) > 0) throw Failure{cancelled, "cancelled"};
            Json result = answer(name, params);
            put({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
        } catch (const Failure& failure) {
            if (request) fail(id, failure.code, failure.message);
        } catch (const editor::RenameError& error) {
            if (request) fail(id, request_failed, error.what());
        } catch (const Json::exception&) {
            if (request)
                fail(id, invalid_params,
                     "the parameters of " + message["method"].dump() + " are not as they should be");
        } catch (const std::exception& error) {
            if (request) fail(id, request_failed, error.what());
        }
    }

    // Notifications

    void take(const std::string& name, const Json& params) {
        if (name == "exit") exit = phase == Phase::shut_down ? 0 : 1;
        if (phase != Phase::running) return;
        if (name == "textDocument/didOpen") open(params.at("textDocument"));
        if (name == "textDocument/didChange") change(params);
        if (name == "textDocument/didClose") close(params.at("textDocument").at("uri"));
        if (name == "textDocument/didSave")  // others may use it
            for (const auto& [uri, file] : workspace.files()) look_at(uri);
    }

    void look_at(const std::string& uri) {
        if (std::find(to_look_at.begin(), to_look_at.end(), uri) == to_look_at.end())
            to_look_at.push_back(uri);
    }

    static std::optional<std::int64_t> version_of(const Json& document) {
        const Json version = document.value("version", Json());
        return version.is_number_integer() ? std::optional(version.get<std::int64_t>()) : std::nullopt;
    }

    void open(const Json& document) {
        const std::string uri = document.at("uri");
        workspace.files()[uri] = {editor::Text(document.at("text").get<std::string>()), version_of(document)};
        look_at(uri);
    }

    void change(const Json& params) {
        const std::string uri = params.at("textDocument").at("uri");
        const auto found = workspace.files().find(uri);
        if (found == workspace.files().end()) return;
        editor::Text text = found->second.text;  // all changes or none
        for (const Json& part : params.at("contentChanges")) {
            std::string by = part.at("text");
            text = part.contains("range") ? text.replaced(range_of(part["range"]), by)
                                          : editor::Text(std::move(by));
        }
        found->second = {std::move(text), version_of(params.at("textDocument"))};
        look_at(uri);
    }

    void close(const std::string& uri) {
        if (workspace.files().erase(uri) == 0) return;
        std::erase(to_look_at, uri);
        notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
    }

    void look_through(const std::string& uri) {
        const OpenFile* file = workspace.find(uri);
        if (!file) return;
        Json list = Json::array();
        for (const editor::Problem& problem : editor::problems_of(path_of(uri), file->text))
            list.push_back({{"range", to_json(problem.range)},
                            {"severity", problem.severity == editor::Severity::error ? 1 : 2},
                            {"source", "deltaflow"},
                            {"message", problem.message}});
        Json params{{"uri", uri}, {"diagnostics", std::move(list)}};
        if (file->version) params["version"] = *file->version;
        notify("textDocument/publishDiagnostics", std::move(params));
    }

    // Requests

    Json answer(const std::string& name, const Json& params) {
        if (name == "initialize") return initialize(params);
        if (phase == Phase::created) throw Failure{not_initialized, "initialize comes first"};
        if (phase == Phase::shut_down) throw Failure{invalid_request, "the server has been shut down"};
        if (name == "shutdown") {
            phase = Phase::shut_down;
            return nullptr;
        }
        using Handler = Json (Impl::*)(const editor::Project&, std::size_t, const Json&);
        static const std::unordered_map<std::string, Handler> handlers = {
            {"textDocument/completion", &Impl::complete},      {"textDocument/hover", &Impl::hover},
            {"textDocument/definition", &Impl::define},        {"textDocument/references", &Impl::refer},
            {"textDocument/prepareRename", &Impl::can_rename}, {"textDocument/rename", &Impl::rename},
            {"textDocument/documentSymbol", &Impl::outline}};
        const auto found = handlers.find(name);
        if (found == handlers.end()) throw Failure{method_not_found, "there is no method " + name};
        const std::string uri = params.at("textDocument").at("uri");
        if (!workspace.find(uri)) throw Failure{invalid_params, "this file is not open: " + uri};
        const auto project = workspace.project(uri);
        if (!project) return nullptr;
        const bool placed = name != "textDocument/documentSymbol";
        const std::size_t offset =
            placed ? project->documents[0].text.offset(position_of(params.at("position"))) : 0;
        return (this->*found->second)(*project, offset, params);
    }

    Json initialize(const Json& params) {
        if (phase != Phase::created)
            throw Failure{invalid_request, "the server has been initialized already"};
        std::vector<std::string> folders;
        const Json list = params.value("workspaceFolders", Json());
        if (list.is_array())
            for (const Json& folder : list)
                if (folder.is_object() && folder.contains("uri") && folder["uri"].is_string())
                    folders.push_back(path_of(folder["uri"]));
        const Json root = params.value("rootUri", Json());
        if (folders.empty() && root.is_string()) folders.push_back(path_of(root));
        workspace.set_folders(std::move(folders));
        phase = Phase::running;
        return capabilities();
    }

    Json complete(const editor::Project& project, std::size_t offset, const Json&) {
        const editor::Text& text = project.documents[0].text;
        Json items = Json::array();
        for (const editor::Item& item : editor::complete(project, offset)) {
            Json one{{"label", item.label},
                     {"kind", kind_of(item.kind)},
                     {"textEdit",
                      {{"range", to_json(text.range(item.replaces))},
                       {"newText", item.insert.empty() ? item.label : item.insert}}}};
            if (!item.detail.empty()) one["detail"] = item.detail;
            if (!item.documentation.empty())
                one["documentation"] = markdown("```\n" + item.documentation + "\n```");
            items.push_back(std::move(one));
        }
        return {{"isIncomplete", false}, {"items", std::move(items)}};
    }

    Json hover(const editor::Project& project, std::size_t offset, const Json&) {
        const auto found = editor::hover(project, offset);
        if (!found) return nullptr;
        return {{"contents", markdown(found->markdown)},
                {"range", to_json(project.documents[0].text.range(found->span))}};
    }

    Json define(const editor::Project& project, std::size_t offset, const Json&) {
        const auto found = editor::definition(project, offset);
        return found ? to_json(*found) : Json(nullptr);
    }

    Json refer(const editor::Project& project, std::size_t offset, const Json& params) {
        const Json context = params.value("context", Json::object());
        Json list = Json::array();
        for (const editor::Location& found :
             editor::references(project, offset, context.value("includeDeclaration", true)))
            list.push_back(to_json(found));
        return list;
    }

    Json can_rename(const editor::Project& project, std::size_t offset, const Json&) {
        const auto span = editor::renamable(project, offset);
        return span ? to_json(project.documents[0].text.range(*span)) : Json(nullptr);
    }

    Json rename(const editor::Project& project, std::size_t offset, const Json& params) {
        const std::string uri = params.at("textDocument").at("uri"), name = params.at("newName");
        Json changes = Json::object();
        for (const editor::Edit& edit : editor::rename(project, offset, name, workspace.users_of(uri)))
            changes[edit.path == project.documents[0].path ? uri : uri_of(edit.path)].push_back(
                {{"range", to_json(edit.range)}, {"newText", edit.text}});
        return {{"changes", std::move(changes)}};
    }

    Json outline(const editor::Project& project, std::size_t, const Json&) {
        return to_json(editor::outline_of(project.documents[0]));
    }
};

LanguageServer::LanguageServer(std::function<void(const std::string&)> send)
    : impl_(std::make_unique<Impl>()) {
    impl_->send = std::move(send);
}
LanguageServer::~LanguageServer() = default;

void LanguageServer::receive(const std::string& content) { impl_->receive(content); }
void LanguageServer::receive_too_large() {
    impl_->fail(nullptr, invalid_request, "this message is too large");
}

bool LanguageServer::work() {
    if (!impl_->waiting.empty()) {
        const Json message = std::move(impl_->waiting.front());
        impl_->waiting.pop_front();
        impl_->handle(message);
        return true;
    }
    if (impl_->to_look_at.empty()) return false;
    const std::string uri = impl_->to_look_at.front();
    impl_->to_look_at.erase(impl_->to_look_at.begin());
    impl_->look_through(uri);
    return true;
}

std::optional<int> LanguageServer::ended() const { return impl_->exit; }

}  // namespace deltaflow::app
