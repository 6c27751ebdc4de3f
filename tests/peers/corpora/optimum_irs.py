"""IRs of decoders and other networks, compressed weights and tokenizers that optimum-intel, NNCF and openvino-tokenizers write, as `mo opt` writes them."""
from closeness import Tolerance
from rewritten import rewritten
from stored import cases_in, made_by


def cases(_context):
    for case in cases_in(made_by("optimum_irs", judge="optimum"), Tolerance(1e-4, 1e-5)):
        yield rewritten(case)
