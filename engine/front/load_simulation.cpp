// The [simulation] table.
#include "engine/front/load_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

constexpr int most_threads = 1024;

class SettingsReader {
public:
    SettingsReader(const Environment& environment, Report& report)
        : environment_(environment), report_(report) {}

    Simulation read(const std::vector<const Entry*>& entries) {
        for (const Entry* entry : entries) {
            try {
                read_entry(*entry);
            } catch (const Reported&) {
            }
        }
        check_span(entries);
        return simulation_;
    }

private:
    using Words = std::vector<std::string_view>;

    void read_entry(const Entry& entry) {
        Settings& s = simulation_.settings;
        const std::string& key = entry.key;
        const Value& value = entry.value;
        if (key == "start")
            s.start = number(value).value;
        else if (key == "stop")
            s.stop = number(value).value;
        else if (key == "method") {
            s.method = choice<Method>(entry);
            s.method_given = true;
        } else if (key == "impulses")
            s.impulses = choice<ImpulseKind>(entry);
        else if (key == "step")
            s.step = positive(entry).rational();
        else if (key == "riemann")
            s.riemann = choice<Riemann>(entry);
        else if (key == "tolerance")
            s.tolerance = positive(entry).value;
        else if (key == "absolute")
            s.absolute = positive(entry).value;
        else if (key == "certify")
            s.certify = truth(entry);
        else if (key == "every")
            s.every = positive(entry).rational();
        else if (key == "record")
            simulation_.record = &value;
        else if (key == "simultaneous")
            s.simultaneous = choice<Simultaneous>(entry);
        else if (key == "zeno")
            s.zeno = choice<AtZeno>(entry);
        else if (key == "sliding")
            s.sliding = choice<Sliding>(entry);
        else if (key == "max_events")
            s.max_events = count(entry);
        else if (key == "threads")
            s.threads = threads(entry);
        else
            fail_unknown(entry);
    }

    [[noreturn]] void fail_unknown(const Entry& entry) {
        const Words known{"start",     "stop",     "method",     "impulses", "step",   "riemann",
                          "tolerance", "absolute", "certify",    "every",    "record", "simultaneous",
                          "zeno",      "sliding",  "max_events", "threads"};
        report_.add(entry.place, fmt::format("unknown key \"{}\" of [simulation]{}", entry.key,
                                             report_.key_hint(entry.key, known)));
        throw Reported{};
    }

    [[noreturn]] void fail(const Value& value, std::string message) {
        report_.add(value.place, std::move(message));
        throw Reported{};
    }

    Number number(const Value& value) {
        return evaluate(value, "a number or an expression of parameters", environment_, report_);
    }

    Number positive(const Entry& entry) {
        const Number n = number(entry.value);
        if (sign(n) <= 0) fail(entry.value, fmt::format("\"{}\" must be greater than 0", entry.key));
        return n;
    }

    // A word, too: the command line gives words.
    bool truth(const Entry& entry) {
        const Value& value = entry.value;
        if (value.kind == Value::Kind::boolean) return value.integer != 0;
        if (value.kind == Value::Kind::string && (value.text == "true" || value.text == "false"))
            return value.text == "true";
        fail(value, fmt::format("\"{}\" must be true or false", entry.key));
    }

    std::uint64_t count(const Entry& entry) {
        const Number n = number(entry.value);
        const Rational r = n.rational();
        if (sign(r) <= 0 || r.denominator() != 1 || n.value > 1e18)
            fail(entry.value, fmt::format("\"{}\" must be a whole number, 1 or more", entry.key));
        return static_cast<std::uint64_t>(r.numerator());
    }

    // 0 stands for all processors.
    unsigned threads(const Entry& entry) {
        const Rational r = number(entry.value).rational();
        if (sign(r) < 0 || r.denominator() != 1 || r > Rational(Integer(most_threads)))
            fail(entry.value, fmt::format("\"threads\" must be a whole number from 0 (all processors) to {}",
                                          most_threads));
        return static_cast<unsigned>(r.numerator());
    }

    template <class E>
    E choice(const Entry& entry) {
        const Value& value = entry.value;
        if (value.kind == Value::Kind::string)
            if (const auto found = find_choice<E>(value.text)) return *found;
        Words known;
        for (const auto& one : choices<E>) known.push_back(one.name);
        std::string list;
        for (const auto& name : known) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", name);
        fail(value,
             fmt::format("\"{}\" must be one of {}{}", entry.key, list, report_.hint(value.text, known)));
    }

    // The end must come after the start; points at the key that says otherwise.
    void check_span(const std::vector<const Entry*>& entries) {
        const Settings& s = simulation_.settings;
        if (s.stop > s.start) return;
        for (const std::string_view key : {"stop", "start"})
            for (const Entry* entry : entries)
                if (entry->key == key)
                    return report_.add(
                        entry->value.place,
                        fmt::format("the stop time {} must come after the start time {}", s.stop, s.start));
    }

    const Environment& environment_;
    Report& report_;
    Simulation simulation_;
};

}  // namespace

Simulation read_simulation(const std::vector<const Entry*>& entries, const Environment& environment,
                           Report& report) {
    return SettingsReader(environment, report).read(entries);
}

}  // namespace deltaflow::front
