// The language server: messages in, messages out. Knows no streams and no threads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace deltaflow::app {

class LanguageServer {
public:
    // `send` gets the content of each message.
    explicit LanguageServer(std::function<void(const std::string&)> send);
    ~LanguageServer();

    // A message that arrived. It is answered by work(), in order; cancelling counts at once.
    void receive(const std::string& content);
    void receive_too_large();

    // Does the next thing there is to do: answers a message or, when there is none, looks a changed file
    // through. False: nothing to do.
    bool work();

    // What the program exits with, once the editor has said `exit`.
    std::optional<int> ended() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace deltaflow::app
