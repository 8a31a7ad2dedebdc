# Fails unless PROGRAM prints for MODEL what the file EXPECTED says.
execute_process(COMMAND ${PROGRAM} ${MODEL} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${EXPECTED} expected)
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "the example prints something else than ${EXPECTED}:\n${printed}")
endif()
