// CVODE as its examples use it: Adams, functional iteration, one root function, restart at each bounce.
#include "bench/flight_by_hand.hpp"

#ifdef DELTAFLOW_CVODE

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

namespace deltaflow::bench {

namespace {

int slopes(realtype, N_Vector x, N_Vector dxdt, void* g) {
    NV_Ith_S(dxdt, 0) = NV_Ith_S(x, 1);
    NV_Ith_S(dxdt, 1) = -*static_cast<double*>(g);
    return 0;
}

int height(realtype, N_Vector x, realtype* root, void*) {
    root[0] = NV_Ith_S(x, 0);
    return 0;
}

}  // namespace

std::vector<Bounce> bounces_by_cvode(double g, double y, int count, double tolerance) {
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    N_Vector x = N_VNew_Serial(2, context);
    NV_Ith_S(x, 0) = y;
    NV_Ith_S(x, 1) = 0;
    void* memory = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(x, 0, context);
    CVodeInit(memory, slopes, 0, x);
    CVodeSetUserData(memory, &g);
    CVodeSStolerances(memory, tolerance, tolerance);
    CVodeSetNonlinearSolver(memory, solver);
    CVodeSetMaxNumSteps(memory, -1);
    CVodeRootInit(memory, 1, height);
    int falling = -1;
    CVodeSetRootDirection(memory, &falling);
    std::vector<Bounce> bounces;
    realtype t = 0;
    while (static_cast<int>(bounces.size()) < count &&
           CVode(memory, t + 1e9, x, &t, CV_NORMAL) == CV_ROOT_RETURN) {
        const double before = NV_Ith_S(x, 1);
        // The root is found a little late; with the height left as it is there, energy stays what it was.
        NV_Ith_S(x, 1) = -before;
        bounces.push_back({t, before, -before, -2 * before});
        CVodeReInit(memory, t, x);
    }
    CVodeFree(&memory);
    SUNNonlinSolFree(solver);
    N_VDestroy(x);
    SUNContext_Free(&context);
    return bounces;
}

}  // namespace deltaflow::bench

#else

namespace deltaflow::bench {
std::vector<Bounce> bounces_by_cvode(double, double, int, double) { return {}; }
}  // namespace deltaflow::bench

#endif
