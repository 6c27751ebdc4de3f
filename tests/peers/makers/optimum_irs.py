#!/usr/bin/env python3
"""Lets optimum-intel, NNCF and openvino-tokenizers write IRs of models with random weights, and OpenVINO compute them. Runs in the environment of optimum.

usage: optimum_irs.py FOLDER [ID…]      nothing is downloaded; what a package cannot write or OpenVINO cannot compute is skipped, with the reason
"""
import os
import sys
import tempfile
from pathlib import Path

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", TOKENIZERS_PARALLELISM="false", HF_HUB_DISABLE_TELEMETRY="1")

import nncf
import numpy as np
import openvino
import optimum.intel as intel
import torch
import transformers
from cases_file import Writer
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

VOCABULARY, LENGTH = 300, 6
SMALL = {"vocab_size": VOCABULARY, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 128,
         "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
GROUPED = SMALL | {"num_key_value_heads": 2}
GPT2 = {"vocab_size": VOCABULARY, "n_embd": 64, "n_layer": 2, "n_head": 4, "n_positions": 128, "bos_token_id": 1, "eos_token_id": 2}
T5 = {"vocab_size": VOCABULARY, "d_model": 64, "d_kv": 16, "d_ff": 96, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0}
BART = {"vocab_size": VOCABULARY, "d_model": 64, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
        "encoder_ffn_dim": 96, "decoder_ffn_dim": 96, "max_position_embeddings": 128}
VIT = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "image_size": 32, "patch_size": 8}
DECODERS = {"llama": GROUPED, "mistral": GROUPED, "qwen2": GROUPED, "qwen3": GROUPED | {"head_dim": 16}, "phi3": GROUPED, "granite": GROUPED, "olmo2": GROUPED,
            "cohere": GROUPED, "gpt2": GPT2, "gpt_neox": SMALL, "opt": SMALL | {"ffn_dim": 96, "word_embed_proj_dim": 64},
            "bloom": SMALL | {"n_layer": 2, "n_head": 4}, "mixtral": GROUPED | {"num_local_experts": 4}, "stablelm": GROUPED, "starcoder2": GROUPED,
            "falcon": SMALL | {"alibi": False}}
