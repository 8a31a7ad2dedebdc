# Installs into the build folder, then builds examples/library against it and compares what it prints.
include(GNUInstallDirs)
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/install/prefix)
set(example ${PROJECT_SOURCE_DIR}/examples/library)
add_test(NAME install COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
set_tests_properties(install PROPERTIES FIXTURES_SETUP installed)
add_test(NAME "an installed library is found and used"
  COMMAND ${CMAKE_CTEST_COMMAND}
    --build-and-test ${example} ${CMAKE_CURRENT_BINARY_DIR}/install/example
    --build-generator ${CMAKE_GENERATOR}
    --build-options -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
      -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
    --test-command ${CMAKE_COMMAND} -DPROGRAM=./bounce -DMODEL=${PROJECT_SOURCE_DIR}/diagrams/bouncing_ball.toml
      -DEXPECTED=${example}/output.txt -P ${CMAKE_CURRENT_LIST_DIR}/same_output.cmake)
add_test(NAME "an installed program runs" COMMAND ${prefix}/${CMAKE_INSTALL_BINDIR}/deltaflow --version)
add_test(NAME "manual page and completion are installed" COMMAND ${CMAKE_COMMAND} -E cat
  ${prefix}/${CMAKE_INSTALL_MANDIR}/man1/deltaflow.1
  ${prefix}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions/deltaflow
  ${prefix}/${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_deltaflow
  ${prefix}/${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/deltaflow.fish)
set_tests_properties("manual page and completion are installed" PROPERTIES
  PASS_REGULAR_EXPRESSION "TH DELTAFLOW 1.*complete -F _deltaflow.*#compdef deltaflow.*complete -c deltaflow")
set_tests_properties("an installed library is found and used" "an installed program runs"
  "manual page and completion are installed"
  PROPERTIES FIXTURES_REQUIRED installed TIMEOUT 300)
