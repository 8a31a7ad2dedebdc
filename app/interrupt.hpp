// ^C ends a command in good order.
#pragma once

#include <atomic>

namespace deltaflow::app {

// From now on the first interrupt sets the flag; the second one ends the program at once.
void listen_for_interrupts();
const std::atomic<bool>& interrupt_flag();

}  // namespace deltaflow::app
