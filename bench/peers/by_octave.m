% The cases by GNU Octave, as one writes them there: octave-cli by_octave.m CASE prints its numbers.
1;

function y = bounces(height, e, stop)
  hit = @(t, x) deal(x(1), 1, -1);
  options = odeset("RelTol", 1e-10, "AbsTol", 1e-12, "Events", hit, "MaxStep", 0.1);  % or it falls through the floor
  t = 0;
  x = [height; 0];
  while t < stop
    [ts, xs] = ode45(@(t, x) [x(2); -9.81], [t stop], x, options);
    t = ts(end);
    y = xs(end, 1);
    x = [0; -e * xs(end, 2)];
  end
end

function n = ball()
  n = bounces(10, 0.99, 180);
end

function n = balls()
  y = arrayfun(@(i) bounces(5 + i / 200, 0.9, 5), 0:999);
  n = y([1 500 1000]);
end

function n = robertson()
  f = @(y, t) [1e4*y(2)*y(3) - 0.04*y(1); 0.04*y(1) - 1e4*y(2)*y(3) - 3e7*y(2)^2; 3e7*y(2)^2];
  lsode_options("relative tolerance", 1e-8);
  lsode_options("absolute tolerance", 1e-20);
  lsode_options("step limit", 100000);
  y = lsode(f, [1; 0; 0], [0 1e11]);
  n = y(end, :);
end

function n = ladder()
  count = 10000;
  e = ones(count, 1);
  a = 1e5 * spdiags([e, -2*e, e], -1:1, count, count);
  a(count, count) = -1e5;
  source = sparse(1, 1, 5e5, count, 1);
  options = odeset("RelTol", 1e-6, "AbsTol", 1e-6, "Mass", speye(count), "MStateDependence", "none", "Jacobian", a, ...
                   "InitialSlope", full(source), "InitialStep", 1e-9);
  [~, v] = ode15s(@(t, v) a * v + source, [0 10], zeros(count, 1), options);
  n = v(end, [100 1000 3000]);
end

function n = bridge()
  f = @(v, t) (max(abs(10 * sin(100*pi*t)) - v, 0) - v / 100) / 2e-4;
  lsode_options("relative tolerance", 1e-9);
  lsode_options("absolute tolerance", 1e-10);
  lsode_options("maximum step size", 1e-3);
  lsode_options("step limit", 1000000);
  n = lsode(f, 0, [0 1])(end);
end

function n = sweep()
  lsode_options("relative tolerance", 1e-8);
  lsode_options("absolute tolerance", 1e-8);
  lsode_options("step limit", 100000);
  ends = zeros(1, 1000);
  for k = 0:999
    mu = 0.5 + k / 500;
    y = lsode(@(y, t) [y(2); mu * (1 - y(1)^2) * y(2) - y(1)], [2; 0], [0 20]);
    ends(k + 1) = y(end, 1);
  end
  n = ends(1:100:end);
end

begin = cputime();
numbers = feval(argv(){end});
printf("%.6g", cputime() - begin);
printf(" %.17g", numbers);
printf("\n");