# (id, architecture, configuration, class of optimum, class of transformers)
OTHERS = [("bert", "bert", SMALL, "OVModelForFeatureExtraction", "AutoModel"),
          ("roberta", "roberta", SMALL, "OVModelForSequenceClassification", "AutoModelForSequenceClassification"),
          ("distilbert", "distilbert", {"vocab_size": VOCABULARY, "dim": 64, "hidden_dim": 96, "n_layers": 2, "n_heads": 4}, "OVModelForMaskedLM", "AutoModelForMaskedLM"),
          ("t5", "t5", T5, "OVModelForSeq2SeqLM", "AutoModelForSeq2SeqLM"), ("bart", "bart", BART, "OVModelForSeq2SeqLM", "AutoModelForSeq2SeqLM"),
          ("vit", "vit", VIT, "OVModelForImageClassification", "AutoModelForImageClassification"),
          ("resnet", "resnet", {"embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 1], "layer_type": "basic"}, "OVModelForImageClassification", "AutoModelForImageClassification"),
          ("convnext", "convnext", {"hidden_sizes": [8, 16], "depths": [1, 1], "num_stages": 2, "image_size": 32}, "OVModelForImageClassification", "AutoModelForImageClassification")]
# what NNCF makes of the weights of a decoder
COMPRESSIONS = {"int8_asym": {}, "int8_sym": {}, "int4_sym": {"group_size": 32}, "int4_asym": {"group_size": 32}, "nf4": {"group_size": 32}, "mxfp4": {"group_size": 32},
                "fp8_e4m3": {"group_size": 32}, "fp4": {"group_size": 32}, "mxfp8_e4m3": {"group_size": 32}}


def saved_model(folder, architecture, configuration, loader):
    """A model of transformers with random weights in the folder."""
    torch.manual_seed(0)
    given = transformers.AutoConfig.for_model(architecture, **configuration)
    getattr(transformers, loader).from_config(given).eval().save_pretrained(folder)
    return folder


def written_by_optimum(folder, source, loader, **how):
    """The .xml files that optimum-intel writes of the model."""
    getattr(intel, loader).from_pretrained(source, export=True, compile=False, load_in_8bit=False, **how).save_pretrained(folder)
    return sorted(Path(folder).glob("*.xml"))


def invented(port, random):
    """Numbers for an input: a batch of 1, indices that any table has, and caches without entries."""
    names = port.get_names()
    shape = [d.get_length() if d.is_static else 1 if k == 0 else LENGTH for k, d in enumerate(port.get_partial_shape())]
    if any(name.startswith("past_key_values") for name in names):
        shape = [d.get_length() if d.is_static else 1 if k == 0 else 0 for k, d in enumerate(port.get_partial_shape())]
    kind = port.get_element_type()
    if names & {"beam_idx", "token_type_ids"}:
        return np.zeros(shape, kind.to_dtype())
    if names & {"attention_mask", "decoder_attention_mask"}:
        return np.ones(shape, np.int64)
    if names & {"pixel_values"} and port.get_partial_shape().is_dynamic:
        shape = [1, 3, 32, 32]
    if kind == openvino.Type.string:
        return np.array(["to be or not to be", "that is the question"][:max(shape[0], 1)])
    array = random.standard_normal(shape) if kind.is_real() else random.integers(3, 30, shape)
    return array.astype(kind.to_dtype())


class Corpus:
    def __init__(self, folder, wanted):
        self.writer, self.wanted, self.core = Writer(folder), wanted, openvino.Core()
        self.core.set_property("CPU", {"INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0})

    def folder_of(self, name):
        path = self.writer.folder / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def add(self, name, xml):
        """Stores the IR with what OpenVINO computes of it."""
        model = self.core.read_model(xml)
        random = np.random.default_rng(0)
        given = [(port.get_any_name(), invented(port, random)) for port in model.inputs]
        compiled = self.core.compile_model(model, "CPU")
        results = compiled([array for _, array in given])
        outputs = [(sorted(port.get_names() or {f"result {i}"})[0], np.array(results[i])) for i, port in enumerate(compiled.outputs)]
        self.writer.add(name, None, given, outputs, path=str(xml))

    def attempt(self, name, make):
        """`make` gives the .xml files, in the folder that it gets."""
        if self.wanted and name not in self.wanted:
            return
        try:
            files = make(self.folder_of(name))
        except Exception as error:
            self.writer.skip(name, f"not written: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:300])
            return
        for xml in files:
            case = name if len(files) == 1 else f"{name}.{xml.stem.removeprefix('openvino_')}"
            try:
                self.add(case, xml)
            except Exception as error:
                self.writer.skip(case, f"not computed: {type(error).__name__}: {str(error)[-200:]}")


def add_decoders(corpus, scratch):
    for name, configuration in DECODERS.items():
        def source(name=name, configuration=configuration):
            return saved_model(f"{scratch}/{name}", name, configuration, "AutoModelForCausalLM")
        for kind, stateful in (("decoder", True), ("stateless", False)):
            corpus.attempt(f"{kind}_{name}",
                           lambda folder, source=source, stateful=stateful: written_by_optimum(folder, source(), "OVModelForCausalLM", stateful=stateful))


def add_others(corpus, scratch):
    for name, architecture, configuration, loader, original in OTHERS:
        corpus.attempt(name, lambda folder, name=name, a=architecture, c=configuration, l=loader, o=original: written_by_optimum(
            folder, saved_model(f"{scratch}/{name}", a, c, o), l))


def add_compressed(corpus, scratch):
    """The first decoder with what NNCF makes of its weights, and images with quantised activations."""
    def compressed(folder, mode, how):
        written_by_optimum(f"{scratch}/plain", saved_model(f"{scratch}/wide", "llama", GROUPED | {"hidden_size": 128, "intermediate_size": 256}, "AutoModelForCausalLM"),
                           "OVModelForCausalLM")
        core = openvino.Core()
        model = nncf.compress_weights(core.read_model(f"{scratch}/plain/openvino_model.xml"), mode=getattr(nncf.CompressWeightsMode, mode.upper()), **how)
        openvino.save_model(model, folder / "model.xml", compress_to_fp16=False)
        return [folder / "model.xml"]

    def quantised(folder, name, architecture, configuration):
        written_by_optimum(f"{scratch}/{name}_plain", saved_model(f"{scratch}/{name}_source", architecture, configuration, "AutoModelForImageClassification"),
                           "OVModelForImageClassification")
        model = openvino.Core().read_model(f"{scratch}/{name}_plain/openvino_model.xml")
        random = np.random.default_rng(0)
        images = nncf.Dataset([random.standard_normal((1, 3, 32, 32)).astype(np.float32) for _ in range(4)])
        openvino.save_model(nncf.quantize(model, images, subset_size=4), folder / "model.xml", compress_to_fp16=False)
        return [folder / "model.xml"]

    for mode, how in COMPRESSIONS.items():
        if hasattr(nncf.CompressWeightsMode, mode.upper()):
            corpus.attempt(f"weights_{mode}", lambda folder, mode=mode, how=how: compressed(folder, mode, how))
    for name, architecture, configuration, loader, _ in OTHERS:
        if loader == "OVModelForImageClassification":
            corpus.attempt(f"quantised_{name}", lambda folder, n=name, a=architecture, c=configuration: quantised(folder, n, a, c))


TEXT = ["To be, or not to be, that is the question:", "Whether 'tis nobler in the mind to suffer", "The slings and arrows of outrageous fortune,",
        "Or to take arms against a sea of troubles", "And by opposing end them. To die-to sleep,"]
SPECIAL = ["<pad>", "<s>", "</s>", "<unk>"]


def trained(kind):
    """A tokenizer of transformers that learned from a few lines."""
    if kind == "bpe":
        made = Tokenizer(models.BPE())
        made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
        trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=SPECIAL, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    elif kind == "word_piece":
        made = Tokenizer(models.WordPiece(unk_token="<unk>"))
        made.pre_tokenizer, made.decoder = pre_tokenizers.BertPreTokenizer(), decoders.WordPiece()
        trainer = trainers.WordPieceTrainer(vocab_size=VOCABULARY, special_tokens=SPECIAL)
    else:
        made = Tokenizer(models.Unigram())
        made.pre_tokenizer, made.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
        trainer = trainers.UnigramTrainer(vocab_size=150, special_tokens=SPECIAL, unk_token="<unk>")
    made.train_from_iterator(TEXT, trainer)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", bos_token="<s>", eos_token="</s>", unk_token="<unk>")


def add_tokenizers(corpus):
    import openvino_tokenizers

    corpus.core.add_extension(str(openvino_tokenizers._ext_path))

    def converted(folder, kind):
        files = []
        for model, name in zip(openvino_tokenizers.convert_tokenizer(trained(kind), with_detokenizer=True), ("tokenizer", "detokenizer")):
            openvino.save_model(model, folder / f"openvino_{name}.xml", compress_to_fp16=False)
            files.append(folder / f"openvino_{name}.xml")
        return files

    for kind in ("bpe", "word_piece", "unigram"):
        corpus.attempt(f"text_{kind}", lambda folder, kind=kind: converted(folder, kind))


def main():
    corpus = Corpus(sys.argv[1], sys.argv[2:])
    with tempfile.TemporaryDirectory() as scratch:
        add_decoders(corpus, scratch)
        add_others(corpus, scratch)
        add_compressed(corpus, scratch)
        add_tokenizers(corpus)
    corpus.writer.finish()


if __name__ == "__main__":
    main()
