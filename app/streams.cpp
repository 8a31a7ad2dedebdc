// Each file is open while the others inside it are.
#include "app/streams.hpp"

#include "app/interrupt.hpp"

#include <optional>

namespace deltaflow::app {

namespace {

// Falls silent once its file cannot be written.
class Careful final : public Sink {
public:
    explicit Careful(Sink& sink) : sink_(sink) {}
    void begin(const Trace& heading) override {
        tell([&] { sink_.begin(heading); });
    }
    void take(const Trace& part) override {
        tell([&] { sink_.take(part); });
    }
    void end(const Trace& closing) override {
        tell([&] { sink_.end(closing); });
    }
    void throw_what_failed() const {
        if (error_) throw OutputError(*error_);
    }

private:
    template <class Told>
    void tell(const Told& told) {
        if (error_) return;
        try {
            told();
        } catch (const OutputError& error) {
            error_ = error;
        }
    }

    Sink& sink_;
    std::optional<OutputError> error_;
};

}  // namespace

bool write_along(std::span<const Stream> streams, Sinks& sinks, const std::function<void()>& body) {
    if (streams.empty()) {
        body();
        return true;
    }
    const Stream& stream = streams.front();
    bool begun = false, good = true;
    const auto others = [&] {
        begun = true;
        good = write_along(streams.subspan(1), sinks, body);
    };
    try {
        const Writer writer = [&](Output& output) {
            const std::unique_ptr<Sink> sink = stream.make(output);
            Careful careful(*sink);
            sinks.add(careful);
            others();
            careful.throw_what_failed();
        };
        stream.live ? write_live(stream.path, writer) : write_file(stream.path, writer);
    } catch (const OutputError& error) {
        tell(fmt::format("deltaflow: {}\n", error.what()));
        if (!begun) others();
        return false;
    }
    return good;
}

}  // namespace deltaflow::app
