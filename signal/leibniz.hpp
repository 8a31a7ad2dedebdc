// The product of impulses and a function: the general Leibniz rule.
#pragma once

namespace deltaflow {

// The coefficient of delta^(i) in (sum_{j<=n} a[j] delta^(j)) u, with u(k) = u^(k)/k! at the instant:
//   sum_{j=i..n} (-1)^(j-i) C(j,i) (j-i)! a[j] u[j-i]                                     (003:31)
// where C(j,i) (j-i)! = j!/i! is built up on the way. Reads a(i..n) and u(0..n-i) only.
template <class S, class A, class U>
S leibniz(int i, const A& a, int n, const U& u) {
    if (i > n) return S(0);
    S sum = a(i) * u(0);
    S weight = S(1);
    for (int j = i + 1; j <= n; ++j) {
        weight = weight * S(-j);
        sum = sum + weight * (a(j) * u(j - i));
    }
    return sum;
}

}  // namespace deltaflow
