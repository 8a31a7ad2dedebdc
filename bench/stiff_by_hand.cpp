#include "bench/stiff_by_hand.hpp"

#include <cmath>

#ifdef DELTAFLOW_KLU

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

namespace deltaflow::bench {

namespace {

struct Problem {
    sunindextype n;
    double rate, source;
};

int slopes(realtype, N_Vector x, N_Vector dxdt, void* data) {
    const auto& p = *static_cast<Problem*>(data);
    const double* v = N_VGetArrayPointer(x);
    double* d = N_VGetArrayPointer(dxdt);
    for (sunindextype i = 0; i < p.n; ++i) {
        const double left = i == 0 ? p.source : v[i - 1];
        const double out = i + 1 < p.n ? v[i] - v[i + 1] : 0;
        d[i] = p.rate * (left - v[i] - out);
    }
    return 0;
}

int jacobian(realtype, N_Vector, N_Vector, SUNMatrix j, void* data, N_Vector, N_Vector, N_Vector) {
    const auto& p = *static_cast<Problem*>(data);
    sunindextype e = 0;
    for (sunindextype c = 0; c < p.n; ++c) {
        SM_INDEXPTRS_S(j)[c] = e;
        const auto put = [&](sunindextype row, double value) {
            SM_INDEXVALS_S(j)[e] = row;
            SM_DATA_S(j)[e++] = value;
        };
        if (c > 0) put(c - 1, p.rate);
        put(c, c + 1 < p.n ? -2 * p.rate : -p.rate);
        if (c + 1 < p.n) put(c + 1, p.rate);
    }
    SM_INDEXPTRS_S(j)[p.n] = e;
    return 0;
}

int wave_slopes(realtype, N_Vector x, N_Vector dxdt, void* data) {
    const auto& p = *static_cast<Problem*>(data);
    const double* u = N_VGetArrayPointer(x);
    double* d = N_VGetArrayPointer(dxdt);
    for (sunindextype i = 0; i < p.n; ++i) {
        const double left = i == 0 ? u[0] : u[i - 1], right = i + 1 < p.n ? u[i + 1] : u[i];
        d[i] = p.rate * (left - 2 * u[i] + right) + u[i] * (1 - u[i]);
    }
    return 0;
}

int wave_jacobian(realtype, N_Vector x, N_Vector, SUNMatrix j, void* data, N_Vector, N_Vector, N_Vector) {
    const auto& p = *static_cast<Problem*>(data);
    const double* u = N_VGetArrayPointer(x);
    sunindextype e = 0;
    for (sunindextype c = 0; c < p.n; ++c) {
        SM_INDEXPTRS_S(j)[c] = e;
        const auto put = [&](sunindextype row, double value) {
            SM_INDEXVALS_S(j)[e] = row;
            SM_DATA_S(j)[e++] = value;
        };
        if (c > 0) put(c - 1, p.rate);
        put(c, (c > 0 && c + 1 < p.n ? -2 : -1) * p.rate + 1 - 2 * u[c]);
        if (c + 1 < p.n) put(c + 1, p.rate);
    }
    SM_INDEXPTRS_S(j)[p.n] = e;
    return 0;
}

// From what the first states are full of; the state at `place` in the end.
StiffEnd integrated(Problem p, CVRhsFn rhs, CVLsJacFn by_state, sunindextype full, std::size_t place,
                    double stop, double tolerance) {
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    N_Vector x = N_VNew_Serial(p.n, context);
    N_VConst(0, x);
    for (sunindextype i = 0; i < full; ++i) N_VGetArrayPointer(x)[i] = 1;
    void* memory = CVodeCreate(CV_BDF, context);
    CVodeInit(memory, rhs, 0, x);
    CVodeSetUserData(memory, &p);
    CVodeSStolerances(memory, tolerance, tolerance);
    CVodeSetMaxNumSteps(memory, -1);
    CVodeSetMaxStep(memory, stop / 200);
    SUNMatrix matrix = SUNSparseMatrix(p.n, p.n, 3 * p.n, CSC_MAT, context);
    SUNLinearSolver solver = SUNLinSol_KLU(x, matrix, context);
    CVodeSetLinearSolver(memory, solver, matrix);
    CVodeSetJacFn(memory, by_state);
    StiffEnd end;
    realtype t = 0;
    CVodeSetStopTime(memory, stop);
    CVode(memory, stop, x, &t, CV_NORMAL);
    end.last = N_VGetArrayPointer(x)[place];
    CVodeGetNumSteps(memory, &end.steps);
    CVodeFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(x);
    SUNContext_Free(&context);
    return end;
}

}  // namespace

StiffEnd ladder_by_cvode(std::size_t stages, double rate, double source, double stop, double tolerance) {
    return integrated({static_cast<sunindextype>(stages), rate, source}, slopes, jacobian, 0, stages - 1,
                      stop, tolerance);
}

StiffEnd wave_by_cvode(std::size_t cells, double diffusion, std::size_t place, double stop,
                       double tolerance) {
    return integrated({static_cast<sunindextype>(cells), diffusion, 0}, wave_slopes, wave_jacobian, 10, place,
                      stop, tolerance);
}

}  // namespace deltaflow::bench

#else

namespace deltaflow::bench {
StiffEnd ladder_by_cvode(std::size_t, double, double, double, double) { return {NAN, 0}; }
StiffEnd wave_by_cvode(std::size_t, double, std::size_t, double, double) { return {NAN, 0}; }
}  // namespace deltaflow::bench

#endif
