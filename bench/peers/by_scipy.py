"""The cases by SciPy, as one writes them there: by_scipy.py CASE prints its numbers."""
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp
from scipy.sparse import diags

g = 9.81


def bounces(height, e, stop):
    """From bounce to bounce: solve_ivp ends at an event and begins anew."""
    hit = lambda t, x: x[0]
    hit.terminal, hit.direction = True, -1
    t, x = 0.0, [height, 0.0]
    while t < stop:
        s = solve_ivp(lambda t, x: [x[1], -g], (t, stop), x, method="DOP853", rtol=1e-10, atol=1e-12, events=hit)
        t, x = s.t[-1], [0.0, -e * s.y[1, -1]]
    return s.y[0, -1]


def ball():
    return [bounces(10, 0.99, 180)]


def balls():
    y = [bounces(5 + i / 200, 0.9, 5) for i in range(1000)]
    return [y[0], y[499], y[999]]


def robertson():
    def f(t, y):
        slow, back, fast = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
        return [back - slow, slow - back - fast, fast]

    def jacobian(t, y):
        return [[-0.04, 1e4 * y[2], 1e4 * y[1]], [0.04, -1e4 * y[2] - 6e7 * y[1], -1e4 * y[1]], [0, 6e7 * y[1], 0]]

    s = solve_ivp(f, (0, 1e11), [1, 0, 0], method="BDF", rtol=1e-8, atol=1e-20, jac=jacobian)
    return list(s.y[:, -1])


def ladder():
    n, rate = 10000, 1e5
    main = np.full(n, -2 * rate)
    main[-1] = -rate
    a = diags([np.full(n - 1, rate), main, np.full(n - 1, rate)], [-1, 0, 1], format="csc")
    source = np.zeros(n)
    source[0] = 5 * rate
    s = solve_ivp(lambda t, v: a @ v + source, (0, 10), np.zeros(n), method="BDF", rtol=1e-6, atol=1e-6, jac=a)
    return [s.y[k, -1] for k in (99, 999, 2999)]


def bridge():
    def f(t, v):
        return (np.maximum(np.abs(10 * np.sin(100 * np.pi * t)) - v, 0) - v / 100) / 2e-4

    s = solve_ivp(f, (0, 1), [0.0], method="LSODA", rtol=1e-9, atol=1e-10, max_step=1e-3)
    return [s.y[0, -1]]


def sweep():
    ends = []
    for k in range(1000):
        mu = 0.5 + k / 500
        s = solve_ivp(lambda t, y: [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]], (0, 20), [2, 0], method="DOP853",
                      rtol=1e-8, atol=1e-8)
        ends.append(s.y[0, -1])
    return ends[::100]


begin = time.process_time()
numbers = globals()[sys.argv[1]]()
print(time.process_time() - begin, *map(repr, map(float, numbers)))
