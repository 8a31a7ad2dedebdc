// What an instant must not leave behind.
#pragma once

#include "engine/run/germs/germs.hpp"

namespace deltaflow {

class Checks {
public:
    Checks(State& state, const Running& at, Germs& germs) : state_(state), at_(at), germs_(germs) {}

    void impulses() const;
    void values();

private:
    void assertions();
    bool leaves_origin(NodeId n);

    State& state_;
    const Running& at_;
    Germs& germs_;
};

}  // namespace deltaflow
