// A request brings the rows of the last portion and tells how long a run took; the answer is the next
// portion, or nothing, which is the end.
#include "app/study/ranks.hpp"

#include "app/files.hpp"
#include "engine/course/side_by_side.hpp"
#include "engine/study/portion.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>

#ifdef DELTAFLOW_MPI
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include "engine/model/archive_trace.hpp"
#endif

namespace deltaflow::app {

namespace {

// How many copies of this program were started, as those that start them say.
int copies() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_TASKS"})
        if (const char* text = std::getenv(name)) return std::atoi(text);
    return 1;
}

[[noreturn]] void refuse_copies(const char* why) {
    refuse_file(
        ErrorKind::option, "sweep",
        fmt::format("several copies of this program were started together, but {}; or give each copy its "
                    "part with --shard K/N",
                    why));
}

}  // namespace

#ifdef DELTAFLOW_MPI

namespace {

constexpr int request = 1, answer = 2;
using Clock = std::chrono::steady_clock;

struct Portion {
    double seconds = 0;  // a run took
    std::vector<std::pair<std::uint64_t, SweptRun>> runs;

    void archive(Archive& a) {
        a(seconds);
        std::uint64_t count = runs.size();
        a(count);
        runs.resize(count);
        for (auto& [index, run] : runs) {
            SweepRow& row = run.row;
            a(index, row.values, row.finals, row.measures, row.events, row.end_t, row.end_reason, row.errors,
              run.model, run.signals, run.loaded);
        }
    }
};

// The main thread of rank 0.
class Office {
public:
    Office(const Sweeper& sweeper, ToDo& to_do, const TakeRun& take, int ranks)
        : sweeper_(sweeper), to_do_(to_do), take_(take), ranks_(ranks), left_(to_do.size()) {}

    void open() {
        std::jthread own([&] { work(); });
        for (int dismissed = 0; dismissed + 1 < ranks_;) {
            int waits = 0;
            MPI_Status status;
            MPI_Iprobe(MPI_ANY_SOURCE, request, MPI_COMM_WORLD, &waits, &status);
            if (waits)
                dismissed += serve(status) ? 0 : 1;
            else
                std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
        own.join();
        if (error_) std::rethrow_exception(error_);
    }

private:
    // This rank's own share of the work.
    void work() {
        while (const auto index = next()) {
            SweptRun run = sweeper_.run(*index);
            hand_on(*index, std::move(run));
        }
    }
    std::optional<std::size_t> next() {
        const std::lock_guard lock(taking_);
        if (error_ || sweeper_.is_interrupted()) return std::nullopt;
        const auto index = to_do_.next();
        if (index) --left_;
        return index;
    }
    void hand_on(std::size_t index, SweptRun run) {
        const std::lock_guard lock(taking_);
        try {
            if (!error_) take_(index, std::move(run));
        } catch (...) {  // the others must hear that there is nothing more
            error_ = std::current_exception();
        }
        if (sweeper_.control().progress)
            sweeper_.control().progress(static_cast<double>(++taken_) / static_cast<double>(to_do_.size()));
    }
    // Takes what one rank has done and answers; false: it was told that there is nothing more.
    bool serve(const MPI_Status& status) {
        int size = 0;
        MPI_Get_count(&status, MPI_BYTE, &size);
        std::vector<std::byte> bytes(static_cast<std::size_t>(size));
        MPI_Recv(bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, request, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        Archive archive(bytes);
        Portion done;
        archive(done);
        for (auto& [index, run] : done.runs) hand_on(index, std::move(run));
        const std::vector<std::uint64_t> more = next_portion(done.seconds);
        MPI_Send(more.data(), static_cast<int>(more.size()), MPI_UINT64_T, status.MPI_SOURCE, answer,
                 MPI_COMM_WORLD);
        return !more.empty();
    }
    std::vector<std::uint64_t> next_portion(double seconds) {
        const std::size_t count = [&] {
            const std::lock_guard lock(taking_);
            return portion(seconds, left_, static_cast<std::size_t>(ranks_));
        }();
        std::vector<std::uint64_t> indices;
        while (indices.size() < count) {
            const auto index = next();
            if (!index) break;
            indices.push_back(*index);
        }
        return indices;
    }

    const Sweeper& sweeper_;
    ToDo& to_do_;
    const TakeRun& take_;
    int ranks_;
    std::size_t left_, taken_ = 0;
    std::mutex taking_;
    std::exception_ptr error_;
};

Portion carried_out(const Sweeper& sweeper, const std::vector<std::uint64_t>& indices) {
    Portion done;
    done.runs.resize(indices.size());
    const auto begin = Clock::now();
    side_by_side(indices.size(), std::max(1U, sweeper.control().jobs), [&](std::size_t i) {
        done.runs[i] = {indices[i], sweeper.run(indices[i])};
    });
    done.seconds = std::chrono::duration<double>(Clock::now() - begin).count() /
                   static_cast<double>(std::max<std::size_t>(indices.size(), 1));
    return done;
}

}  // namespace

Ranks::Ranks(bool alone) {
    if (alone || copies() <= 1) return;
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    begun_ = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    if (size_ == 1) refuse_copies("they do not know of each other (srun --mpi=pmix)");
    if (rank_ > 0 && !std::freopen("/dev/null", "w", stderr))
        return;  // rank 0 tells what is wrong with a model
}

Ranks::~Ranks() {
    if (begun_) MPI_Finalize();
}

void Ranks::run(const Sweeper& sweeper, ToDo& to_do, const TakeRun& take) const {
    if (size_ == 1) return run_points(sweeper, to_do, take);
    Office(sweeper, to_do, take, size_).open();
}

void Ranks::serve(const Sweeper& sweeper) const {
    for (Portion done;;) {
        Archive archive;
        archive(done);
        const std::vector<std::byte> bytes = archive.take();
        MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, request, MPI_COMM_WORLD);
        MPI_Status status;
        MPI_Probe(0, answer, MPI_COMM_WORLD, &status);
        int count = 0;
        MPI_Get_count(&status, MPI_UINT64_T, &count);
        std::vector<std::uint64_t> indices(static_cast<std::size_t>(count));
        MPI_Recv(indices.data(), count, MPI_UINT64_T, 0, answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (indices.empty()) return;
        done = carried_out(sweeper, indices);
    }
}

#else

Ranks::Ranks(bool alone) {
    if (!alone && copies() > 1) refuse_copies("it was built without MPI (build it with -DDELTAFLOW_MPI=ON)");
}

Ranks::~Ranks() = default;

void Ranks::run(const Sweeper& sweeper, ToDo& to_do, const TakeRun& take) const {
    run_points(sweeper, to_do, take);
}

void Ranks::serve(const Sweeper&) const {}

#endif

}  // namespace deltaflow::app
