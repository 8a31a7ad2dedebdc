// A small server for one person: pages on the loopback address, a request a connection.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace deltaflow::app {

struct HttpRequest {
    std::string verb;  // "GET"
    std::string path;  // decoded, without what follows a "?"
    std::string host, origin;
    std::string body;
};

struct HttpAnswer {
    int code = 200;
    std::string type = "text/plain; charset=utf-8";
    std::string body;
};

class HttpServer {
public:
    // Listens on 127.0.0.1; port 0 is any that is free. Throws OutputError.
    explicit HttpServer(std::uint16_t port);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    std::uint16_t port() const { return port_; }

    // Answers until `stop` is set. Requests are answered side by side: `answer` may be called by several
    // threads at once. Of a request that is not welcome by its head the body is not read.
    void serve(const std::function<HttpAnswer(const HttpRequest&)>& answer,
               const std::function<bool(const HttpRequest&)>& welcome, const std::atomic<bool>& stop);

private:
    int socket_ = -1;
    std::uint16_t port_ = 0;
};

// "%2Fa+b" as "/a+b". What is no such text stays as it is.
std::string percent_decoded(const std::string& text);

// The head of a request, up to the empty line; false if it is none.
bool read_head(const std::string& head, HttpRequest& request, std::size_t& body_size);

}  // namespace deltaflow::app
