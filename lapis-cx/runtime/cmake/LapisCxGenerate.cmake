# cxc_generate(TARGET name SPECS spec... [IMPORT_DIRS folder...] [OPTIONS option...] [HEADERS_ONLY])
#
# Adds a library of the C that cxc makes of the specs: whoever links it has the headers, the software fallbacks and the
# runtime. Specs and folders are relative to the current source folder; options are those of `cxc build`. The program
# cxc is searched once, and -DCXC=... names another. HEADERS_ONLY leaves out fallbacks and runtime: for RISC-V, where each
# command is an instruction.
#
# A build runs cxc for each spec that changed, or that imports one that did, and compiles what changed by that. When a
# spec changes, CMake also runs again: a new interface is a new file.

cmake_policy(PUSH)
cmake_policy(VERSION 3.20) # ninja reads dependency files from wherever the project lies in another one (CMP0116)

set(_LapisCx_BIN "${CMAKE_CURRENT_LIST_DIR}/../../../bin")

function(cxc_generate)
  cmake_parse_arguments(PARSE_ARGV 0 arg "HEADERS_ONLY" "TARGET" "SPECS;IMPORT_DIRS;OPTIONS")
  if(NOT arg_TARGET OR NOT arg_SPECS OR arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "cxc_generate wants TARGET name SPECS spec... [IMPORT_DIRS folder...] [OPTIONS option...] "
      "[HEADERS_ONLY]; odd here: ${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT CMAKE_C_COMPILER_LOADED)
    message(FATAL_ERROR "cxc_generate: the generated files are C, so `project(...)` must have the language C")
  endif()
  find_program(CXC cxc HINTS "${_LapisCx_BIN}" "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin" NO_CMAKE_FIND_ROOT_PATH
    DOC "The program that compiles .cxspec files")
  if(NOT CXC)
    message(FATAL_ERROR "cxc_generate: there is no cxc on the PATH; install it, or say where it is with -DCXC=...")
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.cxc")
  file(MAKE_DIRECTORY "${folder}/include")
  set(search "")
  foreach(import IN LISTS arg_IMPORT_DIRS)
    get_filename_component(import "${import}" ABSOLUTE)
    list(APPEND search -I "${import}")
  endforeach()

  set(sources "")
  set(stamps "")
  foreach(spec IN LISTS arg_SPECS)
    get_filename_component(spec "${spec}" ABSOLUTE)
    file(RELATIVE_PATH shown "${CMAKE_CURRENT_SOURCE_DIR}" "${spec}")
    set(build "${CXC}" build "${spec}" --quiet --backend c ${search} --out-dir "${folder}" ${arg_OPTIONS})

    # The files of a spec are named after its interfaces, so cxc is asked; what it finds it says itself.
    execute_process(COMMAND ${build} --list-outputs
      OUTPUT_VARIABLE outputs RESULT_VARIABLE code OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT code EQUAL 0)
      message(FATAL_ERROR "cxc_generate: ${CXC} cannot compile ${shown} (${code}); its findings are above")
    endif()
    string(REPLACE "\n" ";" outputs "${outputs}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${spec}" "${CXC}")

    # Specs in different folders may share a name.
    string(SHA1 key "${shown}")
    string(SUBSTRING "${key}" 0 8 key)
    get_filename_component(stem "${spec}" NAME_WE)
    set(stamp "${folder}/${stem}-${key}.stamp")

    # An output that does not change keeps its time, and nothing is compiled for its sake. So it is a byproduct: CMake
    # would have make touch an OUTPUT.
    add_custom_command(OUTPUT "${stamp}" BYPRODUCTS ${outputs}
      COMMAND ${build} --depfile "${stamp}.d" --stamp "${stamp}"
      DEPENDS "${spec}" "${CXC}" DEPFILE "${stamp}.d"
      COMMENT "Compiling ${shown} with cxc" VERBATIM)
    set_source_files_properties(${outputs} PROPERTIES GENERATED TRUE SKIP_AUTOGEN TRUE SKIP_UNITY_BUILD_INCLUSION TRUE)
    list(APPEND stamps "${stamp}")
    list(APPEND sources ${outputs})
  endforeach()

  # Platforms and libraries have no C of their own: they are checked, and there is nothing to link.
  if(sources AND NOT arg_HEADERS_ONLY)
    add_library(${arg_TARGET} STATIC ${sources} ${stamps})
    target_compile_features(${arg_TARGET} PUBLIC c_std_11)
    set(scope PUBLIC)
  else()
    add_library(${arg_TARGET} INTERFACE)
    add_custom_target(${arg_TARGET}-cxc ALL DEPENDS ${stamps})
    add_dependencies(${arg_TARGET} ${arg_TARGET}-cxc)
    set(scope INTERFACE)
  endif()
  target_include_directories(${arg_TARGET} ${scope} "$<BUILD_INTERFACE:${folder}/include>")
  if(NOT arg_HEADERS_ONLY)
    target_link_libraries(${arg_TARGET} ${scope} LapisCx::runtime)
  endif()
endfunction()

cmake_policy(POP)
