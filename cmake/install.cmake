# Installs the headers, the library, the program, and what find_package(deltaflow) needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

foreach(folder signal blocks bonds engine)
  install(DIRECTORY ${folder}/ DESTINATION include/deltaflow/${folder} FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(TARGETS deltaflow_engine EXPORT deltaflow-targets)
if(TARGET deltaflow)
  install(TARGETS deltaflow)
endif()

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/deltaflow)
install(EXPORT deltaflow-targets NAMESPACE deltaflow:: DESTINATION ${config_folder})
configure_package_config_file(cmake/deltaflow-config.cmake.in ${PROJECT_BINARY_DIR}/deltaflow-config.cmake
  INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/deltaflow-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/deltaflow-config.cmake ${PROJECT_BINARY_DIR}/deltaflow-config-version.cmake
  DESTINATION ${config_folder})
