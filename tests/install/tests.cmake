# Installs into the build folder, then builds examples/library against it and compares what it prints; the same with a
# package that is unpacked there.
include(GNUInstallDirs)
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/install/prefix)
set(example ${PROJECT_SOURCE_DIR}/examples/library)

function(add_example_test name place folder)
  add_test(NAME ${name}
    COMMAND ${CMAKE_CTEST_COMMAND}
      --build-and-test ${example} ${CMAKE_CURRENT_BINARY_DIR}/install/${folder}
      --build-generator ${CMAKE_GENERATOR}
      --build-options -DCMAKE_PREFIX_PATH=${place} -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
        -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
      --test-command ${CMAKE_COMMAND} -DMODEL=${PROJECT_SOURCE_DIR}/diagrams/bouncing_ball.toml
        -DEXPECTED=${example} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/same_output.cmake)
endfunction()

add_test(NAME install COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
set_tests_properties(install PROPERTIES FIXTURES_SETUP installed RESOURCE_LOCK written)
add_example_test("an installed library is found and used" ${prefix} example)
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

find_program(SHLIBDEPS dpkg-shlibdeps)
if(SHLIBDEPS)
  set(unpacked ${CMAKE_CURRENT_BINARY_DIR}/install/unpacked)
  add_test(NAME "a package is made and unpacked" COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR}
    -DPACKED=${CMAKE_CURRENT_BINARY_DIR}/install/packed -DUNPACKED=${unpacked} -P ${CMAKE_CURRENT_LIST_DIR}/package.cmake)
  set_tests_properties("a package is made and unpacked" PROPERTIES FIXTURES_SETUP unpacked RESOURCE_LOCK written
    TIMEOUT 300)
  add_test(NAME "the program of a package runs" COMMAND ${unpacked}/usr/bin/deltaflow run
    ${PROJECT_SOURCE_DIR}/diagrams/bouncing_ball.toml)
  set_tests_properties("the program of a package runs" PROPERTIES PASS_REGULAR_EXPRESSION "ended at t = 4")
  add_example_test("the library of a package is found and used" ${unpacked}/usr packed_example)
  set_tests_properties("the program of a package runs" "the library of a package is found and used"
    PROPERTIES FIXTURES_REQUIRED unpacked TIMEOUT 300)
endif()
