# Makes a Debian package of BUILD in the folder PACKED, unpacks it into UNPACKED, and looks at what it says and holds.
file(REMOVE_RECURSE ${PACKED} ${UNPACKED})
execute_process(COMMAND ${CMAKE_CPACK_COMMAND} -G DEB --config ${BUILD}/CPackConfig.cmake -B ${PACKED}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB package ${PACKED}/deltaflow_*.deb)
execute_process(COMMAND dpkg-deb --field ${package} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
foreach(library libc6 libfmt libstdc)
  if(NOT depends MATCHES ${library})
    message(FATAL_ERROR "the package does not depend on ${library}: ${depends}")
  endif()
endforeach()
execute_process(COMMAND dpkg-deb --extract ${package} ${UNPACKED} COMMAND_ERROR_IS_FATAL ANY)
foreach(file bin/deltaflow include/deltaflow/simulation.hpp share/man/man1/deltaflow.1
    share/bash-completion/completions/deltaflow share/doc/deltaflow/copyright)
  if(NOT EXISTS ${UNPACKED}/usr/${file})
    message(FATAL_ERROR "the package has no /usr/${file}")
  endif()
endforeach()
