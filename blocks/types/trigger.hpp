// What acts once: where a condition becomes true, or at an impulse.
#pragma once

#include "blocks/condition.hpp"

namespace deltaflow {

// A unit impulse an infinitesimal after the condition became true, never at the start. A signal that is no
// comparison triggers by its impulses, too: at once, or if `later` an infinitesimal after them.
Ref trigger(Builder& b, const Condition& c, bool later = false);

// What keeps its value until a trigger strikes: then it becomes `to`, as that was just before.
Ref kept(Builder& b, double initial, Ref trigger, Ref to);

}  // namespace deltaflow
