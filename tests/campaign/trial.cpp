// Methods, exact numbers and transformations against the reference, which is the model as it is by the
// default method.
#include "tests/campaign/trial.hpp"

#include "tests/campaign/change.hpp"
#include "tests/campaign/generate.hpp"
#include "tests/campaign/numeric.hpp"
#include "tests/campaign/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <sstream>
#include <utility>

namespace deltaflow::campaign {

namespace {

// Rounding, and the few digits that sums in another order or times of another size cost.
constexpr double rounding_tolerance = 1e-9, rounding_window = 1e-8, rounding_change = 1e-13;
// Coefficients, which act all the time, are moved by what their own rounding may be.
constexpr double last_place = 4e-16;
// Errors of a run at tolerance 1e-9 add up over its steps; a condition is less well placed than the states.
constexpr double method_tolerance = 1e-6, method_window = 1e-4, method_change = 1e-9;
// Times are known to some units in their last place, and signals may be steep.
constexpr double resolved = 100;
// A deviation is the model's own if a change of its numbers moves it so much, but for this factor.
constexpr double amplification = 30;
// An error of the method falls at least by this when its step or tolerance does (by 4 or 1000).
constexpr double convergence = 4;

// Of this thread, to tell which comparisons cost most.
double seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// How well a double can tell times of the run apart, as a part of it.
double resolution(const Outcome& o) {
    return o.stop > o.start ? 2.3e-16 * std::max(std::abs(o.start), std::abs(o.stop)) / (o.stop - o.start)
                            : 0;
}

// A source that jumps at the very start does so as an event; an expression has no left side there. Closed
// forms have no piece behind the stop.
Outcome without_ends(Outcome o) {
    for (auto& list : o.happenings)
        for (Happening& h : list) {
            if (h.t <= o.start) h.left = h.right;
            if (h.t >= o.stop - 2.3e-16 * std::abs(o.stop)) h.right = h.left;
        }
    return o;
}

class Examination {
public:
    Examination(const Draft& draft, std::uint64_t seed, std::string only)
        : draft_(draft), text_(draft.text()), random_(seed ^ 0x5eed), only_(std::move(only)) {
        trial_.seed = seed;
        trial_.draft = draft;
    }

    Trial run_all(const std::optional<Draft>& other_form) {
        reference_ = run(text_);
        trial_.code = reference_.code;
        if (reference_.code == 70) add("reference", Verdict::differs, reference_.message);
        if (reference_.out_of_budget()) {
            add("reference", Verdict::skipped, reference_.message);
            return trial_;
        }
        check_finite();
        methods();
        exact();
        proof();
        transformations(other_form);
        numeric();
        return trial_;
    }

private:
    bool wants(const std::string& variant, int percent) {
        const bool drawn = random_.percent(percent);  // drawn always, so that choices stay where they are
        return only_.empty() ? drawn : only_ == variant;
    }
    void add(const std::string& variant, Verdict verdict, const std::string& what) {
        const double now = seconds();
        trial_.findings.push_back({variant, verdict, what, now - last_});
        last_ = now;
    }

    void check_finite() {
        if (reference_.code != 0) return;
        for (const auto& row : reference_.samples)
            for (const double x : row)
                if (!std::isfinite(x))
                    return add("finite", Verdict::differs, "a sample is not a number, with exit code 0");
    }

    // How far the reference moves when its numbers do, times by what rounds them.
    const Deviation& response(double by, double unit, double window) {
        const auto [at, fresh] = responses_.try_emplace({by, unit});
        Deviation& known = at->second;
        if (!fresh) return known;
        for (const Change::Kind kind : every_change)
            for (const double side : {1.0, -1.0}) {
                const bool a_time = kind >= Change::times, rounded = by == rounding_change;
                const double part = kind == Change::coefficients && rounded ? last_place : by;
                Plan plan;
                plan.change = [&](FlatModel& model) { apply({kind, a_time ? unit : part, side}, model); };
                const Outcome moved = run(text_, plan);
                const Deviation d = deviation(reference_, moved, window);
                known.value = std::max(known.value, d.value);
                known.time = std::max(known.time, d.time);
                known.structure = known.structure || d.structure || moved.code != reference_.code;
            }
        return known;
    }

