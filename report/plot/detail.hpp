// One run for traces and pictures: samples for a page beside those of the trace.
#pragma once

#include "deltaflow/sink.hpp"
#include "engine/model/model.hpp"
#include "report/plot/picture.hpp"

#include <vector>

namespace deltaflow::report {

// Which samples of a run are whose; where there are no times all of them are everybody's.
struct SampleShares {
    std::vector<double> trace, page;  // sorted
    bool dense = true;                // a page has several samples a column, wherever the run may end
};

// Asks the model for the samples that a page `columns` wide needs, unless it has as many anyway or they would
// take long.
SampleShares sample_for_page(FlatModel& model, std::size_t columns, const View& view = {});

// Hands on everything but samples at other times.
class SamplesAt final : public Sink {
public:
    // No times: all samples.
    SamplesAt(Sink& sink, const std::vector<double>& times) : sink_(sink), times_(times) {}
    void begin(const Trace& heading) override { sink_.begin(heading); }
    void take(const Trace& part) override;
    void end(const Trace& closing) override { sink_.end(closing); }

private:
    Sink& sink_;
    const std::vector<double>& times_;
    std::size_t next_ = 0;
};

}  // namespace deltaflow::report
