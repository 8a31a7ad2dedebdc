// Walking back from what is computed anyway.
#include "engine/course/asked.hpp"

#include "engine/compile/analysis.hpp"
#include "engine/front/flatten/flatten.hpp"
#include "engine/front/read/report.hpp"

namespace deltaflow {

namespace {

// Whoever computes such a block computes its inputs, and has no value where one of them has none.
bool is_strict(Primitive op) {
    switch (op) {
        case Primitive::affine:
        case Primitive::product:
        case Primitive::integrator:
        case Primitive::derivative:
        case Primitive::delay:
        case Primitive::crossing:
        case Primitive::assertion:
            return true;
        default:
            return false;
    }
}

// These are computed whether anybody reads them or not.
bool is_always_computed(Primitive op) {
    return op == Primitive::integrator || op == Primitive::delay || op == Primitive::crossing ||
           op == Primitive::assertion;
}

class Asking {
public:
    explicit Asking(const FlatModel& model)
        : d_(model.diagram), named_(model.named), computed_(d_.nodes.size(), false) {
        for (const auto& recorded : model.record) compute(recorded.node);
    }

    void ask_for(std::span<const NodeId> blocks) {
        for (const NodeId n : blocks) compute(n);
        asked_.insert(asked_.end(), blocks.begin(), blocks.end());
    }

    // Blocks that nobody reads come first: most others are computed for them.
    void ask_for_the_rest() {
        for (NodeId n = 0; n < d_.nodes.size(); ++n)
            if (is_always_computed(d_.nodes[n].op)) compute(n);
        const Readers readers = readers_of(d_);
        for (const bool unread : {true, false})
            for (NodeId n = 0; n < named_.size(); ++n)
                if (named_[n] && !computed_[n] && d_.nodes[n].op != Primitive::free &&
                    (!unread || readers.first[n] == readers.first[n + 1]))
                    ask_for({&n, 1});
    }

    std::vector<NodeId> take() { return std::move(asked_); }

private:
    void compute(NodeId first) {
        work_.push_back(first);
        while (!work_.empty()) {
            const NodeId n = work_.back();
            work_.pop_back();
            if (computed_[n]) continue;
            computed_[n] = true;
            if (!is_strict(d_.nodes[n].op)) continue;
            const auto inputs = d_.inputs_of(n);
            const bool reset = d_.nodes[n].is_reset();  // what it is set to is looked at only then
            work_.insert(work_.end(), inputs.begin(), reset ? inputs.begin() + 2 : inputs.end());
        }
    }

    const Diagram& d_;
    const std::vector<bool>& named_;
    std::vector<bool> computed_;
    std::vector<NodeId> asked_, work_;
};

}  // namespace

std::vector<NodeId> blocks_to_ask(const FlatModel& model) {
    Asking asking(model);
    if (model.written) {
        front::Report report(model.sources);
        asking.ask_for(front::find_unrecorded(model.written->templates, model.record, report));
    }
    asking.ask_for_the_rest();
    return asking.take();
}

}  // namespace deltaflow
