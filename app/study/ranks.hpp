// Runs of a study on many machines: ranks of one job, started by mpirun or srun. Rank 0 hands out runs, takes
// rows and writes; the others run what they are given and ask for more.
#pragma once

#include "engine/sweep.hpp"

namespace deltaflow::app {

// One job's ranks. Without MPI, or not started by it, there is one rank. Throws ModelError (option) where
// several copies were started and this program was built without MPI: they would write one file.
class Ranks {
public:
    explicit Ranks(bool alone);  // `alone`: one rank, whoever started it
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    ~Ranks();

    bool is_one_of_many() const { return size_ > 1; }
    bool is_first() const { return rank_ == 0; }

    // On rank 0: until nothing is left and all others know. Its own threads run, too.
    void run(const Sweeper& sweeper, ToDo& to_do, const TakeRun& take) const;
    // On the others: until there is nothing more.
    void serve(const Sweeper& sweeper) const;

private:
    int rank_ = 0, size_ = 1;
    bool begun_ = false;
};

}  // namespace deltaflow::app