    // Loops with several solutions: does the model as it is come to the other's numbers from another guess?
    bool has_such_a_solution(const Outcome& other, double tolerance, double window) {
        if (guessed_.empty())
            for (const double guess : {1.0, -1.0, 10.0, -10.0, 1e3, -1e3, 1e6, -1e6}) {
                Plan plan;
                plan.change = [&](FlatModel& model) {
                    for (NodeId n = 0; n < model.diagram.nodes.size(); ++n)
                        model.diagram.guesses.emplace_back(n, guess);
                };
                guessed_.push_back(run(text_, plan));
            }
        return std::any_of(guessed_.begin(), guessed_.end(), [&](const Outcome& mine) {
            return mine.code == other.code && same_end(mine, other, window) &&
                   deviation(without_ends(mine), without_ends(other), window).within(tolerance);
        });
    }

    // Ends of runs that ended with errors.
    static bool same_end(const Outcome& a, const Outcome& b, double window) {
        const double span = std::min(a.stop, b.stop) - a.start;
        if (a.code == 3) return true;
        const double allowed =
            a.code == 7 ? std::max(window, 1e-2) : std::max(window, 1e-6);  // poles are approached
        return std::abs((a.end - a.start) - (b.end - b.start)) <= allowed * span;
    }

    Verdict judge(const Outcome& other, double tolerance, double window, double by, std::string& what) {
        if (other.out_of_budget()) return Verdict::skipped;
        const double least = std::max(resolution(reference_), resolution(other));
        window = std::max(window, resolved * least);
        tolerance += resolved * least;
        const bool codes = other.code == reference_.code && same_end(reference_, other, window);
        if (!codes)
            what =
                fmt::format("exit code {} at {} or {} at {}: {} | {}", reference_.code, reference_.end,
                            other.code, other.end, first_line(reference_.message), first_line(other.message));
        if (codes && other.code == 3) return Verdict::agrees;
        const Deviation d =
            other.code == 3 || reference_.code == 3 ? Deviation{} : deviation(reference_, other, window);
        if (codes && d.within(tolerance)) return Verdict::agrees;
        if (codes) what = fmt::format("{} (values {:.1e}, times {:.1e})", d.where, d.value, d.time);
        if (other.code == 3 || reference_.code == 3 || other.code == 70) return Verdict::differs;
        const double last = std::max({std::abs(reference_.start), std::abs(reference_.stop),
                                      std::abs(other.start), std::abs(other.stop)});
        const Deviation& own = response(by, 2.3e-16 * last, window);
        // What moves values by as much as there is of them moves events, too.
        if (own.structure || amplification * own.value >= 1) return Verdict::sensitive;
        const bool explained = codes && !d.structure && d.value <= tolerance + amplification * own.value &&
                               d.time <= tolerance + amplification * own.time;
        if (explained) return Verdict::sensitive;
        return has_such_a_solution(other, tolerance, window) ? Verdict::ambiguous : Verdict::differs;
    }
    static std::string first_line(const std::string& s) { return s.substr(0, s.find('\n')); }

    Verdict judge_without_ends(const Outcome& other, std::string& what) {
        Outcome all = without_ends(reference_);
        std::swap(all, reference_);
        const Verdict verdict =
            judge(without_ends(other), rounding_tolerance, rounding_window, rounding_change, what);
        std::swap(all, reference_);
        return verdict;
    }
    void compare_without_ends(const std::string& variant, const Outcome& other) {
        std::string what;
        const Verdict verdict = judge_without_ends(other, what);
        add(variant, verdict, what);
    }

    void compare_rounding(const std::string& variant, const Outcome& other) {
        std::string what;
        const Verdict verdict = judge(other, rounding_tolerance, rounding_window, rounding_change, what);
        add(variant, verdict, what);
    }

    static bool same_events(const Outcome& a, const Outcome& b) {
        const double window = rounding_window * (a.stop - a.start) +
                              resolved * 2.3e-16 * std::max(std::abs(a.start), std::abs(a.stop));
        return std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(),
                          [&](const Instant& x, const Instant& y) {
                              return std::abs(x.t - y.t) <= window && x.epsilon == y.epsilon &&
                                     x.index == y.index;
                          });
    }

