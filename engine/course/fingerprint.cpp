// FNV-1a over everything that the course of a run depends on.
#include "engine/course/fingerprint.hpp"

#include "deltaflow/version.hpp"
#include "engine/model/archive.hpp"

#include <algorithm>
#include <string_view>

namespace deltaflow {

namespace {

class Hash {
public:
    void bytes(const void* p, std::size_t n) {
        const auto* b = static_cast<const unsigned char*>(p);
        for (std::size_t i = 0; i < n; ++i) value_ = (value_ ^ b[i]) * 1099511628211u;
    }
    void text(std::string_view s) {
        number(s.size());
        bytes(s.data(), s.size());
    }
    template <class T>
    void number(T x) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        bytes(&x, sizeof x);
    }
    template <class T>
    void numbers(const std::vector<T>& list) {
        number(list.size());
        for (const T& x : list) number(x);
    }
    void fraction(const std::optional<Rational>& r) { text(r ? to_string(*r) : ""); }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 14695981039346656037u;
};

void add(Hash& h, const Diagram& d) {
    for (const Node& n : d.nodes) {
        h.number(n.op);
        h.number(n.extra);
        h.number(n.input_count);
    }
    h.numbers(d.inputs);
    h.numbers(d.parameters);
    for (const Schedule& s : d.schedules) {
        h.number(s.before);
        h.number(s.fed);
        h.number(s.set);
        h.number(s.timer);
        h.number(s.noise.has_value());
        h.number(s.noise ? s.noise->seed : 0);
        h.number(s.noise ? s.noise->size : 0.0);
        h.fraction(s.period);
        for (const Breakpoint& p : s.points) {
            h.fraction(p.t);
            h.number(p.value);
            h.number(p.slope);
            h.numbers(p.impulses);
        }
    }
    for (const Clock& c : d.clocks) {
        h.fraction(c.period);
        h.fraction(c.phase);
    }
    for (const auto& [node, guess] : d.guesses) {
        h.number(node);
        h.number(guess);
    }
}

void add(Hash& h, const bonds::Graph& g) {
    for (const auto& e : g.elements) {
        h.number(e.type);
        h.number(e.value);
        h.number(e.initial_momentum);
        h.number(e.initial_displacement);
    }
    for (const auto& a : g.automata) {
        h.number(a.initial);
        for (const auto& t : a.transitions) {
            h.number(t.from);
            h.number(t.to);
            h.fraction(t.after);
            h.number(t.once);
        }
    }
}

void add(Hash& h, const Settings& s) {
    h.number(s.start);
    h.number(s.stop);
    h.number(s.method);
    h.number(s.impulses);
    h.fraction(s.step);
    h.number(s.riemann);
    h.number(s.tolerance);
    h.number(s.absolute.value_or(-1));
    h.number(s.certify);
    h.fraction(s.every);
    h.numbers(s.at);
    h.number(s.simultaneous);
    h.number(s.zeno);
    h.number(s.sliding);
    h.number(s.sundials);
    h.number(s.max_events);
}

constexpr std::string_view magic = "deltaflow state " DELTAFLOW_VERSION "\n";

[[noreturn]] void refuse(const char* why) { throw ModelError(ErrorKind::option, {}, {{Place{}, why, {}}}); }

}  // namespace

std::uint64_t fingerprint(const FlatModel& model) { return fingerprint(model, {}); }

std::uint64_t fingerprint(const FlatModel& model, std::string_view more) {
    Hash h;
    if (!more.empty()) h.text(more);
    for (const auto& file : model.sources.files) h.text(file.text);
    add(h, model.diagram);
    add(h, model.graph);
    add(h, model.settings);
    for (const Recorded& recorded : model.record) h.text(recorded.name);
    return h.value();
}

void seal(std::uint64_t fingerprint, const std::function<void(const TakeBytes&)>& state,
          const TakeBytes& out) {
    Hash h;
    std::size_t size = 0;
    state([&](std::span<const std::byte> part) {
        h.bytes(part.data(), part.size());
        size += part.size();
    });
    Archive a;
    std::string head(magic);
    std::uint64_t sum = h.value();
    a(head, fingerprint, sum);
    a.length(size);
    out(a.take());
    state(out);
}

std::vector<std::byte> seal(std::uint64_t fingerprint, std::vector<std::byte> state) {
    std::vector<std::byte> sealed;
    seal(
        fingerprint, [&](const TakeBytes& take) { take(state); },
        [&](std::span<const std::byte> part) { sealed.insert(sealed.end(), part.begin(), part.end()); });
    return sealed;
}

std::span<const std::byte> unseal(std::uint64_t fingerprint, std::span<const std::byte> bytes) try {
    Archive a(bytes);
    std::string head;
    std::uint64_t whose = 0, sum = 0;
    constexpr std::string_view begin = magic.substr(0, magic.find_last_of(' '));
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.substr(std::min(text.size(), sizeof(std::uint64_t)), begin.size()) != begin)
        refuse("this is no saved state");
    a(head);
    if (head != magic) refuse("the state was saved by another version of Deltaflow");
    a(whose, sum);
    const std::size_t size = a.length(0);
    if (a.left() != size) throw BadArchive();
    const auto state = bytes.last(size);
    Hash h;
    h.bytes(state.data(), state.size());
    if (h.value() != sum) throw BadArchive();
    if (whose != fingerprint)
        refuse(
            "the state was saved from another model, or with other parameters, options or signals recorded");
    return state;
} catch (const BadArchive& bad) {
    refuse(bad.what());
}

}  // namespace deltaflow
