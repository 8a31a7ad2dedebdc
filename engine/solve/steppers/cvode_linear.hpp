// How CVODE eliminates: dense, sparse (KLU), or by a Krylov method.
#pragma once

#ifdef DELTAFLOW_CVODE

#include "engine/compile/sparsity.hpp"

#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#ifdef DELTAFLOW_KLU
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>
#endif

#include <algorithm>
#include <span>

namespace deltaflow {

struct CvodeLinear {
    SUNMatrix matrix = nullptr;
    SUNLinearSolver solver = nullptr;

    // `pattern`: of the Jacobian, or nothing where it has too many entries.
    void make(N_Vector y, const Sparsity* pattern, std::size_t size, SUNContext context) {
        constexpr std::size_t largest_dense = 400;   // above, a Krylov solver is cheaper than n^3
        constexpr std::size_t smallest_sparse = 40;  // below, dense elimination is as fast
        constexpr std::size_t fill = 8;              // so many times fewer entries are worth a sparse matrix
        const auto n = static_cast<sunindextype>(size);
#ifdef DELTAFLOW_KLU
        if (pattern && size >= smallest_sparse && fill * pattern->entries() <= size * size) {
            matrix = SUNSparseMatrix(n, n, static_cast<sunindextype>(pattern->entries()), CSC_MAT, context);
            solver = SUNLinSol_KLU(y, matrix, context);
            return;
        }
#endif
        if (pattern && size <= largest_dense) {
            matrix = SUNDenseMatrix(n, n, context);
            solver = SUNLinSol_Dense(y, matrix, context);
        } else {
            solver = SUNLinSol_SPGMR(y, SUN_PREC_NONE, 0, context);
        }
    }
    void release() {
        if (solver) SUNLinSolFree(solver);
        if (matrix) SUNMatDestroy(matrix);
        solver = nullptr;
        matrix = nullptr;
    }
};

inline void fill_matrix(const Sparsity& p, std::span<const double> entries, SUNMatrix j) {
#ifdef DELTAFLOW_KLU
    if (SUNMatGetID(j) == SUNMATRIX_SPARSE) {
        std::copy(p.first.begin(), p.first.end(), SM_INDEXPTRS_S(j));
        std::copy(p.rows.begin(), p.rows.end(), SM_INDEXVALS_S(j));
        std::copy(entries.begin(), entries.end(), SM_DATA_S(j));
        return;
    }
#endif
    for (std::size_t c = 0; c < p.size(); ++c)
        for (std::uint32_t e = p.first[c]; e < p.first[c + 1]; ++e)
            SM_COLUMN_D(j, static_cast<sunindextype>(c))[p.rows[e]] = entries[e];
}

}  // namespace deltaflow

#endif
