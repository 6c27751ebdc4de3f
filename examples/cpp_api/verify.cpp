// Does an IR compute what its model computes? With words of `mo verify`.
//   verify_model MODEL IR.xml [--seeds 3] [--bisect] [OPTION…]
#include <cstdio>

#include "api/verify.hpp"

namespace {

mo::Expected<mo::Verification> verify(const std::vector<std::string>& words) {
  MO_ASSIGN(const mo::VerifyRequest request, mo::parse_verify_request(words));
  mo::DiagnosticList remarks;
  return mo::verify(request, remarks);
}

}  // namespace

int main(int argc, char** argv) {
  const auto verification = verify({argv + 1, argv + argc});
  if (!verification) {
    std::fprintf(stderr, "%s\n", verification.error().first().format().c_str());
    return 1;
  }
  std::printf("%s", mo::text_of(*verification).c_str());
  return verification->verdict == mo::Verdict::different ? 8 : 0;
}
