# Fails unless each example prints what its file in the folder EXPECTED says.
foreach(example run game saved)
  execute_process(COMMAND ./${example} ${MODEL} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${EXPECTED}/${example}.txt expected)
  if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "${example} prints something else than ${EXPECTED}/${example}.txt:\n${printed}")
  endif()
endforeach()
