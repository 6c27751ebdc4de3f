"""An IR of invented operations and element types, as nothing that mo knows: dynamic shapes, bodies inside of bodies, runtime attributes, constants."""
import re
import struct

PRECISIONS = {"f32": "FP32", "i64": "I64", "boolean": "BOOL", "string": "STRING", "Mixed8": "Mixed8", "dynamic": "dynamic"}


def packed_strings(*texts):
    """Strings as an IR holds them: their number, where each begins and the last ends, and the characters."""
    ends = [0]
    for text in texts:
        ends.append(ends[-1] + len(text))
    return struct.pack(f"<{len(ends) + 1}i", len(texts), *ends) + b"".join(texts)


def spaced(dims):
    return dims.replace(",", ", ")


class Weights:
    """A .bin whose constants lie where writers of IRs put them: large ones at a multiple of 64."""

    def __init__(self):
        self.bytes = b""

    def place(self, content, alignment=1):
        self.bytes += bytes(-len(self.bytes) % (64 if len(content) >= 64 else alignment))
        self.bytes += content
        return f'offset="{len(self.bytes) - len(content)}" size="{len(content)}"'


class Net:
    """Layers and edges of a net or body. A tensor is (layer id, port id); types are "f32[1,?]"."""

    def __init__(self):
        self.layers, self.edges, self.types, self.last = [], [], {}, -1

    def port(self, number, type_text, names="", told=""):
        element, dims = re.match(r"(\w+)\[(.*)\]", type_text).groups()
        dims = "".join(f"<dim>{-1 if dim == '?' else dim}</dim>" for dim in dims.split(",") if dim)
        return f'<port id="{number}" precision="{PRECISIONS.get(element, element.upper())}"{names}>{dims}{told}</port>'

    def add(self, name, op, version, inputs=(), outputs=(), data="", info="", rest="", names="", layout="", ports=None):
        """`ports`: the runtime attributes of ports by their numbers, besides the layout of the first output."""
        self.last += 1
        told_at = {**(ports or {})}
        if layout:
            told_at[len(inputs)] = f'<attribute name="layout" version="0" layout="{layout}"/>' + told_at.get(len(inputs), "")
        told_at = {number: f"<rt_info>{told}</rt_info>" for number, told in told_at.items()}
        tensor_names = f' names="{names}"' if names else ""
        made = "".join(self.port(i, self.types[source], "", told_at.get(i, "")) for i, source in enumerate(inputs))
        ports = f"<input>{made}</input>" if inputs else ""
        made = "".join(self.port(len(inputs) + i, output, "" if i else tensor_names, told_at.get(len(inputs) + i, "")) for i, output in enumerate(outputs))
        ports += f"<output>{made}</output>" if outputs else ""
        self.edges += [f'<edge from-layer="{source[0]}" from-port="{source[1]}" to-layer="{self.last}" to-port="{i}"/>' for i, source in enumerate(inputs)]
        tensors = [(self.last, len(inputs) + i) for i in range(len(outputs))]
        self.types.update(zip(tensors, outputs))
        data = f"<data {data}/>" if data else ""
        info = f"<rt_info>{info}</rt_info>" if info else ""
        self.layers.append(f'<layer id="{self.last}" name="{name}" type="{op}" version="{version}">{data}{info}{ports}{rest}</layer>\n')
        return tensors

    def parameter(self, name, type_text, **more):
        element, dims = re.match(r"(\w+)\[(.*)\]", type_text).groups()
        return self.add(name, "Parameter", "opset1", outputs=[type_text], data=f'shape="{spaced(dims)}" element_type="{element}"', **more)[0]

    def constant(self, name, type_text, place):
        element, dims = re.match(r"(\w+)\[(.*)\]", type_text).groups()
        return self.add(name, "Const", "opset1", outputs=[type_text], data=f'element_type="{element}" shape="{spaced(dims)}" {place}')[0]

    def result(self, source):
        self.add(f"result_{self.last + 1}", "Result", "opset1", [source])
        return self.last

    def text(self):
        return f"<layers>\n{''.join(self.layers)}</layers><edges>{''.join(self.edges)}</edges>"


def invented_body(weights, prefix, depth):
    """A body whose invented op owns a body itself, `depth` more times."""
    body = Net()
    a = body.parameter(f"{prefix}_a", "f3e1m1[?,4]", layout="[D,E]")
    b = body.parameter(f"{prefix}_b", "f32[?]")
    c = body.constant(f"{prefix}_c", "f3e1m1[3,5]", weights.place(b"own bytes " + prefix.encode()))
    rest = ""
    if depth:
        inner, ends = invented_body(weights, f"{prefix}_in", depth - 1)
        rest = (f'<inner_port_map><input external_port_id="0" internal_layer_id="{ends[0]}" wrap="yes"/>'
                f'<output external_port_id="3" internal_layer_id="{ends[2]}"/></inner_port_map><inner_body>{inner.text()}</inner_body>')
    s = body.add(f"{prefix}_s", "Settee", "opset77", [a, c], ["f3e1m1[?,4]", "f32[?]"], 'legs="4"', rest=rest,
                 ports={0: f'<attribute name="foot" version="0" shoe="{prefix} left"/>', 3: f'<attribute name="foot" version="0" shoe="{prefix} right"/>'})
    m = body.add(f"{prefix}_m", "Multiply", "opset1", [b, s[1]], ["f32[?]"], 'auto_broadcast="numpy"', layout="[F]")
    return body, (a[0], b[0], body.result(s[0]), body.result(m[0]))


