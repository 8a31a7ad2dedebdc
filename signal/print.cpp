#include "signal/print.hpp"

namespace deltaflow {

namespace {

template <class S>
bool is_negative(const S& x) {
    return sign(x) < 0;
}

// " + 3 delta'", or "3 delta'" at the start of a text
template <class S>
void append_impulse(std::string& text, const S& c, int order) {
    const std::string magnitude = print_scalar(is_negative(c) ? S(-c) : c);
    if (text.empty())
        text += is_negative(c) ? "-" : "";
    else
        text += is_negative(c) ? " - " : " + ";
    if (magnitude != "1") text += magnitude + " ";
    text += delta_name(order);
}

template <class S>
void append_impulses(std::string& text, std::span<const S> impulses) {
    for (std::size_t i = 0; i < impulses.size(); ++i)
        if (!is_zero(impulses[i])) append_impulse(text, impulses[i], static_cast<int>(i));
}

template <class S>
std::string print(const S& left, const S& right, std::span<const S> impulses) {
    std::string text;
    if (!(left == right))
        text = print_scalar(left) + " | " + print_scalar(right);
    else if (!is_zero(right))
        text = print_scalar(right);
    append_impulses(text, impulses);
    return text.empty() ? "0" : text;
}

template <class S>
std::string print_list(const std::vector<S>& rungs) {
    std::string text;
    for (const S& rung : rungs) text += (text.empty() ? "" : ", ") + print_scalar(rung);
    return text;
}

template <class S>
std::string print_all(const Germ<S>& u) {
    std::string text = "(" + print_list(u.left);
    if (!(u.left == u.right)) text += " | " + print_list(u.right);
    text += ")";
    append_impulses(text, std::span<const S>(u.impulses.data(), u.impulses.size()));
    return text;
}

}  // namespace

std::string print_scalar(double x) { return is_zero(x) ? "0" : fmt::format("{}", x); }
std::string print_scalar(const Rational& x) { return to_string(x); }

std::string print_germ(double left, double right, std::span<const double> impulses) {
    return print(left, right, impulses);
}
std::string print_germ(const Rational& left, const Rational& right, std::span<const Rational> impulses) {
    return print(left, right, impulses);
}

std::string print_rungs(const Germ<double>& u) { return print_all(u); }
std::string print_rungs(const Germ<Rational>& u) { return print_all(u); }

}  // namespace deltaflow
