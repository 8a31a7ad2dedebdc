// The cases by hand in C++ with CVODE: by_cvode CASE prints its numbers.
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double g = 9.81;
using Numbers = std::vector<double>;

// CVODE around a vector of states.
class Integrator {
public:
    Integrator(int method, const Numbers& x, CVRhsFn f, double relative, double absolute,
               void* data = nullptr) {
        SUNContext_Create(nullptr, &context_);
        x_ = N_VNew_Serial(static_cast<sunindextype>(x.size()), context_);
        for (std::size_t i = 0; i < x.size(); ++i) state(i) = x[i];
        memory_ = CVodeCreate(method, context_);
        CVodeInit(memory_, f, 0, x_);
        CVodeSetUserData(memory_, data);
        CVodeSStolerances(memory_, relative, absolute);
        CVodeSetMaxNumSteps(memory_, -1);
    }
    ~Integrator() {
        CVodeFree(&memory_);
        SUNLinSolFree(solver_);
        SUNMatDestroy(matrix_);
        N_VDestroy(x_);
        SUNContext_Free(&context_);
    }
    Integrator(const Integrator&) = delete;
    void solve_dense(CVLsJacFn jacobian = nullptr) {
        const sunindextype n = N_VGetLength(x_);
        matrix_ = SUNDenseMatrix(n, n, context_);
        solver_ = SUNLinSol_Dense(x_, matrix_, context_);
        CVodeSetLinearSolver(memory_, solver_, matrix_);
        CVodeSetJacFn(memory_, jacobian);
    }
    void solve_sparse(sunindextype entries, CVLsJacFn jacobian) {
        const sunindextype n = N_VGetLength(x_);
        matrix_ = SUNSparseMatrix(n, n, entries, CSC_MAT, context_);
        solver_ = SUNLinSol_KLU(x_, matrix_, context_);
        CVodeSetLinearSolver(memory_, solver_, matrix_);
        CVodeSetJacFn(memory_, jacobian);
    }
    void* memory() { return memory_; }
    double& state(std::size_t i) { return N_VGetArrayPointer(x_)[i]; }
    int advance(double stop) {
        CVodeSetStopTime(memory_, stop);
        return CVode(memory_, stop, x_, &t, CV_NORMAL);
    }
    void restart() { CVodeReInit(memory_, t, x_); }
    double t = 0;

private:
    SUNContext context_ = nullptr;
    N_Vector x_ = nullptr;
    void* memory_ = nullptr;
    SUNMatrix matrix_ = nullptr;
    SUNLinearSolver solver_ = nullptr;
};

double* at(N_Vector v) { return N_VGetArrayPointer(v); }

int fall(double, N_Vector x, N_Vector d, void*) {
    at(d)[0] = at(x)[1];
    at(d)[1] = -g;
    return 0;
}
int height_of(double, N_Vector x, double* root, void*) {
    root[0] = at(x)[0];
    return 0;
}

double bounces(double height, double e, double stop) {
    Integrator ball(CV_BDF, {height, 0}, fall, 1e-10, 1e-12);
    ball.solve_dense();
    CVodeRootInit(ball.memory(), 1, height_of);
    int down = -1;
    CVodeSetRootDirection(ball.memory(), &down);
    while (ball.t < stop && ball.advance(stop) == CV_ROOT_RETURN) {
        ball.state(0) = 0;
        ball.state(1) *= -e;
        ball.restart();
    }
    return ball.state(0);
}

Numbers ball() { return {bounces(10, 0.99, 180)}; }

Numbers balls() {
    Numbers y;
    for (int i = 0; i < 1000; ++i) y.push_back(bounces(5 + i / 200.0, 0.9, 5));
    return {y[0], y[499], y[999]};
}

