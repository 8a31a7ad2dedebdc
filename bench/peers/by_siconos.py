"""The cases that have impacts or ideal diodes, by Siconos: by_siconos.py CASE prints its numbers."""
import sys
import time

import numpy as np
import siconos.kernel as sk


def bounces(height, e, stop, steps):
    """Its event-driven scheme: LSODAR between impacts, Newton's law at them."""
    ball = sk.LagrangianLinearTIDS([height], [0], [[1]])
    ball.setFExtPtr([-9.81])
    contact = sk.Interaction(sk.NewtonImpactNSL(e), sk.LagrangianLinearTIR([[1]]))
    model = sk.NonSmoothDynamicalSystem(0, stop)
    model.insertDynamicalSystem(ball)
    model.link(contact, ball)
    run = sk.EventDriven(model, sk.TimeDiscretisation(0, stop / steps))
    method = sk.LsodarOSI()
    run.insertIntegrator(method)
    run.associate(method, ball)
    run.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_IMPACT)
    run.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_SMOOTH_ACC)
    method.setTol(1, 1e-10, 1e-12)
    while run.hasNextEvent():
        run.advanceToEvent()
        run.processEvents()
    return ball.q()[0]


def ball():
    return [bounces(10, 0.99, 180, 1800)]


def balls():
    y = [bounces(5 + i / 200, 0.9, 5, 500) for i in range(1000)]
    return [y[0], y[499], y[999]]


def bridge():
    """Complementarity at each of 100,000 steps: a diode's current or its voltage is zero. The source turns round as
    two states of its own."""
    w = 100 * np.pi
    network = sk.FirstOrderLinearTIDS([0, 1, 0], [[0, w, 0], [-w, 0, 0], [0, 0, -1 / (100 * 2e-4)]])
    relation = sk.FirstOrderLinearTIR([[-10, 0, 1], [10, 0, 1]], [[0, 0], [0, 0], [1 / 2e-4, 1 / 2e-4]])
    relation.setDPtr([[1, 0], [0, 1]])
    diodes = sk.Interaction(sk.ComplementarityConditionNSL(2), relation)
    model = sk.NonSmoothDynamicalSystem(0, 1)
    model.insertDynamicalSystem(network)
    model.link(diodes, network)
    run = sk.TimeStepping(model, sk.TimeDiscretisation(0, 1e-5), sk.EulerMoreauOSI(0.5), sk.LCP())
    while run.hasNextEvent():
        run.computeOneStep()
        run.nextStep()
    return [network.x()[2]]


begin = time.process_time()
numbers = globals()[sys.argv[1]]()
print("numbers", time.process_time() - begin, *map(repr, map(float, numbers)))
