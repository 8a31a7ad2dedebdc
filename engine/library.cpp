// The public face of models: what the engine throws becomes an Error, options become settings.
#include "engine/library.hpp"

#include "engine/front/flatten/flatten.hpp"
#include "engine/front/load.hpp"
#include "engine/prepared.hpp"

#include <mutex>

namespace deltaflow {

Error::Error(ErrorKind kind, const std::string& text, std::vector<Mistake> mistakes, std::optional<double> t)
    : std::runtime_error(text), kind_(kind), mistakes_(std::move(mistakes)), t_(t) {}

Error::~Error() = default;

namespace {

Error as_error(const ModelError& error) {
    std::string text;
    std::vector<Mistake> mistakes;
    for (const Diagnostic& d : error.diagnostics) {
        text += error.sources.files.empty() ? d.message + "\n" : render(error.sources, d);
        const auto& files = error.sources.files;
        mistakes.push_back({d.place.line > 0 && d.place.file < files.size() ? files[d.place.file].path : "",
                            d.place.line, d.place.column, d.message, d.notes});
    }
    return {error.kind, text, std::move(mistakes)};
}

// A number that was not touched stays the fraction that it was written as.
std::optional<Rational> as_fraction(const std::optional<double>& given,
                                    const std::optional<Rational>& written) {
    if (!given) return std::nullopt;
    if (written && to_double(*written) == *given) return written;
    return std::isfinite(*given) ? decimal(*given) : Rational(Integer(-1));  // which is refused
}

std::optional<double> as_double(const std::optional<Rational>& r) {
    return r ? std::optional(to_double(*r)) : std::nullopt;
}

}  // namespace

[[noreturn]] void throw_public(const ModelError& error) { throw as_error(error); }

struct Model::Impl {
    explicit Impl(FlatModel model, std::shared_ptr<const Prepared> other = {})
        : flat(std::move(model)), like(std::move(other)) {}
    FlatModel flat;
    std::shared_ptr<const Prepared>
        like;                 // of the model that this one was made of: it may differ in numbers alone
    mutable std::mutex lock;  // of what follows
    mutable Options options;
    mutable std::shared_ptr<const Prepared> prepared;
};

Model Model::load(const std::string& path, const Sets& sets, const std::vector<std::string>& allow) {
    return in_public([&] {
        return Model(std::make_shared<const Impl>(load_model(path, {sets, {}, {}, allow})));
    });
}

Model Model::parse(const std::string& text, const std::string& name, const Sets& sets,
                   const std::vector<std::string>& allow) {
    return in_public([&] {
        return Model(std::make_shared<const Impl>(load_model_text(name, text, {sets, {}, {}, allow})));
    });
}

Model Model::with(const Sets& sets) const {
    std::shared_ptr<const Prepared> like;
    {
        const std::lock_guard guard(impl_->lock);
        like = impl_->prepared ? impl_->prepared : impl_->like;
    }
    return in_public([&] {
        return Model(std::make_shared<const Impl>(deltaflow::with(flat(), {sets, {}, {}}), like));
    });
}

Model Model::recording(const std::vector<std::string>& signals) const {
    return in_public([&] {
        return Model(std::make_shared<const Impl>(deltaflow::with(flat(), {{}, signals, {}})));
    });
}

const std::string& Model::name() const { return impl_->flat.name; }
const std::string& Model::about() const { return impl_->flat.about; }
const FlatModel& Model::flat() const { return impl_->flat; }

// Large models are not kept twice: compiling is little beside running them.
std::shared_ptr<const Prepared> Model::prepared(const Options& options) const {
    constexpr std::size_t small = 10000;
    {
        const std::lock_guard guard(impl_->lock);
        if (impl_->prepared && impl_->options == options) return impl_->prepared;
    }
    FlatModel model = with_options(flat(), options);
    const auto made = std::make_shared<const Prepared>(impl_->like ? prepare(std::move(model), *impl_->like)
                                                                   : prepare(std::move(model)));
    if (flat().diagram.nodes.size() > small) return made;
    const std::lock_guard guard(impl_->lock);
    impl_->options = options;
    impl_->prepared = made;
    return made;
}

std::vector<std::string> Model::signals() const {
    std::vector<std::string> names;
    for (const Recorded& recorded : flat().record) names.push_back(recorded.name);
    return names;
}

std::vector<std::pair<std::string, double>> Model::parameters() const {
    const front::Environment& environment = *flat().written->templates.list[0].environment;
    std::vector<std::pair<std::string, double>> all;
    for (std::size_t i = 0; i < environment.values.size(); ++i)
        if (environment.values[i])
            all.emplace_back(environment.diagram->parameters[i].name, environment.values[i]->value);
    return all;
}

Origin Model::origin() const {
    const front::Written& written = *flat().written;
    const auto& file = written.declarations->sources.files[0];
    return {file.path, file.text, written.given.set, written.given.record};
}

std::vector<NodeId> input_nodes(const FlatModel& model) {
    std::vector<NodeId> found;
    for (NodeId n = 0; n < model.diagram.nodes.size(); ++n) {
        const Node& node = model.diagram.nodes[n];
        if (node.op == Primitive::schedule && model.diagram.schedules[node.extra].fed > 0) found.push_back(n);
    }
    return found;
}

std::vector<std::string> Model::inputs() const {
    std::vector<std::string> names;
    for (const NodeId n : input_nodes(flat())) names.push_back(flat().naming->name(n));
    return names;
}

Options Model::options() const {
    const Settings& s = flat().settings;
    Options o;
    o.start = s.start;
    o.stop = s.stop;
    o.method = s.method;
    o.impulses = s.impulses;
    o.step = as_double(s.step);
    o.riemann = s.riemann;
    o.tolerance = s.tolerance;
    o.absolute = s.absolute;
    o.certify = s.certify;
    o.every = as_double(s.every);
    o.at = s.at;
    o.simultaneous = s.simultaneous;
    o.zeno = s.zeno;
    o.sliding = s.sliding;
    o.max_events = s.max_events;
    o.threads = s.threads.value_or(1);
    o.limit_seconds = s.limits.seconds;
    o.limit_megabytes = s.limits.megabytes;
    return o;
}

FlatModel with_options(const FlatModel& model, const Options& o) {
    FlatModel changed = model;
    Settings& s = changed.settings;
    s.start = o.start;
    s.stop = o.stop;
    s.method_given = s.method_given || o.method != s.method;
    s.method = o.method;
    s.impulses = o.impulses;
    s.step = as_fraction(o.step, s.step);
    s.riemann = o.riemann;
    s.tolerance = o.tolerance;
    s.absolute = o.absolute;
    s.certify = o.certify;
    s.every = as_fraction(o.every, s.every);
    s.at = o.at;
    std::sort(s.at.begin(), s.at.end());
    s.simultaneous = o.simultaneous;
    s.zeno = o.zeno;
    s.sliding = o.sliding;
    s.max_events = o.max_events;
    s.limits = {o.limit_seconds, o.limit_megabytes};
    for (const double t : s.at)
        if (!(t >= s.start && t <= s.stop))
            throw ModelError(
                ErrorKind::option, model.sources,
                {{Place{}, fmt::format("no sample at {} in a run from {} to {}", t, s.start, s.stop), {}}});
    return changed;
}

}  // namespace deltaflow
