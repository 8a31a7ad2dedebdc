// An editor, as far as a language server can tell: starts it, speaks to it through pipes, reads what it says.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

class Editor {
public:
    using Json = nlohmann::json;

    Editor();
    ~Editor();
    Editor(const Editor&) = delete;
    Editor& operator=(const Editor&) = delete;

    void send_bytes(const std::string& bytes);
    void send(const Json& message);
    void notify(const std::string& method, Json params = Json::object());
    // Sends and does not wait; gives the id.
    int ask_later(const std::string& method, Json params = Json::object());
    // The next message of the server; nothing if it has gone, or says nothing for half a minute.
    std::optional<Json> next();
    // The answer to a question; what comes before it is kept.
    Json answer(int id);
    Json ask(const std::string& method, Json params = Json::object()) {
        return answer(ask_later(method, params));
    }
    // The next list of mistakes for a file.
    Json diagnostics(const std::string& uri);

    void initialize();
    void open(const std::string& uri, const std::string& text);
    // What the server exits with.
    int wait();

private:
    std::vector<Json> kept_;
    std::string buffer_;
    pid_t child_ = 0;
    int in_ = -1, out_ = -1, last_id_ = 0;
};
