// mo_generate KIND OUT [options]: writes the models that the benchmarks convert.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "benchmarks/caffe_models.hpp"
#include "benchmarks/models.hpp"
#include "benchmarks/tensorflow_models.hpp"

int main(int argc, char** argv) {
  using namespace mo::benchmarks;
  CLI::App app{"Writes models for benchmarks: deterministic noise as weights, the same bytes on every machine."};
  app.name("mo_generate");
  std::string out;
  TransformerSize size;
  std::int64_t nodes = 1000;
  app.require_subcommand(1);

  CLI::App* make_transformer =
      app.add_subcommand("transformer", "an encoder with unknown batch and sequence length, 400 MB");
  make_transformer->add_option("--layers", size.layers, "blocks")->check(CLI::Range(1, 1000))->capture_default_str();
  make_transformer->add_option("--hidden", size.hidden, "width, a multiple of --heads")
      ->check(CLI::Range(1, 65536))
      ->capture_default_str();
  make_transformer->add_option("--heads", size.heads, "attention heads")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  make_transformer->add_option("--vocabulary", size.vocabulary, "rows of the word table")
      ->check(CLI::Range(1, 10000000))
      ->capture_default_str();
  DecoderSize decoder_size;
  CLI::App* make_decoder = app.add_subcommand("decoder", "a decoder of 1.1 billion parameters of 4 bits, 920 MB");
  make_decoder->add_option("--layers", decoder_size.layers, "blocks")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  CLI::App* make_resnet = app.add_subcommand("resnet50", "a convolutional network with batch normalisation, 100 MB");
  CLI::App* make_chain = app.add_subcommand("chain", "named elementwise nodes one after the other");
  make_chain->add_option("--nodes", nodes, "how many")->check(CLI::Range(1, 100000000))->capture_default_str();
  CLI::App* make_tiny = app.add_subcommand("tiny", "one dense layer");
  CLI::App* make_tf_resnet = app.add_subcommand("tf_resnet50", "the same as TensorFlow freezes it: channels last");
  CLI::App* make_tf_chain =
      app.add_subcommand("tf_chain", "a channels-last convolution and elementwise nodes behind it, for TensorFlow");
  make_tf_chain->add_option("--nodes", nodes, "how many")->check(CLI::Range(1, 100000000))->capture_default_str();
  CLI::App* make_tf_checkpoint = app.add_subcommand(
      "tf_checkpoint", "dense layers with 400 MB of variables in a checkpoint OUT.ckpt of four shards");
  CLI::App* make_caffe_resnet =
      app.add_subcommand("caffe_resnet50", "the same as Caffe has it, with OUT's .prototxt beside the weights");
  CLI::App* make_caffe_dense =
      app.add_subcommand("caffe_inner_product", "inner products with 100 MB of weights, and the .prototxt");
  for (CLI::App* kind : {make_transformer, make_decoder, make_resnet, make_chain, make_tiny, make_tf_resnet,
                         make_tf_chain, make_tf_checkpoint, make_caffe_resnet, make_caffe_dense})
    kind->add_option("out", out, "the model file")->required();
  CLI11_PARSE(app, argc, argv);

  if (make_transformer->parsed() && size.hidden % size.heads != 0) {
    std::fprintf(stderr, "--hidden must be a multiple of --heads\n");
    return 2;
  }
  if (make_tf_resnet->parsed()) return write_tensorflow_resnet50(out) ? 0 : 1;
  if (make_tf_chain->parsed()) return write_tensorflow_chain(out, nodes) ? 0 : 1;
  if (make_tf_checkpoint->parsed()) return write_tensorflow_checkpoint(out) ? 0 : 1;
  if (make_caffe_resnet->parsed()) return write_caffe_resnet50(out) ? 0 : 1;
  if (make_caffe_dense->parsed()) return write_caffe_inner_product(out) ? 0 : 1;
  const OnnxWriter model = make_transformer->parsed() ? transformer(size)
                           : make_decoder->parsed()   ? decoder(decoder_size)
                           : make_resnet->parsed()    ? resnet50()
                           : make_chain->parsed()     ? chain(nodes)
                                                      : tiny();
  return model.write(out) ? 0 : 1;
}
