// HTTP/1.1 as far as a browser on the same machine needs it.
#include "app/server/http.hpp"

#include "app/files.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <sstream>
#include <thread>

namespace deltaflow::app {

namespace {

constexpr std::size_t largest_head = 16 << 10, largest_body = 64 << 20;
constexpr int most_connections = 64, patience_seconds = 10;

// An open connection; closed when it goes.
class Connection {
public:
    explicit Connection(int socket) : socket_(socket) {
        const timeval patience{patience_seconds, 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    }
    ~Connection() { ::close(socket_); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // False: nobody wants an answer any more, or what came is no request.
    bool read_head_of(HttpRequest& request) {
        const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(patience_seconds);
        std::string& text = request.body;
        std::size_t end = std::string::npos;
        while ((end = text.find("\r\n\r\n")) == std::string::npos)
            if (text.size() > largest_head || std::chrono::steady_clock::now() > late || !receive(text))
                return false;
        const std::string head = text.substr(0, end + 2);
        text.erase(0, end + 4);
        return read_head(head, request, body_size_) && body_size_ <= largest_body;
    }

    bool read_body_of(HttpRequest& request) {
        while (request.body.size() < body_size_)
            if (!receive(request.body)) return false;
        request.body.resize(body_size_);
        return true;
    }

    void write(const HttpAnswer& answer) {
        send(
            fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
                        "Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n"
                        "Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n"
                        "Content-Security-Policy: frame-ancestors 'self'\r\n\r\n",
                        answer.code, answer.code < 300 ? "OK" : "Refused", answer.type, answer.body.size()));
        send(answer.body);
    }

private:
    bool receive(std::string& text) {
        char buffer[1 << 14];
        const ssize_t n = ::recv(socket_, buffer, sizeof buffer, 0);
        if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
        return n > 0;
    }

    void send(std::string_view text) {
        while (!text.empty()) {
            const ssize_t n = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
            if (n <= 0) return;
            text.remove_prefix(static_cast<std::size_t>(n));
        }
    }

    int socket_;
    std::size_t body_size_ = 0;
};

int hexadecimal(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char low = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

}  // namespace

std::string percent_decoded(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hexadecimal(text[i + 1]) : -1;
        const int low = high < 0 ? -1 : hexadecimal(text[i + 2]);
        if (low >= 0) i += 2;
        result += low >= 0 ? static_cast<char>(16 * high + low) : text[i];
    }
    return result;
}

bool read_head(const std::string& head, HttpRequest& request, std::size_t& body_size) {
    std::istringstream lines(head);
    std::string line, target, version;
    if (!std::getline(lines, line)) return false;
    std::istringstream first(line);
    if (!(first >> request.verb >> target >> version) || version.rfind("HTTP/1.", 0) != 0) return false;
    request.path = percent_decoded(target.substr(0, target.find('?')));
    body_size = 0;
    while (std::getline(lines, line) && line != "\r") {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) return false;
        const std::string name = lower(line.substr(0, colon)), value = trimmed(line.substr(colon + 1));
        if (name == "host") request.host = value;
        if (name == "origin") request.origin = value;
        if (name == "transfer-encoding") return false;  // browsers tell the length of what they send
        if (name != "content-length") continue;
        if (value.empty() || value.size() > 12 || value.find_first_not_of("0123456789") != value.npos)
            return false;
        body_size = std::stoull(value);
    }
    return true;
}

HttpServer::HttpServer(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int yes = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    if (socket_ < 0 || ::bind(socket_, plain, size) != 0 || ::listen(socket_, 64) != 0 ||
        ::getsockname(socket_, plain, &size) != 0) {
        const std::string why = std::strerror(errno);
        if (socket_ >= 0) ::close(socket_);
        throw OutputError(fmt::format("no server on port {}: {}", port, why));
    }
    port_ = ntohs(address.sin_port);
}

HttpServer::~HttpServer() { ::close(socket_); }

void HttpServer::serve(const std::function<HttpAnswer(const HttpRequest&)>& answer,
                       const std::function<bool(const HttpRequest&)>& welcome,
                       const std::atomic<bool>& stop) {
    std::atomic<int> open = 0;
    while (!stop) {
        pollfd waiting{socket_, POLLIN, 0};
        if (open >= most_connections) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            continue;
        }
        if (::poll(&waiting, 1, 200) <= 0) continue;
        const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) continue;
        ++open;
        std::thread([socket, &answer, &welcome, &open] {
            {
                Connection connection(socket);
                HttpRequest request;
                if (connection.read_head_of(request) &&
                    (!welcome(request) || connection.read_body_of(request)))
                    connection.write(answer(request));
            }
            --open;
        }).detach();
    }
    while (open > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace deltaflow::app