int reactions(double, N_Vector x, N_Vector d, void*) {
    const double* y = at(x);
    const double slow = 0.04 * y[0], back = 1e4 * y[1] * y[2], fast = 3e7 * y[1] * y[1];
    at(d)[0] = back - slow;
    at(d)[1] = slow - back - fast;
    at(d)[2] = fast;
    return 0;
}
int rates(double, N_Vector x, N_Vector, SUNMatrix j, void*, N_Vector, N_Vector, N_Vector) {
    const double* y = at(x);
    const double by[3][3] = {
        {-0.04, 1e4 * y[2], 1e4 * y[1]}, {0.04, -1e4 * y[2] - 6e7 * y[1], -1e4 * y[1]}, {0, 6e7 * y[1], 0}};
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) SM_ELEMENT_D(j, r, c) = by[r][c];
    return 0;
}

Numbers robertson() {
    Integrator run(CV_BDF, {1, 0, 0}, reactions, 1e-8, 1e-20);
    run.solve_dense(rates);
    run.advance(1e11);
    return {run.state(0), run.state(1), run.state(2)};
}

constexpr sunindextype stages = 10000;
constexpr double rate = 1e5;

int charge(double, N_Vector x, N_Vector d, void*) {
    const double* v = at(x);
    for (sunindextype i = 0; i < stages; ++i) {
        const double left = i == 0 ? 5 : v[i - 1], out = i + 1 < stages ? v[i] - v[i + 1] : 0;
        at(d)[i] = rate * (left - v[i] - out);
    }
    return 0;
}
int conductance(double, N_Vector, N_Vector, SUNMatrix j, void*, N_Vector, N_Vector, N_Vector) {
    sunindextype e = 0;
    const auto put = [&](sunindextype row, double value) {
        SM_INDEXVALS_S(j)[e] = row;
        SM_DATA_S(j)[e++] = value;
    };
    for (sunindextype c = 0; c < stages; ++c) {
        SM_INDEXPTRS_S(j)[c] = e;
        if (c > 0) put(c - 1, rate);
        put(c, c + 1 < stages ? -2 * rate : -rate);
        if (c + 1 < stages) put(c + 1, rate);
    }
    SM_INDEXPTRS_S(j)[stages] = e;
    return 0;
}

Numbers ladder() {
    Integrator run(CV_BDF, Numbers(stages, 0.0), charge, 1e-6, 1e-6);
    run.solve_sparse(3 * stages, conductance);
    run.advance(10);
    return {run.state(99), run.state(999), run.state(2999)};
}

int rectify(double t, N_Vector x, N_Vector d, void*) {
    const double v = at(x)[0];
    at(d)[0] = (std::fmax(std::fabs(10 * std::sin(100 * pi * t)) - v, 0) - v / 100) / 2e-4;
    return 0;
}
Numbers bridge() {
    Integrator run(CV_BDF, {0}, rectify, 1e-9, 1e-10);
    run.solve_dense();
    CVodeSetMaxStep(run.memory(), 1e-3);
    run.advance(1);
    return {run.state(0)};
}

int oscillate(double, N_Vector x, N_Vector d, void* mu) {
    const double* y = at(x);
    at(d)[0] = y[1];
    at(d)[1] = *static_cast<double*>(mu) * (1 - y[0] * y[0]) * y[1] - y[0];
    return 0;
}
Numbers sweep() {
    Numbers ends;
    for (int k = 0; k < 1000; ++k) {
        double mu = 0.5 + k / 500.0;
        Integrator run(CV_BDF, {2, 0}, oscillate, 1e-8, 1e-8, &mu);
        run.solve_dense();
        run.advance(20);
        if (k % 100 == 0) ends.push_back(run.state(0));
    }
    return ends;
}

}  // namespace

int main(int count, char** arguments) {
    const std::map<std::string, Numbers (*)()> cases{{"ball", ball},           {"balls", balls},
                                                     {"robertson", robertson}, {"ladder", ladder},
                                                     {"bridge", bridge},       {"sweep", sweep}};
    const auto found = cases.find(count == 2 ? arguments[1] : "");
    if (found == cases.end()) return 2;
    const std::clock_t begin = std::clock();
    const Numbers numbers = found->second();
    std::printf("%.6g", static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    for (const double x : numbers) std::printf(" %.17g", x);
    std::printf("\n");
}
