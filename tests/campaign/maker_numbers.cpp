// Numbers of random models: mostly plain, some strange.
#include "tests/campaign/maker.hpp"

#include <fmt/format.h>

#include <cmath>

namespace deltaflow::campaign {

std::string Maker::decimal(double x) const { return fmt::format("{}", x); }

std::string Maker::weird_number() {
    return draw_.word({"1e-12", "1e-300", "5e-324", "1e9", "-1e6", "123456.789", "1e-7", "0", "-0.0", "1e15",
                       "1e-15", "0.1", "3", "(1/3)", "2.2250738585072014e-308", "1e40", "0.30000000000000004",
                       "(22/7)"});
}

std::string Maker::number(double size) {
    if (profile_.weird && draw_.percent(6)) {
        const std::string weird = weird_number();
        return weird.front() == '-' ? "(" + weird + ")" : weird;
    }
    std::string text;
    switch (draw_.weighted({35, 25, 20, 10, 10})) {
        case 0:
            text = decimal(size * draw_.integer(1, 12) / 4.0);
            break;
        case 1:
            text = decimal(size * draw_.integer(1, 4));
            break;
        case 2:
            text = decimal(size * draw_.integer(1, 300) / 100.0);
            break;
        case 3:
            text = fmt::format("({}/{})", decimal(size * draw_.integer(1, 7)), draw_.integer(2, 7));
            break;
        default:
            text = decimal(size * (0.1 + 2 * draw_.fraction()));
            break;
    }
    if (draw_.percent(40)) text = text.front() == '(' ? "(-" + text.substr(1) : "(-" + text + ")";
    if (draw_.percent(12)) {
        const std::string p = "p" + std::to_string(parameters_++);
        draft_["parameters"].push_back(p + " = " + setting(text));
        return p;
    }
    return text;
}

std::string Maker::positive(double size) {
    if (profile_.weird && draw_.percent(3))
        return draw_.word({"1e-12", "1e9", "1e-7", "123456.789", "(1/3)", "1e-15"});
    switch (draw_.weighted({40, 30, 20, 10})) {
        case 0:
            return decimal(size * draw_.integer(1, 12) / 4.0);
        case 1:
            return decimal(size * draw_.integer(1, 5));
        case 2:
            return decimal(size * draw_.integer(1, 300) / 100.0);
        default:
            return decimal(size * (0.1 + 2 * draw_.fraction()));
    }
}

// A number may be written as one, or as an expression.
std::string Maker::setting(const std::string& number) {
    const bool plain = number.find_first_not_of("0123456789.eE+-") == std::string::npos &&
                       number.front() != '.' && number != "-0.0";
    const bool raw = form_.percent(70);
    return plain && raw ? number : quoted(number);
}

std::string Maker::time() {
    switch (draw_.weighted({60, 25, 5, 5, 5})) {
        case 0:
            return decimal(span_ * draw_.integer(1, 7) / 8);
        case 1:
            return decimal(span_ * draw_.integer(1, 999) / 1000);
        case 2:
            return "0";
        case 3:
            return decimal(draw_.percent(50) ? span_ : span_ * 2);
        default:
            return decimal(-span_ / 4);
    }
}

std::string Maker::duration(int parts_low, int parts_high) {
    const int parts = draw_.integer(parts_low, parts_high);
    if (draw_.percent(50)) return fmt::format("{}/{}", decimal(span_), parts);
    return decimal(std::round(1000 * span_ / parts) / 1000 + (span_ < 1 ? span_ / 10 : 0));
}

std::string Maker::moment(const std::string& t) const {
    if (!profile_.shifted) return t.find('/') == std::string::npos ? t : quoted(t);
    return quoted("T0 + " + t);
}

std::string Maker::tau() {
    const double w = span_ >= 0.5 && span_ <= 10 ? 1 : 4 / span_;
    return w == 1 ? now() : fmt::format("({}*{})", decimal(w), now());
}

std::string Maker::rate() { return span_ >= 0.5 && span_ <= 10 ? "" : decimal(4 / span_) + "*"; }

}  // namespace deltaflow::campaign