    // Events are those of the model, whatever its signals are called and which of them are recorded.
    void compare_events(const std::string& variant, const Outcome& other) {
        std::string what;
        Verdict verdict = judge(other, rounding_tolerance, rounding_window, rounding_change, what);
        if (verdict == Verdict::agrees && !same_events(reference_, other)) {
            verdict = Verdict::differs;
            what = fmt::format("{} events or {}", reference_.events.size(), other.events.size());
        }
        add(variant, verdict, what);
    }

    Plan by_method(const std::string& method, const std::string& key, const std::string& value) const {
        Plan plan;
        plan.set = {{"simulation.method", method}, {"simulation." + key, value}};
        plan.most_steps = 2500;
        return plan;
    }
    std::string step(int parts) const {
        return fmt::format("{}", (reference_.stop - reference_.start) / parts);
    }

    // Steps of a length that is given are too long for a model where shorter ones give something else again.
    static constexpr double unsettled = 0.1;
    bool is_too_long(const Outcome& other, const Plan& fine) const {
        const Outcome better = run(text_, fine);
        return better.out_of_budget() || better.code != other.code ||
               !deviation(other, better, method_window).within(unsettled);
    }

    // Where events accumulate the error falls in steps, with each hop that more digits can tell.
    bool comes_closer(const Outcome& coarse, const Outcome& fine) const {
        const Deviation far = deviation(reference_, coarse, method_window),
                        near = deviation(reference_, fine, method_window);
        return fine.code == reference_.code && !near.structure && same_end(reference_, fine, method_window) &&
               (near.within(method_tolerance) ||
                (far.value >= convergence * near.value && far.time >= convergence * near.time));
    }

    Verdict verdict_of_finer(const std::string& method, const Outcome& coarse, const Plan& fine) const {
        const Outcome better = run(text_, fine);
        if (better.out_of_budget()) return Verdict::skipped;
        if (comes_closer(coarse, better)) return Verdict::converges;
        if (method == "rk4") return Verdict::differs;
        const Outcome best = run(text_, by_method(method, "tolerance", "1e-13"));
        return !best.out_of_budget() && comes_closer(coarse, best) ? Verdict::converges : Verdict::differs;
    }

    void compare_method(const std::string& method, const Plan& coarse, const Plan& fine) {
        const Outcome other = run(text_, coarse);
        std::string what;
        Verdict verdict = judge(other, method_tolerance, method_window, method_change, what);
        // An error that the other method reports is no silent difference; only what models mean must be the
        // same.
        if (verdict == Verdict::differs && other.code == 7 && reference_.code == 0)
            verdict = Verdict::refused;
        // A branch point at the very start has no series: taylor says so, others may begin there.
        const bool no_start = reference_.code == 7 && reference_.end <= reference_.start;
        if (verdict == Verdict::differs && no_start && other.code != 70) verdict = Verdict::refused;
        // Hops that are hidden by errors of a method without a series: it tells Zeno where they may go on.
        if (verdict == Verdict::differs && method != "taylor" && other.code == 5 &&
            other.end < reference_.end)
            verdict = Verdict::refused;
        if (verdict == Verdict::differs && method == "rk4" && is_too_long(other, fine))
            verdict = Verdict::skipped;
        if (verdict == Verdict::differs && other.code == reference_.code && other.code != 70) {
            verdict = verdict_of_finer(method, other, fine);
        }
        add(method, verdict, what);
    }

    void methods() {
        if (reference_.code == 3) return;
        // Histories of delays in many short steps cost a hundred times what everything else does.
        if (only_.empty() && text_.find("\"delay\"") != std::string::npos && !random_.percent(15)) return;
        if (wants("dopri5", 100))
            compare_method("dopri5", by_method("dopri5", "tolerance", "1e-9"),
                           by_method("dopri5", "tolerance", "1e-12"));
        if (wants("rk4", 15))
            compare_method("rk4", by_method("rk4", "step", step(400)), by_method("rk4", "step", step(1600)));
        static const bool has_cvode = run("[blocks]\na = 1\n[simulation]\nmethod = \"cvode\"\n").code == 0;
        if (wants("cvode", 15) && has_cvode)
            compare_method("cvode", by_method("cvode", "tolerance", "1e-10"),
                           by_method("cvode", "tolerance", "1e-12"));
        if (wants("rosenbrock4", 10))
            compare_method("rosenbrock4", by_method("rosenbrock4", "tolerance", "1e-8"),
                           by_method("rosenbrock4", "tolerance", "1e-10"));
        if (wants("taylor", 10))
            compare_method("taylor", by_method("taylor", "tolerance", "1e-10"),
                           by_method("taylor", "tolerance", "1e-12"));
    }

