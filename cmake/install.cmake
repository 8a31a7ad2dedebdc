# Installs the headers, the library, the program with its manual page and completion, and what
# find_package(deltaflow) needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

foreach(folder signal blocks bonds engine)
  install(DIRECTORY ${folder}/ DESTINATION include/deltaflow/${folder} FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(DIRECTORY include/deltaflow/ DESTINATION include/deltaflow)
install(TARGETS deltaflow_engine EXPORT deltaflow-targets)
if(TARGET deltaflow)
  install(TARGETS deltaflow)
endif()
if(TARGET deltaflow AND NOT CMAKE_CROSSCOMPILING)
  # The program writes these itself, when it is installed.
  set(written ${PROJECT_BINARY_DIR}/written)
  install(CODE "file(MAKE_DIRECTORY ${written})
    function(write file)
      execute_process(COMMAND $<TARGET_FILE:deltaflow> \${ARGN} OUTPUT_FILE ${written}/\${file} COMMAND_ERROR_IS_FATAL ANY)
    endfunction()
    write(deltaflow.1 man)
    write(deltaflow completion bash)
    write(_deltaflow completion zsh)
    write(deltaflow.fish completion fish)")
  install(FILES ${written}/deltaflow.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${written}/deltaflow DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${written}/_deltaflow DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${written}/deltaflow.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/deltaflow)
install(EXPORT deltaflow-targets NAMESPACE deltaflow:: DESTINATION ${config_folder})
configure_package_config_file(cmake/deltaflow-config.cmake.in ${PROJECT_BINARY_DIR}/deltaflow-config.cmake
  INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/deltaflow-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/deltaflow-config.cmake ${PROJECT_BINARY_DIR}/deltaflow-config-version.cmake
  DESTINATION ${config_folder})
