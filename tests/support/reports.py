"""Reports of mo (--report) as tests read them: columns of graphs as lists of nodes."""
import base64
import json
import re
import zlib


def summed(steps):
    numbers, total = [], 0
    for step in steps:
        total += step
        numbers.append(total)
    return numbers


class Node:
    def __init__(self, **facts):
        self.__dict__.update(facts)


def nodes_of(report, which):
    """Nodes of a table, by the rules of docs/schemas/report.schema.json."""
    graphs = report["graphs"]
    table, texts = graphs["tables"][which], graphs["texts"]
    names, links = summed(table["name"]), iter(summed(table["link"]))
    inputs = iter(zip(table["input_distance"], table["input_port"]))
    nodes = []
    for row in range(table["rows"]):
        sources = [(None if distance == 0 else row - distance, port) for distance, port in (next(inputs) for _ in range(table["input_count"][row]))]
        nodes.append(Node(row=row, name=texts[names[row]], op=texts[table["op"][row]], type=texts[table["type"][row]], attributes=texts[table["attributes"][row]],
                          tensors=texts[names[row] + table["tensors"][row]], inputs=[source for source, _ in sources], ports=[port for _, port in sources],
                          links=[next(links) for _ in range(table["link_count"][row] if table["link_count"] else 0)],
                          passes=graphs["pass_sets"][table["passes"][row]] if table["passes"] else None, mark=table["mark"][row] if table["mark"] else 0))
    assert next(links, None) is None and next(inputs, None) is None
    return nodes


def report_in_page(page):
    """The JSON that a page holds."""
    found = re.search(r'<script type="([^"]*)" id="report"([^>]*)>(.*?)</script>', page, re.DOTALL)
    text = zlib.decompress(base64.b64decode(found[3])).decode() if "deflate" in found[2] else found[3]
    return json.loads(text)
