#!/usr/bin/env python3
"""Lets the pipeline of OpenVINO GenAI generate text with a stateful decoder of mo, and with that of optimum-intel.

usage: genai_decoder.py BIN [--target_runtime RELEASE] [-v]        BIN: folder of mo. Runs in the environment `optimum` (tests/peers/environments.py optimum), which has these packages.

A small Llama with random weights and a tokenizer of its own are made here. Of the same weights, optimum-intel exports an IR, and makers/decoder_models.py
writes an ONNX model, which mo --stateful converts. The tokens must be the same: 20 by greedy search, for one text and for two at once, and by beam search.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "makers"))
os.environ.setdefault("HF_HUB_OFFLINE", "1")

SKIPPED = 77
try:
    import numpy as np
    import openvino_genai
    import torch
    from decoder_models import Size, decoder, rounded_to_four_bits
    from openvino import save_model
    from openvino_tokenizers import convert_tokenizer
    from optimum.intel import OVModelForCausalLM
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
except ImportError as reason:
    print(f"skipped: {reason} (tests/peers/environments.py optimum)")
    sys.exit(SKIPPED)

WORDS = "the a cat dog bird sees hears likes old young big small red blue and or when then here there runs sleeps eats".split()
TEXTS = ["the old cat sees a bird", "when here the dog runs then a young bird sleeps and eats"]
FORMS = (("plain", 32), ("plain", 4), ("group_query", 32), ("group_query", 4))


def make_tokenizer(folder):
    vocabulary = {word: i for i, word in enumerate(["<pad>", "<s>", "</s>", "<unk>"] + WORDS + [f"w{i}" for i in range(96 - 4 - len(WORDS))])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>", padding_side="left")
    fast.save_pretrained(folder)
    return fast


def make_llama(folder, size, bits, seed=5):
    """The weights, as {name: array}."""
    torch.manual_seed(seed)
    config = LlamaConfig(vocab_size=size.vocabulary, hidden_size=size.hidden, intermediate_size=size.inner, num_hidden_layers=size.layers,
                         num_attention_heads=size.heads, num_key_value_heads=size.shared, rms_norm_eps=size.epsilon, max_position_embeddings=size.positions,
                         tie_word_embeddings=False, bos_token_id=1, eos_token_id=2, pad_token_id=0, initializer_range=0.3)
    model = LlamaForCausalLM(config).eval()
    with torch.no_grad():
        if bits == 4:
            for name, weight in model.named_parameters():
                if name.startswith("model.layers.") and weight.dim() == 2:
                    weight.copy_(torch.from_numpy(rounded_to_four_bits(weight.numpy())))
    model.save_pretrained(folder)
    return {name: weight.detach().numpy() for name, weight in model.state_dict().items()}


def beside(folder, tokenizer):
    """What a pipeline wants beside the model."""
    for name, model in zip(("openvino_tokenizer.xml", "openvino_detokenizer.xml"), convert_tokenizer(tokenizer, with_detokenizer=True)):
        save_model(model, folder / name)


def settings(**more):
    made = openvino_genai.GenerationConfig()
    made.max_new_tokens, made.ignore_eos, made.eos_token_id, made.apply_chat_template = 20, True, 2, False
    for name, value in more.items():
        setattr(made, name, value)
    return made


def generated(folder, tokenizer, is_plain):
    """The tokens of each search. Texts of unlike lengths are filled on the left, which GroupQueryAttention does not know."""
    precise = {"INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": "0", "ATTENTION_BACKEND": "SDPA"}
    pipeline = openvino_genai.LLMPipeline(str(folder), "CPU", **precise)

    def run(texts, **more):
        made = tokenizer(texts, return_tensors="np", padding=True)
        tokens = openvino_genai.TokenizedInputs(*[__import__("openvino").Tensor(np.ascontiguousarray(made[name], np.int64)) for name in ("input_ids", "attention_mask")])
        return [list(each) for each in pipeline.generate(tokens, settings(**more)).tokens]
    two = TEXTS if is_plain else [TEXTS[0], TEXTS[0].replace("cat", "dog")]
    beams = {"num_beams": 4, "num_return_sequences": 4}
    return {"greedy": run(TEXTS[:1]), "greedy, another text": run(TEXTS[1:]), "greedy, two texts": run(two), "beams": run(TEXTS[:1], **beams),
            "beams, two texts": run(two, **beams)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=Path)
    parser.add_argument("-v", action="store_true", help="print the tokens")
    parser.add_argument("--target_runtime", help="that mo converts for: with a name, attention is one op")
    options = parser.parse_args()
    options.target = ["--target_runtime", options.target_runtime] if options.target_runtime else []
    wrong, count = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for attention, bits in FORMS:
            size = Size(layers=3)
            source, theirs, ours = (folder / f"{attention}_{bits}" / part for part in ("source", "optimum", "mo"))
            tokenizer = make_tokenizer(source)
            weights = make_llama(source, size, bits)
            OVModelForCausalLM.from_pretrained(source, export=True, compile=False, load_in_8bit=False).save_pretrained(theirs)
            ours.mkdir()
            (ours / "model.onnx").write_bytes(decoder(size, weights, attention, bits).SerializeToString())
            subprocess.run([options.bin / "mo", ours / "model.onnx", "--stateful", *options.target, "--output_dir", ours, "--model_name", "openvino_model", "--silent"], check=True)
            for file in ("config.json", "generation_config.json"):
                shutil.copy(theirs / file, ours / file)
            for each in (theirs, ours):
                beside(each, tokenizer)
            want, have = (generated(each, tokenizer, attention == "plain") for each in (theirs, ours))
            for search, tokens in want.items():
                count += 1
                is_same = have[search] == tokens
                print(f"{'same ' if is_same else 'OTHER'}  {attention} {bits}: {search}: {sum(map(len, tokens))} tokens")
                if options.v or not is_same:
                    print(f"  optimum-intel {tokens}\n  mo            {have[search]}")
                if not is_same:
                    wrong.append(search)
    print(f"{count - len(wrong)} of {count} the same")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
