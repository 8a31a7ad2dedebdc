// Lines, brackets and numbers are dropped or made simpler, one at a time, until nothing can be.
#include "tests/campaign/minimise.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace deltaflow::campaign {

namespace {

class Minimiser {
public:
    Minimiser(const Trial& trial, const Finding& finding, int most)
        : best_(trial.draft),
          seed_(trial.seed),
          variant_(finding.variant),
          kind_(kind(finding)),
          left_(most) {}

    Draft run() {
        for (bool smaller = true; smaller && left_ > 0;) {
            smaller = false;
            smaller |= drop_records();
            smaller |= drop_sections();
            smaller |= drop_lines();
            smaller |= simplify_lines();
        }
        return best_;
    }

private:
    // Exit codes that differ stay those; other differences may change their numbers.
    static std::string kind(const Finding& finding) {
        std::string kind;
        const std::string& what = finding.what;
        if (what.rfind("exit code", 0) != 0) return "values";
        for (std::size_t i = 0; i < what.size() && what[i] != ':'; ++i)
            if (what.compare(i, 5, "code ") == 0 || what.compare(i, 3, "or ") == 0)
                kind += what.substr(what.find_first_of("0123456789", i), 2);
        return kind;
    }

    bool accept(const Draft& smaller) {
        if (left_-- <= 0 || interrupt_flag()) return false;
        const Trial trial = examine(smaller, seed_, std::nullopt, variant_);
        for (const Finding& f : trial.findings)
            if (f.variant == variant_ && f.verdict == Verdict::differs && kind(f) == kind_) {
                best_ = smaller;
                return true;
            }
        return false;
    }

    bool drop_records() {
        bool dropped = false;
        for (std::size_t i = 0;; ++i) {
            auto names = strings_of(best_.value("simulation", "record"));
            if (names.size() < 2 || i >= names.size()) return dropped;
            names.erase(names.begin() + static_cast<std::ptrdiff_t>(i));
            Draft smaller = best_;
            smaller.set("simulation", "record", list_of(names));
            if (accept(smaller)) {
                dropped = true;
                --i;
            }
        }
    }

    bool drop_sections() {
        bool dropped = false;
        for (std::size_t i = 0; i < best_.sections.size(); ++i) {
            Draft smaller = best_;
            smaller.sections.erase(smaller.sections.begin() + static_cast<std::ptrdiff_t>(i));
            if (best_.sections[i].header != "simulation" && accept(smaller)) {
                dropped = true;
                --i;
            }
        }
        return dropped;
    }

    // Without the line; whoever reads what it defined reads a number or the time.
    bool drop_line(std::size_t section, std::size_t line) {
        const std::string key = key_of(best_.sections[section].lines[line]);
        Draft smaller = best_;
        auto& lines = smaller.sections[section].lines;
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(line));
        if (accept(smaller)) return true;
        for (const char* const instead : {"1", "0", "t"}) {
            Draft other = smaller;
            for (Section& s : other.sections)
                for (std::string& l : s.lines)
                    if (key_of(l) != "record")
                        l = key_of(l) + " = " + replace_words(value_of(l), {{key, instead}});
            if (other.text() != smaller.text() && accept(other)) return true;
        }
        return false;
    }

    bool drop_lines() {
        bool dropped = false;
        for (std::size_t s = 0; s < best_.sections.size(); ++s)
            for (std::size_t l = 0; l < best_.sections[s].lines.size(); ++l)
                if (drop_line(s, l)) {
                    dropped = true;
                    --l;
                }
        return dropped;
    }

    bool try_line(std::size_t s, std::size_t l, const std::string& line) {
        if (line == best_.sections[s].lines[l]) return false;
        Draft smaller = best_;
        smaller.sections[s].lines[l] = line;
        return accept(smaller);
    }

    bool simplify_lines() {
        bool simpler = false;
        for (std::size_t s = 0; s < best_.sections.size(); ++s)
            for (std::size_t l = 0; l < best_.sections[s].lines.size(); ++l) {
                if (key_of(best_.sections[s].lines[l]) == "record") continue;
                while (left_ > 0 && (simplify_brackets(s, l) || drop_pairs(s, l))) simpler = true;
                simpler |= simplify_numbers(s, l);
            }
        return simpler;
    }

