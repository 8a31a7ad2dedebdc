// The generator at work: what has been defined so far, and how singular each signal may be.
#pragma once

#include "tests/campaign/draft.hpp"
#include "tests/campaign/random.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace deltaflow::campaign {

// Regularity as the analysis counts it: smooth, continuous 0, jump -1, delta -2, delta' -3, ...
inline constexpr int smooth = 9, continuous = 0, jumps = -1, impulsive = -2;

// A signal: an expression, and what may stand around it.
struct Term {
    std::string text;
    int r = smooth;
    bool held = false;  // behind pre: it must not be differentiated
};

// What a model is made of, in parts of a hundred where nothing else is said.
struct Profile {
    bool polynomial = false;  // so that exact numbers can follow
    bool weird = false;       // numbers that are legal and strange
    bool shifted = false;     // all times are counted from the parameter T0
    int events = 30, impulses = 20, clocks = 15, delays = 10, functions = 30, states = 40, risk = 3;
};

class Maker {
public:
    Maker(std::uint64_t seed, std::uint64_t form);
    Draft block_model();
    Draft graph_model();
    Draft network_model();
    bool wants_graph() const { return graph_; }
    bool wants_network() const;

private:
    // numbers
    std::string number(double size = 1);    // in an expression, with brackets where it is negative
    std::string positive(double size = 1);  // > 0
    std::string decimal(double x) const;    // short
    std::string weird_number();
    std::string setting(const std::string& number);       // as a value of TOML
    std::string time();                                   // within the run, often one that others have, too
    std::string duration(int parts_low, int parts_high);  // span / parts
    std::string moment(const std::string& t) const;       // from T0 on, as a value of TOML
    std::string now() const { return profile_.shifted ? "(t - T0)" : "t"; }
    std::string tau();   // a time that grows to a few units
    std::string rate();  // and what integrators are multiplied by for that

    // lines
    std::string name() { return "b" + std::to_string(names_++); }
    std::string helper() { return "h" + std::to_string(helpers_++); }
    Term define(const std::string& name, const std::string& value, int r, bool held = false);
    Term define(const std::string& value, int r, bool held = false) { return define(name(), value, r, held); }
    // An expression or a block of a type, as the form has it.
    std::string either(const std::string& expression, const std::string& table);
    static std::string table(const std::string& type, const std::string& rest) {
        return "{ type = \"" + type + "\"" + (rest.empty() ? "" : ", ") + rest + " }";
    }
    static std::string quoted(const std::string& s) { return "\"" + s + "\""; }
    void publish(const Term& term) { pool_.push_back(term); }

    // signals; `least` is the regularity that they must have
    Term term(int least, int depth);
    Term leaf(int least);
    Term known(int least);
    Term source();
    Term function(int depth);
    Term guarded(const std::string& f, const Term& u);
    Term arithmetic(int least, int depth);
    Term product(int least, int depth);
    Term kink(int depth);      // continuous with corners
    Term decision(int depth);  // with jumps
    Term event(int depth);     // with impulses
    Term sampled(int depth);
    Term delayed(int least, int depth);
    Term dynamic(int least, int depth);
    Term derivative(int least, int depth);
    Term polynomial_source();
    Term impulse_source();
    Term data_source();

    // words that round, compare and keep
    Term bounded(int least, int depth);
    Term rounded(int depth);
    std::string comparison(int depth);
    std::string condition(int depth);
    Term compared(int depth);
    std::string strike(int depth);
    Term keeping(int depth);
    void add_slide();
    void add_machine();
    void add_words();

    // models
    void choose();
    void open_states();
    void close_states();
    std::string rate_of(const std::string& x, int r);
    void add_ball();
    void add_relay();
    void add_loop();
    void add_diagrams();
    void finish();
    void add_simulation();

    // bond graphs
    std::string junction(char type, bool controlled);
    void add_ports(const std::string& at, char type);
    void add_port(const std::string& at, const std::string& element, const std::string& value);
    std::string automaton(bool on_time_only);
    void grow(const std::string& at, char type, int depth);
    void add_collision();
    void add_diode();

    // circuits and mechanics
    void add_pole(const char* section, const char* type, const std::string& rest,
                  std::initializer_list<const char*> signals);
    std::string drive(double size);
    void add_two_pole(const std::string& between);
    void add_circuit();
    void add_touch(const std::string& a, const std::string& b, bool above);
    void add_bodies();

    struct Open {
        std::string name;
        int r;
        bool plain;  // an integrator, else a delay or a unit delay
    };

    Random draw_, form_;
    Profile profile_;
    Draft draft_;
    std::string blocks_ = "blocks";  // the section that lines go to
    std::vector<Term> pool_;
    std::vector<Open> open_;
    std::vector<std::string> recordable_;
    std::vector<std::string> thresholds_;  // of a bond graph: signals that guards may look at
    double span_ = 1;
    bool graph_ = false, sources_taken_ = false;
    int names_ = 1, helpers_ = 1, parameters_ = 1;
};

}  // namespace deltaflow::campaign
