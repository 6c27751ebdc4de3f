#include <onnx/checker.h>
#include <onnx/onnx_pb.h>

#include <cstdio>
#include <exception>

// check_onnx_model MODEL: what the checker of ONNX's own library says of a model; 0 when it likes it.
int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: check_onnx_model MODEL\n", stderr), 2;
  try {
    onnx::checker::check_model(std::string(argv[1]));
  } catch (const std::exception& complaint) {
    std::puts(complaint.what());
    return 1;
  }
  return 0;
}