    void exact() {
        if (!wants("exact", 60) || reference_.code == 3) return;
        const Outcome other = run_exact(text_, reference_);
        if (other.code == 3) return add("exact", Verdict::skipped, first_line(other.message));
        if (other.code == 0 && reference_.code != 0 && is_elsewhere())
            return add("exact", Verdict::skipped, "the error is in a block that is not recorded");
        compare_without_ends("exact", other);
    }

    // Only what is recorded has a closed form: an error elsewhere shows where all is, or where the block is
    // that it names; which may be one without a closed form.
    bool is_elsewhere() const {
        if (run_exact(recording_all(draft_).text(), reference_).code == reference_.code) return true;
        const std::string name = named_block(first_line(reference_.message));
        if (name.empty() || draft_.value("simulation", "record").find('"' + name + '"') != std::string::npos)
            return false;
        const int code = run_exact(recording_only(draft_, name).text(), reference_).code;
        return code == reference_.code || code == 3;
    }
    // "...: an impulse in a condition is not defined (block h2)", or by the line that the error is in.
    std::string named_block(const std::string& message) const {
        if (const auto at = message.rfind("(block "); at != std::string::npos)
            return message.substr(at + 7, message.size() - at - 8);
        const auto at = message.find(".toml:");
        if (at == std::string::npos) return {};
        std::istringstream lines(text_);
        std::string line;
        for (int n = std::atoi(message.c_str() + at + 6); n > 0 && std::getline(lines, line);) --n;
        return line.substr(0, line.find(' '));
    }

    // A run that is proved agrees; one that cannot be proved says so.
    void proof() {
        static const bool has_proof = knows_setting("certify", "true");
        if (!wants("certify", 20) || !has_proof || reference_.code == 3) return;
        Plan plan;
        plan.set = {{"simulation.certify", "true"}};
        const Outcome other = run(text_, plan);
        if (other.code == 7)  // also where the run itself ends with it later
            return add("certify", Verdict::refused, first_line(other.message));
        if (other.code == 3 || other.code == 2)
            return add("certify", Verdict::skipped, first_line(other.message));
        compare_rounding("certify", other);
    }

    void transformations(const std::optional<Draft>& other_form) {
        if (other_form && wants("rewritten", 100)) rewrite(*other_form);
        const Random own = random_.branch(7);
        if (wants("permuted", 100)) compare_without_ends("permuted", run(permuted(draft_, own).text()));
        if (wants("renamed", 100)) compare_events("renamed", run(renamed(draft_, own).text()));
        if (wants("wrapped", 100)) compare_events("wrapped", run(wrapped(draft_).text()));
        if (wants("recording", 100)) record_less(own);
        if (wants("at", 100)) report_at();
        if (wants("shifted", 100) && !draft_.value("parameters", "T0").empty()) shift();
    }

    // On samples errors of steps and of the model's own sensitivity add up.
    void numeric() {
        if (!wants("numeric", 25) || reference_.code != 0) return;
        Finding finding = compare_numeric(text_, reference_);
        if (finding.verdict == Verdict::differs && response(method_change, 0, method_window).structure)
            finding.verdict = Verdict::sensitive;
        add(finding.variant, finding.verdict, finding.what);
    }

    static bool overflows(const Outcome& o) {
        return o.code == 7 && o.message.find("has left the range of numbers") != std::string::npos;
    }

