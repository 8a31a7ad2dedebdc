// Pipes, frames and JSON of the editor's side; written apart from the server's.
#include "tests/app/lsp_client.hpp"

#include "tests/paths.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

Editor::Editor() {
    int to[2], from[2];
    if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0) throw std::runtime_error("no pipes");
    const std::string program = deltaflow::test::program_path();
    ::signal(SIGPIPE, SIG_IGN);
    child_ = ::fork();
    if (child_ == 0) {
        ::dup2(to[0], STDIN_FILENO);
        ::dup2(from[1], STDOUT_FILENO);
        ::execl(program.c_str(), program.c_str(), "lsp", "--stdio", nullptr);
        ::_exit(127);
    }
    ::close(to[0]);
    ::close(from[1]);
    in_ = to[1];
    out_ = from[0];
}

Editor::~Editor() {
    if (in_ >= 0) ::close(in_);
    if (child_ > 0) ::kill(child_, SIGKILL), ::waitpid(child_, nullptr, 0);
    ::close(out_);
}

void Editor::send_bytes(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t count = ::write(in_, bytes.data() + at, bytes.size() - at);
        if (count <= 0) return;
        at += static_cast<std::size_t>(count);
    }
}

void Editor::send(const Json& message) {
    const std::string content = message.dump();
    send_bytes("Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + content);
}

void Editor::notify(const std::string& method, Json params) {
    send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

int Editor::ask_later(const std::string& method, Json params) {
    send({{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", std::move(params)}});
    return last_id_;
}

std::optional<Editor::Json> Editor::next() {
    while (true) {
        const std::size_t header = buffer_.find("\r\n\r\n");
        if (header != std::string::npos) {
            const std::size_t length = std::stoul(buffer_.substr(buffer_.find(": ") + 2));
            if (buffer_.size() >= header + 4 + length) {
                const std::string content = buffer_.substr(header + 4, length);
                buffer_.erase(0, header + 4 + length);
                return Json::parse(content);
            }
        }
        pollfd waiting{out_, POLLIN, 0};
        if (::poll(&waiting, 1, 30000) <= 0) return std::nullopt;
        char bytes[65536];
        const ssize_t count = ::read(out_, bytes, sizeof bytes);
        if (count <= 0) return std::nullopt;
        buffer_.append(bytes, static_cast<std::size_t>(count));
    }
}

Editor::Json Editor::answer(int id) {
    while (auto message = next()) {
        if (message->contains("id") && (*message)["id"] == id && !message->contains("method"))
            return *message;
        kept_.push_back(std::move(*message));
    }
    return {{"gone", true}};
}

Editor::Json Editor::diagnostics(const std::string& uri) {
    const auto fits = [&](const Json& message) {
        return message.value("method", "") == "textDocument/publishDiagnostics" &&
               message["params"]["uri"] == uri;
    };
    for (std::size_t i = 0; i < kept_.size(); ++i)
        if (fits(kept_[i])) {
            const Json found = kept_[i]["params"];
            kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(i));
            return found;
        }
    while (auto message = next())
        if (fits(*message)) return (*message)["params"];
    return {{"gone", true}};
}

void Editor::initialize() {
    ask("initialize", {{"processId", nullptr}, {"rootUri", nullptr}, {"capabilities", Json::object()}});
    notify("initialized");
}

void Editor::open(const std::string& uri, const std::string& text) {
    notify("textDocument/didOpen",
           {{"textDocument", {{"uri", uri}, {"languageId", "toml"}, {"version", 1}, {"text", text}}}});
}

int Editor::wait() {
    ::close(in_);
    in_ = -1;
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
