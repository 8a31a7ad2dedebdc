# Installs the headers, the library, the program with its manual page and completion, and what
# find_package(deltaflow) needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(DIRECTORY include/deltaflow/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/deltaflow)
install(TARGETS deltaflow_library EXPORT deltaflow-targets)
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

# The page of `deltaflow studio`, if it was built by the time (`./dev web build`).
install(DIRECTORY web/dist/ DESTINATION ${CMAKE_INSTALL_DATADIR}/deltaflow/studio OPTIONAL)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/deltaflow)
install(EXPORT deltaflow-targets NAMESPACE deltaflow:: DESTINATION ${config_folder})
configure_package_config_file(cmake/deltaflow-config.cmake.in ${PROJECT_BINARY_DIR}/deltaflow-config.cmake
  INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/deltaflow-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/deltaflow-config.cmake ${PROJECT_BINARY_DIR}/deltaflow-config-version.cmake
  DESTINATION ${config_folder})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/deltaflow RENAME copyright)

# `cpack -G DEB`
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME deltaflow)
set(CPACK_PACKAGE_CONTACT "Deltaflow maintainers <maintainers@deltaflow.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "graphviz, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, python3-matplotlib, python3-pandas, python3-sympy")
include(CPack)
