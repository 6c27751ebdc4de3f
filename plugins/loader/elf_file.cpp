#include "plugins/loader/elf_file.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace mo::plugins {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);

constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char kOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
#if defined(__x86_64__)
constexpr unsigned kMachine = EM_X86_64;
#elif defined(__i386__)
constexpr unsigned kMachine = EM_386;
#elif defined(__aarch64__)
constexpr unsigned kMachine = EM_AARCH64;
#elif defined(__arm__)
constexpr unsigned kMachine = EM_ARM;
#elif defined(__riscv)
constexpr unsigned kMachine = EM_RISCV;
#elif defined(__powerpc64__)
constexpr unsigned kMachine = EM_PPC64;
#elif defined(__s390x__)
constexpr unsigned kMachine = EM_S390;
#else
#error "plugins: add the machine number of this architecture"
#endif

/// More program headers than any linker writes.
constexpr unsigned kMostSegments = 1024;

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_X86_64: return "x86-64";
    case EM_386: return "x86";
    case EM_AARCH64: return "AArch64";
    case EM_ARM: return "ARM";
    case EM_RISCV: return "RISC-V";
    case EM_PPC64: return "PowerPC 64";
    case EM_S390: return "s390x";
    default: return fmt::format("machine {}", machine);
  }
}

std::string_view kind_name(unsigned type) {
  switch (type) {
    case ET_REL: return "an object file";
    case ET_EXEC: return "a program";
    case ET_CORE: return "a core dump";
    default: return "of an unknown kind";
  }
}

template <class T>
Expected<T> read_at(const File& file, std::uint64_t offset) {
  T value;
  MO_TRY(file.read(offset, std::as_writable_bytes(std::span(&value, 1))));
  return value;
}

Diagnostic truncated(std::string_view what) {
  return error("MO-PLUGIN-0006", "it is truncated or corrupt: {}", what).hint("copy or build it again");
}

bool lies_inside(const File& file, std::uint64_t offset, std::uint64_t bytes) {
  return offset <= file.size() && bytes <= file.size() - offset;
}

Expected<void> check_identity(const unsigned char* ident) {
  if (ident[EI_CLASS] != kClass)
    return error("MO-PLUGIN-0005", "it is for machines of {} bits, and this is one of {}",
                 ident[EI_CLASS] == ELFCLASS32 ? 32 : 64, sizeof(void*) * 8)
        .hint("build the plugin on this machine");
  if (ident[EI_DATA] != kOrder)
    return error("MO-PLUGIN-0005", "it is for machines of the other byte order")
        .hint("build the plugin on this machine");
  return {};
}

/// Everything that will be mapped lies in the file.
Expected<void> check_extent(const File& file, const Header& header) {
  if (header.e_phentsize != sizeof(Segment) || header.e_phnum == 0 || header.e_phnum > kMostSegments)
    return truncated("it has no table of segments");
  if (!lies_inside(file, header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Segment)))
    return truncated("its segment table lies beyond its end");
  if (header.e_shoff != 0 && !lies_inside(file, header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize))
    return truncated("its section table lies beyond its end");
  bool dynamic = false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    MO_ASSIGN(const Segment segment, read_at<Segment>(file, header.e_phoff + std::uint64_t{i} * sizeof(Segment)));
    if (segment.p_type == PT_LOAD && !lies_inside(file, segment.p_offset, segment.p_filesz))
      return truncated(fmt::format("its segment {} lies beyond its end", i));
    if (segment.p_type == PT_LOAD && segment.p_filesz > segment.p_memsz)
      return truncated(fmt::format("its segment {} has an impossible size", i));
    if (segment.p_type == PT_INTERP)
      return error("MO-PLUGIN-0007", "it is a program, not a shared library")
          .hint("build the plugin with `mo_add_plugin`, see docs/plugins.md");
    dynamic = dynamic || segment.p_type == PT_DYNAMIC;
  }
  if (!dynamic) return truncated("it has no dynamic section");
  return {};
}

}  // namespace

Expected<void> check_shared_library(const File& file) {
  unsigned char ident[EI_NIDENT] = {};
  const std::size_t there = std::min<std::uint64_t>(file.size(), sizeof(ident));
  MO_TRY(file.read(0, std::as_writable_bytes(std::span(ident, there))));
  if (there < SELFMAG || std::memcmp(ident, ELFMAG, SELFMAG) != 0)
    return error("MO-PLUGIN-0004", "it is not an ELF file")
        .hint(
            "plugins are shared libraries; extensions written in Python have to be written anew, see docs/plugins.md");
  if (there < sizeof(ident)) return truncated("it ends inside of its header");
  MO_TRY(check_identity(ident));
  if (file.size() < sizeof(Header)) return truncated("it ends inside of its header");
  MO_ASSIGN(const Header header, read_at<Header>(file, 0));
  if (header.e_machine != kMachine)
    return error("MO-PLUGIN-0005", "it is for {}, and this machine is {}", machine_name(header.e_machine),
                 machine_name(kMachine))
        .hint("build the plugin on this machine");
  if (header.e_type != ET_DYN)
    return error("MO-PLUGIN-0007", "it is {}, not a shared library", kind_name(header.e_type))
        .hint("build the plugin with `mo_add_plugin`, see docs/plugins.md");
  return check_extent(file, header);
}

}  // namespace mo::plugins