def maps(kind, inputs, outputs):
    lines = "".join(f'<input external_port_id="{port}" internal_layer_id="{layer}"/>' for port, layer in inputs)
    lines += "".join(f'<output external_port_id="{port}" internal_layer_id="{layer}"/>' for port, layer in outputs)
    return f"<{kind}port_map>{lines}</{kind}port_map>"


def furnished_model():
    """The .xml and the .bin."""
    weights, net = Weights(), Net()
    x = net.parameter("x", "f32[?,3,?]", names="x:0", layout="[N,C,W]", ports={0: '<attribute name="sensor" version="1" kind="depth"/>'})
    q = net.parameter("q", "f3e1m1[?,4]", names="q_in")
    condition = net.parameter("condition", "boolean[]")
    v = net.parameter("v", "f32[?]")
    c = net.constant("own_type", "f3e1m1[3,5]", weights.place(b"\x01\x02\x03\x04\x05\x06\x07"))
    text = net.constant("text", "string[2]", weights.place(packed_strings(b"caf\xc3\xa9", b""), 4))
    w = net.constant("w", "f32[20]", weights.place(struct.pack("<20f", *range(20)), 4))
    sofa = net.add("sofa", "Sofa", "opset99", [x, q, c, text, w], ["f32[?,?]", "f3e1m1[?,4]", "string[?]", "Mixed8[2]", "dynamic[?]"],
                   'seats="2, 3" fabric="f9e9m9" type="corner" version="old" note="a &amp; b &lt;c&gt; \u00e9" empty=""', names="soft\\,est,soft:0",
                   info='<attribute name="fused_names" version="0" value="pillow, sofa"/><attribute name="price" version="2" value="1.5" unit="EUR"/>',
                   ports={1: '<attribute name="padding" version="0"/>', 6: '<attribute name="layout" version="0" layout="[S,E]"/><attribute name="stain" version="0" colour="red"/>'})
    known = net.add("known_types", "Convert", "opset1", [q], ["f32[?,4]"], 'destination_type="f32"', layout="[N,C]")
    own = net.add("own_types", "Convert", "opset1", [x], ["u5x3[?,3,?]"], 'destination_type="u5x3"')
    total = net.add("sum_of_own", "Add", "opset1", [q, sofa[1]], ["f3e1m1[?,4]"], 'auto_broadcast="numpy"')
    norm = net.add("norm", "SoftMax", "opset8", [total[0]], ["f3e1m1[?,4]"], 'axis="1"')
    # Invented ops with bodies inside of those that are known …
    one, ends = invented_body(weights, "then", 1)
    other, others = invented_body(weights, "else", 0)
    branch = net.add("branch", "If", "opset8", [condition, q, v], ["f3e1m1[?,4]", "f32[?]"],
                     rest=maps("then_", [(1, ends[0]), (2, ends[1])], [(0, ends[2]), (1, ends[3])]) +
                     maps("else_", [(1, others[0]), (2, others[1])], [(0, others[2]), (1, others[3])]) +
                     f"<then_body>{one.text()}</then_body><else_body>{other.text()}</else_body>")
    loop, ends = invented_body(weights, "loop", 0)
    rounds = net.add("rounds", "TensorIterator", "opset1", [q, v], ["f3e1m1[?,4]", "f32[?]"],
                     rest=maps("", [(0, ends[0]), (1, ends[1])], [(2, ends[2]), (3, ends[3])]) +
                     f'<back_edges><edge from-layer="{ends[2]}" to-layer="{ends[0]}"/></back_edges><body>{loop.text()}</body>')
    # … and bodies of invented ops, with ports of their own kinds.
    left, ends = invented_body(weights, "left", 2)
    right, others = invented_body(weights, "right", 0)
    nest = net.add("nest", "Nest", "acme", [branch[0], rounds[1]], ["f3e1m1[?,4]", "i64[]"], 'width="7"',
                   rest=f'<left_port_map><input external_port_id="0" internal_layer_id="{ends[0]}" stripe="2" purpose="warm"/>'
                   f'<output external_port_id="2" internal_layer_id="{ends[2]}" axis="-1"/></left_port_map>'
                   f'<left_back_edges><edge from-layer="{ends[3]}" to-layer="{ends[1]}" delay="3"/></left_back_edges>'
                   f'<right_port_map><input external_port_id="1" internal_layer_id="{others[1]}"/></right_port_map>'
                   f"<left_body>{left.text()}</left_body><right_body>{right.text()}</right_body>")
    open_type = net.add("open_type", "ReLU", "opset1", [sofa[4]], ["dynamic[?]"])
    for tensor in [sofa[0], sofa[2], sofa[3], known[0], own[0], norm[0], branch[1], rounds[0], nest[0], nest[1], open_type[0]]:
        net.result(tensor)
    xml = f'<?xml version="1.0"?>\n<net name="furnished" version="11">\n{net.text()}<rt_info><acme><maker value="us"/></acme></rt_info></net>\n'
    return xml, weights.bytes
