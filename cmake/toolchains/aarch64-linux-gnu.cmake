# Builds for 64-bit ARM on another Debian, with its cross compiler and its packages of architecture arm64 (docs/install.md). Programs that run while mo is
# built, such as protoc, are those of the machine that builds.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

# Libraries of both architectures lie side by side in /usr. CMake asks the compiler for its folders; pkg-config has to be told.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)

# What cpack writes into .deb packages; its own default is the architecture of the machine that builds.
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)

# mo's own programs write its man pages and completions.
find_program(qemu_aarch64 NAMES qemu-aarch64-static qemu-aarch64)
if(qemu_aarch64)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${qemu_aarch64}")
endif()
