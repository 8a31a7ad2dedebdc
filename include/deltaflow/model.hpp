// Models: read from files or texts, never changed, shared by as many threads as one likes.
#pragma once

#include "deltaflow/choices.hpp"
#include "deltaflow/error.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace deltaflow {

struct FlatModel;  // as the engine has it; for report/
struct Prepared;   // compiled; for the engine

// Parameters, and keys of [simulation], with other values: {{"e", "0.5"}, {"simulation.stop", "3"}}.
using Sets = std::vector<std::pair<std::string, std::string>>;

// The table [simulation]. Whoever sets them, they are checked when a run begins.
struct Options {
    double start = 0, stop = 10;
    Method method = Method::automatic;
    ImpulseKind impulses = ImpulseKind::symbolic;
    std::optional<double> step;  // of rk4, euler and numeric impulses
    Riemann riemann = Riemann::right;
    double tolerance = 1e-12;        // relative
    std::optional<double> absolute;  // default: by the size that a state has shown
    bool certify = false;
    std::optional<double> every;  // from sample to sample; default: 200 in all
    std::vector<double> at;       // instead: samples at these times
    Simultaneous simultaneous = Simultaneous::all;
    AtZeno zeno = AtZeno::by_kind;
    Sliding sliding = Sliding::filippov;
    std::uint64_t max_events = 1000000;
    unsigned threads = 1;  // 0: as many as there are processors
    // A run that takes more ends as if interrupted, with what was simulated; no model can set these.
    double limit_seconds = std::numeric_limits<double>::infinity();
    double limit_megabytes = std::numeric_limits<double>::infinity();  // of the whole process

    bool operator==(const Options&) const = default;
};

// What a model was made of; `Model::parse(text, path, sets)` makes it again.
struct Origin {
    std::string path, text;
    Sets sets;
    std::optional<std::vector<std::string>> record;  // instead of what the text says
};

class DELTAFLOW_API Model {
public:
    // Throw Error, with all mistakes at once. `use` and `data` read regular files below the model's folder
    // (that of `name`), and below the folders of `allow`.
    static Model load(const std::string& path, const Sets& sets = {},
                      const std::vector<std::string>& allow = {});
    static Model parse(const std::string& text, const std::string& name = "model.toml", const Sets& sets = {},
                       const std::vector<std::string>& allow = {});
    // The same model with other values; nothing is read again.
    Model with(const Sets& sets) const;
    // The same model with other signals recorded.
    Model recording(const std::vector<std::string>& signals) const;

    const std::string& name() const;
    const std::string& about() const;
    std::vector<std::string> signals() const;  // recorded
    std::vector<std::string> inputs() const;   // blocks of type `input`
    std::vector<std::pair<std::string, double>> parameters() const;
    Options options() const;
    Origin origin() const;
    const FlatModel& flat() const;
    // Kept for further runs with the same options.
    std::shared_ptr<const Prepared> prepared(const Options& options) const;

private:
    struct Impl;
    explicit Model(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
    std::shared_ptr<const Impl> impl_;
};

}  // namespace deltaflow
