// `deltaflow lsp`: a language server on standard input and output, for editors.
#include "app/commands/commands.hpp"
#include "app/server/frames.hpp"
#include "app/server/language_server.hpp"

#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

namespace deltaflow::app {

namespace {

// Not stdio: whoever waits in it would hold its lock while the program ends.
std::size_t read_standard_input(char* to, std::size_t most) {
    while (true) {
        const ssize_t count = ::read(STDIN_FILENO, to, most);
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR) return 0;
    }
}

// What has arrived while something was worked on.
class Mailbox {
public:
    void put(Frame frame) {
        const std::lock_guard lock(mutex_);
        frames_.push_back(std::move(frame));
        changed_.notify_one();
    }
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_one();
    }
    // All that is there; waits for something if nothing is, and if `wait` says so.
    std::deque<Frame> take(bool wait) {
        std::unique_lock lock(mutex_);
        if (wait) changed_.wait(lock, [&] { return closed_ || !frames_.empty(); });
        return std::exchange(frames_, {});
    }
    bool is_over() {
        const std::lock_guard lock(mutex_);
        return closed_ && frames_.empty();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Frame> frames_;
    bool closed_ = false;
};

void receive(LanguageServer& server, const std::deque<Frame>& frames) {
    for (const Frame& frame : frames) {
        if (frame.too_large)
            server.receive_too_large();
        else
            server.receive(frame.content);
    }
}

}  // namespace

int lsp(const LspOptions&) {
    bool heard = true;
    LanguageServer server([&heard](const std::string& content) {
        const std::string bytes = framed(content);
        heard = heard && std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() &&
                std::fflush(stdout) == 0;
    });
    Mailbox mailbox;
    // It stays in read() until the editor closes its end, so nobody waits for it.
    std::thread([&mailbox] {
        FrameReader reader(read_standard_input);
        while (auto frame = reader.next()) mailbox.put(std::move(*frame));
        mailbox.close();
    }).detach();
    bool busy = false;
    while (heard && !server.ended() && (busy || !mailbox.is_over())) {
        receive(server, mailbox.take(!busy));
        busy = server.work();
    }
    std::_Exit(server.ended().value_or(1));  // the thread may still use the mailbox
}

}  // namespace deltaflow::app
