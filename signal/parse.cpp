// Reads germs: [left |] term + term - ..., where a term is a number, delta^(i), or a number and delta^(i).
#include "signal/print.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <stdexcept>

namespace deltaflow {

namespace {

constexpr int highest_order = 99;  // of a delta that is written down: a misprint beyond

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text), rest_(text) {}

    Germ<Rational> germ();

private:
    [[noreturn]] void refuse() const {
        throw std::invalid_argument(fmt::format("\"{}\" is not a germ such as \"1 | 2 + 3 delta'\"", text_));
    }
    void skip_spaces();
    bool take(std::string_view word);
    std::optional<Rational> take_sign();
    bool at_digit() const { return !rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_[0])); }
    std::string_view number_text() const;
    Rational number();
    Rational left();
    int order();
    void term(Germ<Rational>& u, const Rational& sign);
    void sum(Germ<Rational>& u);

    std::string_view text_, rest_;
};

void Reader::skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

bool Reader::take(std::string_view word) {
    skip_spaces();
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
}

std::optional<Rational> Reader::take_sign() {
    if (take("+")) return Rational(1);
    if (take("-")) return Rational(-1);
    return {};
}

// The longest front made of digits, points, fraction bars and exponents.
std::string_view Reader::number_text() const {
    std::size_t n = 0;
    const auto after_e = [&] { return n > 0 && (rest_[n - 1] == 'e' || rest_[n - 1] == 'E'); };
    while (n < rest_.size() && (std::isdigit(static_cast<unsigned char>(rest_[n])) ||
                                std::string_view("./eE").find(rest_[n]) != std::string_view::npos ||
                                (after_e() && (rest_[n] == '-' || rest_[n] == '+'))))
        ++n;
    return rest_.substr(0, n);
}

Rational Reader::number() {
    const auto text = number_text();
    const auto value = parse_rational(text);
    if (!value) refuse();
    rest_.remove_prefix(text.size());
    return *value;
}

// What follows the word delta: ', '', ... or ^(4)
int Reader::order() {
    int n = 0;
    if (take("^(")) {
        while (at_digit() && n <= highest_order) {
            n = 10 * n + (rest_[0] - '0');
            rest_.remove_prefix(1);
        }
        if (!take(")")) refuse();
    }
    while (!rest_.empty() && rest_[0] == '\'') ++n, rest_.remove_prefix(1);
    if (n > highest_order) refuse();
    return n;
}

void Reader::term(Germ<Rational>& u, const Rational& sign) {
    skip_spaces();
    const bool counted = at_digit();
    const Rational c = counted ? sign * number() : sign;
    if (take("delta"))
        u = u + c * Germ<Rational>::delta(order(), 1);
    else if (counted)
        u = u + Germ<Rational>::constant(c, 1);
    else
        refuse();
}

void Reader::sum(Germ<Rational>& u) {
    term(u, take_sign().value_or(Rational(1)));
    while (const auto sign = take_sign()) term(u, *sign);
    if (!rest_.empty()) refuse();
}

Rational Reader::left() {
    const Rational sign = take_sign().value_or(Rational(1));
    skip_spaces();
    const Rational value = sign * number();
    if (!take("|")) refuse();
    return value;
}

Germ<Rational> Reader::germ() {
    const bool jumps = text_.find('|') != std::string_view::npos;
    const Rational before = jumps ? left() : Rational(0);
    Germ<Rational> u = Germ<Rational>::constant(Rational(0), 1);
    sum(u);
    if (jumps) u.left[0] = before;
    return u;
}

}  // namespace

Germ<Rational> parse_germ(std::string_view text) { return Reader(text).germ(); }

Germ<double> to_double(const Germ<Rational>& u) {
    const auto nearest = [](const std::vector<Rational>& exact) {
        std::vector<double> y;
        for (const Rational& r : exact) y.push_back(to_double(r));
        return y;
    };
    return make_germ(nearest(u.left), nearest(u.right), nearest(u.impulses));
}

}  // namespace deltaflow
