// Where an island on samples stands, as bytes and back; what comes from outside.
#include "engine/run/sampled/numeric_island.hpp"

#include <algorithm>

namespace deltaflow {

// What comes in at the time of a sample that is there shows in the next one.
void NumericIsland::feed(Fed fed, double t) {
    const NodeId node = fed.node;
    fed_.push_back(std::move(fed));
    if (t > pace_.time() + pace_.slack()) return agenda_.add(t, node);
    close_event();
    std::vector<double> left = outputs();
    take_due(node, pace_.time(), pace_.step());
    ++instants_;
    open_event(std::move(left));
}

void NumericIsland::take_fed(NodeId n, double t, double h) {
    const auto source =
        std::find_if(sources_.begin(), sources_.end(), [&](const Source& x) { return x.block.node == n; });
    auto [node, value, impulses] = take_all(fed_, n);
    if (value) now_.pieces[s_->d.nodes[n].extra] = {*value, 0, t};
    while (!impulses.empty() && impulses.back() == 0) impulses.pop_back();
    if (!impulses.empty() && source != sources_.end()) strike(*source, impulses, t, h);
}

// Between two samples the last one counts.
void NumericIsland::look(double, std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = a_[s_->outputs[i].node];
}

void NumericIsland::archive(Archive& a) {
    a(mode_);
    if (!a.is_writing()) {
        if (modes_) s_ = &modes_->of(mode_);
        bind();
    }
    std::size_t sheets = a.length(sheets_.size());
    auto next = sheets_.begin();
    for (; sheets > 0; --sheets) {
        bonds::Mode mode = a.is_writing() ? next->first->mode : bonds::Mode();
        a(mode);
        if (!a.is_writing() && modes_) {
            s_ = &modes_->of(mode);
            bind();
        }
        SampledSystem& sheet = a.is_writing() ? *next++->second : *m_;
        a(sheet.sampled.d.parameters, sheet.work);
    }
    if (!a.is_writing() && modes_) {  // binding touches parameters
        s_ = &modes_->of(mode_);
        const std::vector<double> parameters = sheets_.at(s_)->sampled.d.parameters;
        bind();
        m_->sampled.d.parameters = parameters;
    }
    a(writer_, a_, pace_, factored_, x_, before_, now_, stored_, guess_, active_, cursors_, next_tick_,
      agenda_, fed_, sources_, delays_, fired_, any_fired_, saved_, looked_back_, ticking_, choice_.waiting,
      last_, choice_.located, check_modes_, jumped_, choice_.contradicted, new_constants_, choice_.switched,
      choice_.switching, watches_, record_, zeno_, zeno_stop_, terminated_, memory_, choice_.time, instants_,
      starting_);
    if (a.is_writing()) return;
    m_->work.active = active_.empty() ? nullptr : &active_;
}

}  // namespace deltaflow
