// Eigen's LU factorisations; the only file that knows the sparse one.
#include "engine/numerics/linear_solver.hpp"

#include "engine/limits.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>

namespace deltaflow {

struct LinearSolver::Impl {
    using Sparse = Eigen::SparseMatrix<double>;
    int size;
    std::vector<std::uint32_t> rows, columns;
    std::vector<double> values;
    bool regular = false;
    int sign = 1;

    Eigen::MatrixXd matrix, terms, inverse;  // terms: how large what is added up in each entry is
    Eigen::PartialPivLU<Eigen::MatrixXd> dense;
    Eigen::VectorXd scratch;

    Sparse sparse_matrix;
    Eigen::SparseLU<Sparse> sparse;
    double inverse_norm = 1;

    std::vector<std::vector<std::uint32_t>> readers;  // column -> entries
    std::vector<std::uint32_t> free, reads;           // reads: per row, how many others that are not free

    // As in a topological order of what is not zero.
    void find_free_rows() {
        free.clear();
        reads.assign(static_cast<std::size_t>(size), 0);
        std::vector<double> diagonal(static_cast<std::size_t>(size), 0);
        for (std::size_t e = 0; e < values.size(); ++e)
            if (rows[e] == columns[e])
                diagonal[rows[e]] += values[e];
            else
                reads[rows[e]] += values[e] != 0;
        const auto add = [&](std::uint32_t row) {
            if (reads[row] == 0 && diagonal[row] == 1) free.push_back(row);
        };
        for (std::uint32_t i = 0; i < reads.size(); ++i) add(i);
        for (std::size_t k = 0; k < free.size(); ++k)
            for (const std::uint32_t e : readers[free[k]])
                if (values[e] != 0 && --reads[rows[e]] == 0) add(rows[e]);
    }

    bool is_dense() const { return size <= limits::dense_loop; }

    // The same operations as Eigen's, in the same order, which for so few costs several times as much.
    bool is_small() const { return size <= 8; }
    void solve_small(double* b) const {
        double x[8];
        const double* lu = dense.matrixLU().data();
        const auto& place = dense.permutationP().indices();
        for (int i = 0; i < size; ++i) x[place[i]] = b[i];
        for (int j = 0; j < size; ++j) {
            if (x[j] == 0) continue;
            for (int i = j + 1; i < size; ++i) x[i] -= x[j] * lu[j * size + i];
        }
        for (int j = size - 1; j >= 0; --j) {
            b[j] = x[j];
            if (x[j] == 0) continue;
            b[j] = x[j] = x[j] / lu[j * size + j];
            for (int i = 0; i < j; ++i) x[i] -= x[j] * lu[j * size + i];
        }
    }

    bool factor_dense() {
        matrix.setZero(size, size);
        terms.setZero(size, size);
        for (std::size_t e = 0; e < values.size(); ++e) {
            matrix(rows[e], columns[e]) += values[e];
            terms(rows[e], columns[e]) += std::abs(values[e]);
        }
        if (!matrix.allFinite()) return false;
        dense.compute(matrix);
        const auto pivots = dense.matrixLU().diagonal();
        sign = static_cast<int>(dense.permutationP().determinant());
        for (int i = 0; i < size; ++i)
            if (pivots[i] < 0) sign = -sign;
        // Rows and columns may be scaled very differently, so each pivot is held against what it is the
        // difference of: pivot = a - sum l u, and a itself may be one, 1 - slope.
        terms = dense.permutationP() * terms;
        for (int i = 0; i < size; ++i) {
            double sum = terms(i, i);
            for (int j = 0; j < i; ++j) sum += std::abs(dense.matrixLU()(i, j) * dense.matrixLU()(j, i));
            if (!(std::abs(pivots[i]) > limits::singular_rcond * sum)) return false;
        }
        inverse.resize(0, 0);
        return true;
    }

