// How a command ends early: by a signal, by a limit, by a mistake of the program itself.
#pragma once

#include <atomic>
#include <cmath>
#include <string_view>

namespace deltaflow::app {

// To be called first. From now on SIGINT, SIGTERM and SIGHUP end the program at once, with 128 + n; files
// that are not whole are removed. What can only be a mistake of the program itself asks for the model, and
// ends it with 70.
void watch_signals();

// There is something to lose: from now on the first signal only sets the flag, so that what there is gets
// written, and the second ends the program at once. With `patience`, so many seconds after the first, too.
void keep_order(double patience = HUGE_VAL);
const std::atomic<bool>& interrupt_flag();
// 128 + n of the first signal; 130 if it was a limit.
int interrupt_code();
// The first interrupt outweighs how the work ended.
inline int unless_interrupted(int code) { return interrupt_flag() ? interrupt_code() : code; }

// Ends the program like an interrupt once it has run so long; what there is may be written as long again.
void limit_seconds(double seconds);
// Memory that cannot be had any more is std::bad_alloc.
void limit_memory(double megabytes);

// Says it on standard error, as plain text. It never fails, whatever has become of standard error.
void tell(std::string_view text);

// While it lives: a file that is not whole, removed where the program is ended at once.
class Unfinished {
public:
    explicit Unfinished(const char* path);  // must stay
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;
    ~Unfinished();

private:
    std::atomic<const char*>* slot_ = nullptr;
};

// While it lives: another program that is ended with this one.
class Companion {
public:
    explicit Companion(int process);
    Companion(const Companion&) = delete;
    Companion& operator=(const Companion&) = delete;
    ~Companion();
};

}  // namespace deltaflow::app