    // A term that is drawn and then not used leaves a block in one form only.
    void rewrite(const Draft& other_form) {
        Outcome all = reference_;
        const Draft plain = without_idle_helpers(draft_);
        if (plain.text() != text_) reference_ = run(plain.text());
        const Outcome other = run(without_idle_helpers(other_form).text());
        // What is a part of an expression in one form is a block in the other, and told of as soon as it
        // overflows.
        if (overflows(reference_) && overflows(other) &&
            deviation(reference_, other, rounding_window).within(rounding_tolerance))
            add("rewritten", Verdict::agrees, "");
        else
            compare_forms(without_idle_helpers(other_form).text(), other);
        std::swap(all, reference_);
    }
    // What rounding can move may stand in one of the forms only.
    void compare_forms(std::string text, Outcome other) {
        std::string what, the_same;
        Verdict verdict = judge_without_ends(other, what);
        if (verdict == Verdict::differs) {
            auto responses = std::exchange(responses_, {});
            auto guessed = std::exchange(guessed_, {});
            std::swap(text_, text);
            std::swap(reference_, other);
            verdict = judge_without_ends(other, the_same);
            std::swap(reference_, other);
            std::swap(text_, text);
            std::swap(guessed_, guessed);
            std::swap(responses_, responses);
        }
        add("rewritten", verdict, what);
    }

    void record_less(Random random) {
        const auto n = strings_of(draft_.value("simulation", "record")).size();
        if (n < 2 || reference_.code == 3) return;
        const auto i = static_cast<std::size_t>(random.integer(0, static_cast<int>(n) - 1));
        const Outcome less = run(recording(draft_, i).text());
        if (less.code == 0 && reference_.code != 0)  // what nobody asks for is not computed
            return add("recording", Verdict::skipped, "");
        Outcome all = reference_;
        if (!all.samples.empty()) {
            all.samples = {all.samples[i]};
            all.happenings = {all.happenings[i]};
        }
        std::swap(all, reference_);
        const auto responses = std::exchange(responses_, {});
        const auto guessed = std::exchange(guessed_, {});
        std::string what;
        Verdict verdict = judge(less, rounding_tolerance, rounding_window, rounding_change, what);
        if (verdict == Verdict::agrees && !same_events(reference_, less)) {
            verdict = Verdict::differs;
            what = fmt::format("{} events or {}", reference_.events.size(), less.events.size());
        }
        add("recording", verdict, what);
        std::swap(all, reference_);
        responses_ = responses;
        guessed_ = guessed;
    }

    void report_at() {
        Plan plan;
        for (std::size_t i = 1; i < reference_.t.size(); i += 3) plan.at.push_back(reference_.t[i]);
        if (!plan.at.empty()) compare_rounding("at", run(text_, plan));
    }

    // The same some time later: the times themselves have fewer digits.
    void shift() {
        if (reference_.code == 3 || !(reference_.stop - reference_.start > 1e-6)) return;
        Plan plan;
        const double by = std::exp2(std::ceil(std::log2(reference_.stop - reference_.start)) + 1);
        plan.set = {{"T0", fmt::format("{} + {}",
                                       draft_.value("parameters", "T0")
                                           .substr(1, draft_.value("parameters", "T0").size() - 2),
                                       by)}};
        compare_rounding("shifted", run(text_, plan));
    }

    const Draft& draft_;
    std::string text_;
    Random random_;
    std::string only_;
    Trial trial_;
    Outcome reference_;
    double last_ = seconds();
    std::map<std::pair<double, double>, Deviation> responses_;
    std::vector<Outcome> guessed_;  // the model as it is, from several guesses
};

}  // namespace

const char* name_of(Verdict verdict) {
    static constexpr const char* names[verdicts] = {"agrees",  "sensitive", "converges", "ambiguous",
                                                    "refused", "skipped",   "differs"};
    return names[static_cast<std::size_t>(verdict)];
}

const Finding* Trial::difference() const {
    for (const Finding& finding : findings)
        if (finding.verdict == Verdict::differs) return &finding;
    return nullptr;
}

Trial examine(const Draft& draft, std::uint64_t seed, const std::optional<Draft>& other_form,
              const std::string& only) {
    return Examination(draft, seed, only).run_all(other_form);
}

Trial examine_seed(std::uint64_t seed, const std::string& only) {
    return examine(generate(seed), seed, generate(seed, 1), only);
}

}  // namespace deltaflow::campaign