    bool factor_sparse() {
        std::vector<Eigen::Triplet<double>> triplets;
        triplets.reserve(values.size());
        for (std::size_t e = 0; e < values.size(); ++e) {
            if (!std::isfinite(values[e])) return false;
            triplets.emplace_back(rows[e], columns[e], values[e]);
        }
        const bool fresh = sparse_matrix.size() == 0;
        if (fresh) sparse_matrix.resize(size, size);
        sparse_matrix.setFromTriplets(triplets.begin(), triplets.end());
        sparse_matrix.makeCompressed();
        if (fresh) sparse.analyzePattern(sparse_matrix);
        sparse.factorize(sparse_matrix);
        if (sparse.info() != Eigen::Success) return false;
        sign = static_cast<int>(sparse.signDeterminant());
        // A probe with alternating signs shows how much the inverse can blow up.
        Eigen::VectorXd probe(size);
        for (int i = 0; i < size; ++i) probe[i] = i % 2 == 0 ? 1.0 : -1.0;
        inverse_norm = std::max(1.0, Eigen::VectorXd(sparse.solve(probe)).lpNorm<Eigen::Infinity>());
        return std::isfinite(inverse_norm) && scaled_inverse_norm(probe) < 1 / limits::singular_rcond;
    }

    // The same with rows, and then columns, brought to size 1: what is large only by its units does not
    // count.
    double scaled_inverse_norm(Eigen::VectorXd probe) const {
        Eigen::VectorXd row = Eigen::VectorXd::Zero(size), column = row;
        for (std::size_t e = 0; e < values.size(); ++e)
            row[rows[e]] = std::max(row[rows[e]], std::abs(values[e]));
        for (std::size_t e = 0; e < values.size(); ++e)
            column[columns[e]] = std::max(column[columns[e]], std::abs(values[e]) / row[rows[e]]);
        probe = probe.cwiseProduct(row);
        return Eigen::VectorXd(sparse.solve(probe)).cwiseProduct(column).lpNorm<Eigen::Infinity>();
    }
};

LinearSolver::LinearSolver(int size, std::span<const std::uint32_t> rows,
                           std::span<const std::uint32_t> columns)
    : impl_(std::make_unique<Impl>()) {
    impl_->size = size;
    impl_->rows.assign(rows.begin(), rows.end());
    impl_->columns.assign(columns.begin(), columns.end());
    impl_->scratch.resize(size);
    impl_->readers.resize(static_cast<std::size_t>(size));
    for (std::uint32_t e = 0; e < rows.size(); ++e)
        if (rows[e] != columns[e]) impl_->readers[columns[e]].push_back(e);
}
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;
LinearSolver::~LinearSolver() = default;

bool LinearSolver::factor(std::span<const double> values) {
    Impl& s = *impl_;
    if (s.values.size() == values.size() && std::equal(values.begin(), values.end(), s.values.begin()))
        return s.regular;
    s.values.assign(values.begin(), values.end());
    s.find_free_rows();
    s.regular = s.is_dense() ? s.factor_dense() : s.factor_sparse();
    return s.regular;
}

void LinearSolver::solve(std::span<double> b) const {
    Impl& s = *impl_;
    if (s.is_small()) return s.solve_small(b.data());
    Eigen::Map<Eigen::VectorXd> x(b.data(), s.size);
    s.scratch = x;
    if (s.is_dense())
        x = s.dense.solve(s.scratch);
    else
        x = s.sparse.solve(s.scratch);
}

void LinearSolver::spread(std::span<double> bounds) const {
    Impl& s = *impl_;
    Eigen::Map<Eigen::VectorXd> b(bounds.data(), s.size);
    if (s.is_dense()) {
        if (s.inverse.size() == 0) s.inverse = s.dense.inverse().cwiseAbs();
        s.scratch = b;
        b.noalias() = s.inverse * s.scratch;
    } else {
        b.setConstant(s.inverse_norm * b.maxCoeff());
    }
}

int LinearSolver::determinant_sign() const { return impl_->sign; }

std::span<const std::uint32_t> LinearSolver::free_rows() const { return impl_->free; }

}  // namespace deltaflow
