# The rooms of the engine and of what draws and writes, for the program and for the page.
set(rooms signal blocks blocks/types bonds engine/model engine/front engine/front/read engine/front/flatten engine/numerics
  engine/compile engine/solve engine/solve/steppers engine/solve/exact engine/modes engine/run engine/run/germs engine/run/flow
  engine/run/instants engine/run/rounded engine/run/exact engine/run/sampled
  engine/course engine/study engine)
set(report_rooms report/text report/write report/plot report/scheme report/explain report/hypa report/editor report/ask)
# Loading a model walks once through some of them.
set(warm_rooms blocks engine/model engine/front engine/front/read engine/front/flatten)
# Runs spend their time in a few of them; to optimize the others less takes a third off their compile time.
set(hot_rooms signal engine/numerics engine/compile engine/solve engine/solve/steppers engine/solve/exact engine/modes
  engine/run engine/run/germs engine/run/flow engine/run/instants engine/run/rounded engine/run/exact engine/run/sampled
  engine/course engine/study engine)
# The command line.
set(app_rooms app app/commands app/study app/server app/writing)
