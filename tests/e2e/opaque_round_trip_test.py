#!/usr/bin/env python3
"""An IR of invented operations and element types goes through the tools that compute nothing, and comes back as it was: `mo opt` without
passes keeps every fact, the .bin byte for byte and the order of layers, by `mo diff` and by a comparison of the XML that is not mo's. `mo diff`
reports every single fact that is changed, and whatever computes stops by name.

usage: opaque_round_trip_test.py BIN      BIN: folder of mo
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
from opaque_model import Net, furnished_model  # noqa: E402

BIN = ""


def facts_of_graph(graph):
    """All that <layers> and <edges> say, in the order of the layers; ids of layers and ports as names and positions."""
    layers = graph.findall("layers/layer")
    names = {layer.get("id"): layer.get("name") for layer in layers}
    places = {}
    for layer in layers:
        ports = layer.findall("input/port") + layer.findall("output/port")
        places[layer.get("id")] = {port.get("id"): str(i) for i, port in enumerate(ports)}
    edges = sorted((names[edge.get("from-layer")], places[edge.get("from-layer")][edge.get("from-port")], names[edge.get("to-layer")],
                    places[edge.get("to-layer")][edge.get("to-port")]) for edge in graph.findall("edges/edge"))
    return [facts_of_layer(layer) for layer in layers], edges


def facts_of_layer(layer):
    facts = [("layer", layer.get("name"), layer.get("type"), layer.get("version"))]
    inner = {body.tag[:-len("body")]: {one.get("id"): one.get("name") for one in body.findall("layers/layer")} for body in layer if body.tag.endswith("body")}
    # What a Result is called means nothing: the tensor that it reads has a name.
    for child in layer:
        if child.tag.endswith("body"):
            facts.append((child.tag, facts_of_graph(child)))
        elif child.tag.endswith(("port_map", "back_edges")):
            ids = inner[re.sub("(port_map|back_edges)$", "", child.tag)]
            facts.append((child.tag, [(one.tag, sorted((key, ids[value] if key in ("internal_layer_id", "from-layer", "to-layer") else value)
                                                       for key, value in one.attrib.items())) for one in child]))
        else:
            facts.append((child.tag, [(one.tag, sorted((key, value) for key, value in one.attrib.items() if (one.tag, key) != ("port", "id")),
                                       [dim.text for dim in one.findall("dim")], [told.attrib for told in one.findall("rt_info/attribute")]) for one in child], sorted(child.attrib.items())))
    return sorted(facts, key=lambda fact: "" if fact[0] == "layer" else fact[0])  # elements of a layer come in any order


class OpaqueRoundTrip(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.xml, self.bin = furnished_model()
        self.write("model", self.xml, self.bin)

    def write(self, name, xml, weights):
        (self.folder / f"{name}.xml").write_text(xml, encoding="utf-8")
        (self.folder / f"{name}.bin").write_bytes(weights)

    def mo(self, *arguments, code=0):
        process = subprocess.run([os.path.join(BIN, "mo"), *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
                                 check=False)
        output = process.stdout.decode("utf-8", "replace")
        self.assertEqual(process.returncode, code, f"mo {' '.join(arguments)}\n{output}")
        return output

    def written(self, model="model", result="again"):
        self.mo("opt", f"{model}.xml", "-o", f"{result}.xml")
        return (self.folder / f"{result}.xml").read_text(encoding="utf-8")

    def test_opt_without_passes_keeps_everything(self):
        xml = self.written()
        self.mo("diff", "model.xml", "again.xml")
        self.assertEqual((self.folder / "again.bin").read_bytes(), self.bin)
        before, after = ElementTree.fromstring(self.xml), ElementTree.fromstring(xml)
        self.assertEqual([layer.get("name") for layer in after.iter("layer")], [layer.get("name") for layer in before.iter("layer")])
        self.maxDiff = None
        self.assertEqual(facts_of_graph(after), facts_of_graph(before))
        self.assertEqual(after.find("rt_info/acme/maker").attrib, {"value": "us"})
        self.assertEqual(self.written("again", "third/again"), xml)  # the net is called like the file

    def test_another_packing_and_another_order_stay(self):
        """As OpenVINO writes: no alignment, equal bytes twice, inputs and outputs among the other layers."""
        weights = bytes(range(20)) * 2 + b"\0\0\0" + bytes(range(200, 212))
        port = '<port id="{}" precision="FP32"><dim>{}</dim></port>'
        constant = '<layer id="{}" name="{}" type="Const" version="opset1"><data element_type="f32" shape="{}" offset="{}" size="{}"/><output>' + port.format(0, "{}") + "</output></layer>"
        sofa = '<layer id="{}" name="{}" type="Sofa" version="opset99"><input>' + port.format(0, "{}") + port.format(1, "{}") + "</input><output>" + port.format(2, "{}") + "</output></layer>"
        result = '<layer id="{}" name="{}" type="Result" version="opset1"><input>' + port.format(0, 5) + "</input></layer>"
        layers = [constant.format(0, "b", 5, 20, 20, 5), '<layer id="1" name="x" type="Parameter" version="opset1"><data element_type="f32" shape="5"/><output>' + port.format(0, 5) + "</output></layer>",
                  sofa.format(2, "s", 5, 5, 5), result.format(3, "first"), constant.format(4, "a", 5, 0, 20, 5), constant.format(5, "c", 3, 43, 12, 3), sofa.format(6, "t", 5, 3, 5), sofa.format(7, "u", 5, 5, 5),
                  result.format(8, "second")]
        edges = [(1, 0, 2, 0), (0, 0, 2, 1), (2, 2, 3, 0), (4, 0, 6, 0), (5, 0, 6, 1), (6, 2, 7, 0), (2, 2, 7, 1), (7, 2, 8, 0)]
        xml = '<?xml version="1.0"?><net name="dense" version="11"><layers>' + "".join(layers) + "</layers><edges>"
        xml += "".join('<edge from-layer="{}" from-port="{}" to-layer="{}" to-port="{}"/>'.format(*edge) for edge in edges) + "</edges></net>"
        self.write("dense", xml, weights)
        again = self.written("dense")
        self.assertEqual((self.folder / "again.bin").read_bytes(), weights)
        before, after = ElementTree.fromstring(xml), ElementTree.fromstring(again)
        offsets = [[data.get("offset") for data in graph.iter("data")] for graph in (before, after)]
        self.assertEqual(offsets[0], offsets[1])
        kinds = [[(layer.get("type"), layer.get("name") if layer.get("type") != "Result" else "") for layer in graph.iter("layer")] for graph in (before, after)]
        self.assertEqual(kinds[0], kinds[1])
        # A .bin with unused bytes is packed anew.
        self.write("dense", xml, weights + bytes(100))
        self.written("dense")
        self.assertLess((self.folder / "again.bin").stat().st_size, len(weights) + 100)

    def test_ports_with_other_numbers_are_the_same_ports(self):
        nest = re.search(r'<layer id="\d+" name="nest".*?</layer>\n(?=<layer id="\d+" name="open_type")', self.xml, re.S).group()
        head, ports, rest = re.match(r"(.*?)(<input>.*?</output>)(.*)", nest, re.S).groups()
        number = re.search(r'<layer id="(\d+)"', nest).group(1)
        for old, new in (("3", "19"), ("2", "5"), ("1", "4"), ("0", "9")):
            ports = ports.replace(f'<port id="{old}"', f'<port id="{new}"')
            rest = re.sub(f'(<(?:left|right)_port_map>(?:(?!_port_map).)*?)external_port_id="{old}"', rf'\1external_port_id="#{new}"', rest)
        for kind, old, new in (("from", "2", "5"), ("from", "3", "19"), ("to", "0", "9"), ("to", "1", "4")):
            self.xml = self.xml.replace(f'{kind}-layer="{number}" {kind}-port="{old}"', f'{kind}-layer="{number}" {kind}-port="{new}"')
        self.write("numbers", self.xml.replace(nest, head + ports + rest.replace("#", "")), self.bin)
        self.mo("diff", "model.xml", "numbers.xml")
        self.assertEqual(self.written("numbers", "other/again"), self.written())

    def test_diff_reports_every_fact(self):
        self.written()
        changes = {
            "attribute": ('seats="2, 3"', 'seats="2, 4"'),
            "attribute that is gone": (' empty=""', ""),
            "element type in an attribute that is not known": ('fabric="f9e9m9"', 'fabric="f9e9m8"'),
            "element type in an attribute that is known": ('destination_type="u5x3"', 'destination_type="u5x4"'),
            "element type of a Parameter": ('shape="?, 4" element_type="f3e1m1"', 'shape="?, 4" element_type="f3e1m2"'),
            "element type of a constant": ('<data element_type="f3e1m1" shape="3, 5" offset="0"', '<data element_type="f3e1m2" shape="3, 5" offset="0"'),
            "element type of a port": ('precision="Mixed8"', 'precision="Mixed9"'),
            "shape of a port": ("<dim>2</dim></port>", "<dim>3</dim></port>"),
            "shape of a constant": ('shape="3, 5" offset="0"', 'shape="5, 3" offset="0"'),
            "op": ('type="Sofa"', 'type="Soda"'),
            "version": ('version="opset99"', 'version="opset98"'),
            "version inside of a body": ('name="left_in_in_s" type="Settee" version="opset77"', 'name="left_in_in_s" type="Settee" version="opset78"'),
            "attribute inside of a body": (r'(name="left_in_in_s" type="Settee" version="opset77"><data legs=)"4"', r'\1"5"'),
            "attribute of a port map": ('stripe="2"', 'stripe="1"'),
            "port of a port map": (r'(<right_port_map><input external_port_id=)"1"', r'\1"0"'),
            "layer of a port map": (r'(<right_port_map><input external_port_id="1" internal_layer_id=)"1"', r'\1"0"'),
            "attribute of a back edge": (' delay="3"', ""),
            "back edge": (r'(<left_back_edges><edge from-layer="\d+" to-layer=)"1"', r'\1"0"'),
            "name of a body": ("right_(body|port_map)>", r"wrong_\1>"),
            "body": ("<right_port_map>.*</right_port_map>(.*)<right_body>.*</right_body>", r"\1"),
            "runtime attribute": ('value="1.5" unit="EUR"', 'value="1.5" unit="USD"'),
            "version of a runtime attribute": ('name="price" version="2"', 'name="price" version="3"'),
            "name of what was fused": ("pillow, sofa", "pillow, sofas"),
            "runtime attribute of an input port": ('<attribute name="padding" version="0"/>', '<attribute name="stuffing" version="0"/>'),
            "runtime attribute of an output port": ('colour="red"', 'colour="blue"'),
            "runtime attribute of an output port that is gone": ('<attribute name="stain" version="0" colour="red"/>', ""),
            "runtime attribute of a port inside of a body": ('shoe="left_in_in right"', 'shoe="left_in_in left"'),
            "runtime attribute of an input of the model": ('kind="depth"', 'kind="colour"'),
            "version of a runtime attribute of a port": ('name="sensor" version="1"', 'name="sensor" version="2"'),
            "layout of a tensor inside of the model": ('layout="[S,E]"', 'layout="[E,S]"'),
            "layout of an output of a body": ('layout="[F]"', 'layout="[G]"'),
            "layout of an input": ('layout="[N,C,W]"', 'layout="[N,W,C]"'),
            "layout of an output": ('layout="[N,C]"', 'layout="[C,N]"'),
            "runtime attribute of the net": ('<maker value="us"/>', '<maker value="them"/>'),
            "tensor name": ("soft:0", "soft:1"),
        }
        for what, (old, new) in changes.items():
            with self.subTest(what):
                changed, count = re.subn(old if "(" in old or ".*" in old else re.escape(old), new if "\\" in new else new.replace("\\", r"\\"), self.xml,
                                         flags=re.S)
                self.assertGreaterEqual(count, 1, old)
                self.write("changed", changed, self.bin)
                self.assertNotEqual(self.mo("diff", "changed.xml", "again.xml", code=1), "")
        first = re.search(r'<edge from-layer="(\d+)" from-port="(\d+)" to-layer="(\d+)" to-port="0"/>', self.xml[self.xml.index('name="nest"'):])
        with self.subTest("edge"):
            sofa = re.search(r'<layer id="(\d+)" name="sofa"', self.xml).group(1)
            edge = next(one for one in re.findall(r'<edge [^>]*/>', self.xml[self.xml.rindex("</layers>"):]) if f'to-layer="{sofa}" to-port="1"' in one)
            self.assertIn('from-layer="1"', edge)
            own = re.search(r'<layer id="(\d+)" name="own_type"', self.xml).group(1)
            place = self.xml.rindex(edge)
            self.write("changed", self.xml[:place] + self.xml[place:].replace(edge, edge.replace('from-layer="1"', f'from-layer="{own}"'), 1), self.bin)
            self.mo("diff", "changed.xml", "again.xml", code=1)
        self.assertIsNotNone(first)
        for what, place in (("byte of a type that is not known", 3), ("byte of a body's constant", self.bin.index(b"own bytes left_in_in"))):
            with self.subTest(what):
                self.write("changed", self.xml, self.bin[:place] + b"!" + self.bin[place + 1:])
                self.assertIn("byte", self.mo("diff", "changed.xml", "again.xml", code=1))

    def test_inspect_and_draw_show_the_inside(self):
        told = self.mo("inspect", "model.xml", "--layers")
        for word in ("Sofa", "Nest", "f3e1m1"):
            self.assertIn(word, told)
        self.mo("draw", "model.xml", "-o", "model.dot")
        picture = (self.folder / "model.dot").read_text(encoding="utf-8")
        for word in ("Sofa", "left_in_in_s", "f3e1m1"):
            self.assertIn(word, picture)

    def test_reduce_finds_the_layer(self):
        self.mo("reduce", "model.xml", "-o", "small", "--", "grep", "-q", "Settee", "{}")
        small = next(path for path in (self.folder / "small").iterdir() if path.read_bytes().count(b"Settee"))
        self.assertNotIn("Sofa", small.read_text(encoding="utf-8"))

    def test_what_computes_stops_by_name(self):
        for arguments in (["run", "model.xml"], ["verify", "model.xml", "again.xml"], ["model.xml", "--to", "onnx"]):
            with self.subTest(arguments[0]):
                self.written()
                told = self.refused(*arguments)
                self.assertRegex(told, "MO-IR-00(05|10)")
        convert = Net()
        convert.result(convert.add("to_f32", "Convert", "opset1", [convert.constant("c", "f3e1m1[3]", 'offset="0" size="3"')], ["f32[3]"],
                                   'destination_type="f32"')[0])
        self.write("types", f'<net name="n" version="11">{convert.text()}</net>', b"abc")
        told = self.refused("run", "types.xml")
        self.assertIn("MO-IR-0005", told)
        self.assertIn("f3e1m1", told)
        self.assertIn("'c'", told)
        # The text form has such types, and its reader takes them.
        self.mo("opt", "types.xml", "-o", "types.mo")
        told = self.refused("run", "types.mo")
        self.assertIn("MO-EXEC-0006", told)
        self.assertIn("f3e1m1", told)
        self.assertIn("'to_f32'", told)
        told = self.refused("opt", "types.xml", "-o", "types.onnx")
        self.assertIn("f3e1m1", told)
        self.assertFalse((self.folder / "types.onnx").exists())
        ends = Net()
        ends.result(ends.parameter("p", "f3e1m1[3]"))
        self.write("ends", f'<net name="n" version="11">{ends.text()}</net>', b"")
        told = self.refused("opt", "ends.xml", "-o", "ends.onnx")
        self.assertIn("input 'p' is f3e1m1", told)
        self.assertFalse((self.folder / "ends.onnx").exists())
        # Folding leaves it alone.
        self.mo("opt", "types.xml", "--passes", "ConstantFolding", "-o", "folded.xml")
        self.mo("diff", "types.xml", "folded.xml")

    def refused(self, *arguments):
        process = subprocess.run([os.path.join(BIN, "mo"), *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
                                 check=False)
        self.assertGreater(process.returncode, 0, process.stdout.decode())
        return process.stdout.decode()


if __name__ == "__main__":
    BIN = os.path.abspath(sys.argv.pop(1))
    unittest.main()
