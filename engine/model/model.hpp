// A model as the engine runs it: the flat diagram, the settings and what to record.
#pragma once

#include "blocks/diagram.hpp"
#include "bonds/graph.hpp"
#include "engine/model/source.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace deltaflow {

namespace front {
struct Written;
}

// What a run may take, whatever the model says.
struct RunLimits {
    double seconds = std::numeric_limits<double>::infinity();
    double megabytes = std::numeric_limits<double>::infinity();  // of the whole process

    bool operator==(const RunLimits&) const = default;
};

// The [simulation] table.
struct Settings {
    double start = 0, stop = 10;
    Method method = Method::automatic;
    bool method_given = false;  // by the model or the command line
    ImpulseKind impulses = ImpulseKind::symbolic;
    std::optional<Rational> step;
    Riemann riemann = Riemann::right;
    double tolerance = 1e-12;        // relative
    std::optional<double> absolute;  // default: by the size that a state has shown
    bool certify = false;            // prove steps and events by intervals; by taylor
    std::optional<Rational> every;   // default: 200 intervals
    std::vector<double> at;          // report exactly these instead of a grid (sorted)
    Simultaneous simultaneous = Simultaneous::all;
    AtZeno zeno = AtZeno::by_kind;
    Sliding sliding = Sliding::filippov;
    bool sundials = true;  // auto takes CVODE where it is installed, else rosenbrock4; tests look at both
    bool confirm = true;   // Taylor steps by the equations; a benchmark tells what it costs
    std::uint64_t max_events = 1000000;
    std::optional<unsigned> threads;  // islands side by side; 0: as many as there are processors
    std::uint64_t max_blocks = 10000000;
    RunLimits limits;  // no model sets them
};

// A signal that is recorded: its name in traces and the node that carries it.
struct Recorded {
    std::string name;
    NodeId node;
    bool shown = true;  // else it is computed and looked at, but not in the trace
};

struct FlatModel {
    std::string name, about;
    Sources sources;
    Diagram diagram;
    bonds::Graph graph;  // its signals are free nodes of the diagram
    std::shared_ptr<const Naming> naming;
    std::shared_ptr<const front::Written> written;  // what the files say; outline() reads it
    Settings settings;
    std::vector<Recorded> record;
    std::vector<bool> named;        // per node: a signal that somebody could record; empty: nothing is known
    std::uint64_t user_blocks = 0;  // blocks as the user counts them, after flattening
    std::vector<std::string> data_files = {};  // that blocks have read
};

// What the command line may change before a model is built.
struct LoadOptions {
    std::vector<std::pair<std::string, std::string>> set;  // parameter=value, simulation.key=value
    std::optional<std::vector<std::string>> record;
    std::optional<std::uint64_t> max_blocks;
    // `use` and `data` read files below the model's folder, and below these.
    std::vector<std::string> allow = {};
    RunLimits limits = {};
};

// Reads, checks and flattens a model. Throws ModelError. `path` is used for messages and `use`.
FlatModel load_model(const std::string& path, const LoadOptions& options = {});
FlatModel load_model_text(const std::string& path, std::string text, const LoadOptions& options = {});

}  // namespace deltaflow
