"""Forms of If, Loop and TensorIterator that all releases of the runtime compute wrongly, so that no IR may have them (transformations/runtime_faults)."""
import xml.etree.ElementTree as et

VIEWS = ("Reshape", "Squeeze", "Unsqueeze")


class Body:
    def __init__(self, element):
        self.types = {layer.get("id"): layer.get("type") for layer in element.find("layers")}
        edges = [] if element.find("edges") is None else list(element.find("edges"))
        self.read = {(e.get("from-layer"), e.get("from-port")) for e in edges}
        self.sources = {(e.get("to-layer"), e.get("to-port")): e.get("from-layer") for e in edges}

    def unread_parameters(self):
        read = {layer for layer, _ in self.read}
        return [layer for layer, type in self.types.items() if type == "Parameter" and layer not in read]

    def memory_of(self, result):
        """The layer in whose memory the tensor of a Result may lie."""
        layer = self.sources[result, "0"]
        while self.types[layer] in VIEWS:
            layer = self.sources[layer, "0"]
        return layer


def findings(xml):
    """A line for each faulty form in the IR."""
    lines = []
    for layer in et.parse(xml).getroot().iter("layer"):
        name = f"{xml}: {layer.get('type')} '{layer.get('name')}'"
        if layer.get("type") == "If":
            for branch in ("then_body", "else_body"):
                unread = Body(layer.find(branch)).unread_parameters()
                lines += [f"{name}: {branch} takes an input that it does not read (layer {i}): UnreadBranchInputs" for i in unread]
        if layer.get("type") in ("Loop", "TensorIterator") and layer.find("back_edges") is not None:
            body = Body(layer.find("body"))
            for edge in layer.find("back_edges"):
                source = body.memory_of(edge.get("from-layer"))
                if body.types[source] == "Parameter" and source != edge.get("to-layer"):
                    lines.append(f"{name}: layer {edge.get('to-layer')} of the body gets what layer {source} held: TakenOverLoopStates")
    return lines
