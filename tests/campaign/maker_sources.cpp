// Sources of random models, each as a block or as the expression that it stands for.
#include "tests/campaign/maker.hpp"

#include <fmt/format.h>

namespace deltaflow::campaign {

Term Maker::define(const std::string& name, const std::string& value, int r, bool held) {
    draft_[blocks_].push_back(name + " = " + value);
    const Term made{name, r, held};
    publish(made);
    if (blocks_ == "blocks") recordable_.push_back(name);
    return made;
}

std::string Maker::either(const std::string& expression, const std::string& block) {
    if (form_.percent(50)) return quoted(expression);
    return block;
}

Term Maker::polynomial_source() {
    const int degree = draw_.percent(5) ? draw_.integer(9, 14) : draw_.integer(1, 4);
    const double scale = span_ >= 0.5 && span_ <= 10 ? 2 / span_ : 1 / span_;
    std::string list, sum;
    for (int k = 0; k <= degree; ++k) {
        double unit = 1;
        for (int i = 0; i < k; ++i) unit *= scale;
        const std::string c = decimal(unit * draw_.integer(-6, 6) / 4.0);
        list += (k > 0 ? ", " : "") + c;
        sum += fmt::format("{}({})*{}^{}", k > 0 ? " + " : "", c, now(), k);
        if (k == 0) sum = fmt::format("({})", c);
    }
    if (profile_.shifted) return define(quoted(sum), smooth);
    return define(either(sum, table("polynomial", "coefficients = [" + list + "]")), smooth);
}

Term Maker::impulse_source() {
    const int order = draw_.percent(profile_.impulses) ? draw_.integer(1, 2) : 0;
    if (draw_.percent(20)) {
        std::string train;
        const int n = draw_.integer(1, 3);
        for (int k = 1; k <= n; ++k) {
            const std::string at = moment(decimal(span_ * (k - 1 + draw_.integer(1, 7) / 8.0) / n));
            const std::string size = number();
            train += fmt::format("{}{{ at = {}, size = {}, order = {} }}", k > 1 ? ", " : "", at,
                                 setting(size), k == 1 ? order : 0);
        }
        return define(table("impulse", "train = [" + train + "]"), impulsive - order);
    }
    const std::string at = time(), size = number();
    std::string rest = fmt::format("at = {}, size = {}", moment(at), setting(size));
    if (order > 0) rest += fmt::format(", order = {}", order);
    if (draw_.percent(20)) rest += fmt::format(", period = \"{}\"", duration(2, 12));
    return define(table("impulse", rest), impulsive - order);
}

Term Maker::data_source() {
    const bool hold = draw_.percent(40);
    const char* const column = draw_.word({"force", "level"});
    return define(table("data", fmt::format("file = \"data.csv\", column = \"{}\"{}", column,
                                            hold ? ", interpolate = \"hold\"" : "")),
                  hold ? jumps : continuous);
}

Term Maker::source() {
    const int f = profile_.polynomial ? 0 : profile_.functions;
    switch (draw_.weighted(
        {8, 20, 10, f, 12, 14, profile_.impulses, profile_.shifted || profile_.polynomial ? 0 : 4, 6})) {
        case 0: {
            const std::string v = number();
            return define(either(v, table("constant", "value = " + setting(v))), smooth);
        }
        case 1: {
            const std::string at = time(), size = number(), initial = draw_.percent(40) ? number() : "0";
            const std::string since = profile_.shifted ? "t - (T0 + " + at + ")" : "t - (" + at + ")";
            const std::string block = table("step", fmt::format("at = {}, size = {}, initial = {}",
                                                                moment(at), setting(size), setting(initial)));
            const std::string form =
                either(fmt::format("{} + {}*heaviside({})", initial, size, since), block);
            // Where a run starts (late ones at a quarter) the block jumps; the expression has no left side
            // there.
            return define(at == "0" || at == decimal(span_ / 4) ? block : form, jumps);
        }
        case 2: {
            const std::string at = time(), slope = number(span_ > 10 ? 1 / span_ : 1);
            const std::string since = profile_.shifted ? "t - (T0 + " + at + ")" : "t - (" + at + ")";
            return define(
                either(fmt::format("{}*max({}, 0)", slope, since),
                       table("ramp", fmt::format("at = {}, slope = {}", moment(at), setting(slope)))),
                continuous);
        }
        case 3: {
            const std::string a = number(), w = positive(draw_.percent(10) ? 40 / span_ : 6 / span_);
            const std::string phase = draw_.percent(50) ? number() : "0";
            return define(
                either(fmt::format("{}*sin({}*{} + {})", a, w, now(), phase),
                       table("sine",
                             fmt::format(
                                 "amplitude = {}, omega = {}, phase = {}", setting(a), setting(w),
                                 profile_.shifted ? quoted(phase + " - " + w + "*T0") : setting(phase)))),
                smooth);
        }
        case 4:
            return polynomial_source();
        case 5: {
            const std::string at = time(), size = number();
            if (draw_.percent(50)) {
                const int parts = draw_.integer(2, 10);
                return define(
                    table("pulse",
                          fmt::format("at = {}, width = \"{}/{}\", size = {}, period = \"{}/{}\"", moment(at),
                                      decimal(span_ / 2), parts, setting(size), decimal(span_), parts)),
                    jumps);
            }
            return define(table("pulse", fmt::format("at = {}, width = \"{}\", size = {}", moment(at),
                                                     duration(2, 40), setting(size))),
                          jumps);
        }
        case 6:
            return impulse_source();
        case 7:
            return data_source();
        default:
            return define(profile_.shifted ? quoted(now()) : either("t", table("time", "")), smooth);
    }
}

}  // namespace deltaflow::campaign