    // (...) becomes what it holds, or a plain term.
    bool simplify_brackets(std::size_t s, std::size_t l) {
        const std::string line = best_.sections[s].lines[l];
        for (std::size_t open = line.find('('); open != std::string::npos; open = line.find('(', open + 1)) {
            const std::size_t close = matching(line, open);
            if (close == std::string::npos) continue;
            std::size_t name = open;
            while (name > 0 && std::isalnum(static_cast<unsigned char>(line[name - 1])) != 0) --name;
            const std::string head = line.substr(0, name), tail = line.substr(close + 1);
            const std::string inside = line.substr(open + 1, close - open - 1);
            for (const std::string& instead : {std::string("1"), std::string("t"), inside}) {
                const bool shorter = instead != inside || name != open || plain(inside);
                if (shorter && head.size() + instead.size() + tail.size() < line.size() &&
                    try_line(s, l, head + instead + tail))
                    return true;
            }
        }
        return false;
    }
    static bool plain(const std::string& s) { return s.find_first_of("+-*/^, ") == std::string::npos; }
    static std::size_t matching(const std::string& line, std::size_t open) {
        int depth = 0;
        for (std::size_t i = open; i < line.size(); ++i) {
            if (line[i] == '(') ++depth;
            if (line[i] == ')' && --depth == 0) return i;
        }
        return std::string::npos;
    }

    // ", key = value" of a table, and "+ term" of a sum.
    bool drop_pairs(std::size_t s, std::size_t l) {
        const std::string line = best_.sections[s].lines[l];
        for (std::size_t i = 1; i < line.size(); ++i) {
            const bool pair = line[i] == ',', sum = line.compare(i, 3, " + ") == 0 ||
                                                    line.compare(i, 3, " - ") == 0 || line[i] == '*';
            if (!pair && !sum) continue;
            std::size_t end = i + 1 + (line[i] == ' ' ? 2 : 0);
            int depth = 0;
            for (; end < line.size(); ++end) {
                const char c = line[end];
                if (c == '(' || c == '[' || c == '{') ++depth;
                if ((c == ')' || c == ']' || c == '}') && depth-- == 0) break;
                if (depth == 0 && (c == ',' || (sum && (c == '"' || c == ' ' || c == '*')))) break;
            }
            if (try_line(s, l, line.substr(0, i) + line.substr(end))) return true;
        }
        return false;
    }

    bool simplify_numbers(std::size_t s, std::size_t l) {
        bool simpler = false;
        std::size_t i = best_.sections[s].lines[l].find('=') + 1;
        for (; left_ > 0; ++i) {
            const std::string line = best_.sections[s].lines[l];
            if (i >= line.size()) break;
            const bool begins = std::isdigit(static_cast<unsigned char>(line[i])) != 0 &&
                                std::isalnum(static_cast<unsigned char>(line[i - 1])) == 0 &&
                                line[i - 1] != '.' && line[i - 1] != '_';
            if (!begins) continue;
            std::size_t end = i;
            while (end < line.size() &&
                   (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '.' ||
                    ((line[end] == '-' || line[end] == '+') && line[end - 1] == 'e')))
                ++end;
            const std::string number = line.substr(i, end - i);
            std::vector<std::string> simple{"0", "1", "2"};
            if (number.size() > 4) simple.push_back(number.substr(0, 3));
            for (const std::string& n : simple)
                if (n.size() <= number.size() && n != number && number != "0" &&
                    !(number == "1" && n == "2") &&
                    try_line(s, l, line.substr(0, i) + n + line.substr(end))) {
                    simpler = true;
                    break;
                }
            while (i < best_.sections[s].lines[l].size() &&
                   (std::isalnum(static_cast<unsigned char>(best_.sections[s].lines[l][i])) != 0 ||
                    best_.sections[s].lines[l][i] == '.'))
                ++i;
        }
        return simpler;
    }

    Draft best_;
    std::uint64_t seed_;
    std::string variant_, kind_;
    int left_;
};

}  // namespace

Draft minimised(const Trial& trial, const Finding& finding, int most_trials) {
    return Minimiser(trial, finding, most_trials).run();
}

}  // namespace deltaflow::campaign
