"""Select by a condition that is the same everywhere, of an input or output of the model, or for an output of the model one of several outputs of an op."""
import numpy as np

ROW = "ConstantChoices"
X = np.random.default_rng(0).uniform(-1, 1, (2, 3)).astype(np.float32)


def of_input(g, x):
    return x


def of_split(g, x):
    return g.op("Split", x, g.constant(np.int64(0)), num_splits=2, outputs=[("f32", [1, 3])] * 2)[1]


def of_output(g, x):
    made = g.op("Sigmoid", x)
    g.result(made)
    return made


def shown_by(op):
    """A StridedSlice or Gather that takes all of it is an output of the model."""
    def of_shown(g, x):
        made = g.op("Sigmoid", x)
        if op == "Gather":
            g.result(g.op("Gather", made, g.constant(np.array([0, 1])), g.constant(np.array(0)), outputs=[("f32", X.shape)]))
        else:
            bounds = [g.constant(np.array(bound)) for bound in ([0, 0], X.shape, [1, 1])]
            masks = {name: [0, 0] for name in ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")}
            g.result(g.op("StridedSlice", made, *bounds, outputs=[("f32", X.shape)], **masks))
        return made
    return of_shown


def model(source, chosen, is_inside, is_copied):
    """Of `source`, and zeros that are not chosen."""

    def build(g):
        data = source(g, g.parameter("x", "f32", X.shape))
        choice = (g.op("Maximum", data, data, auto_broadcast="numpy") if is_copied else data, g.constant(np.float32(0)))
        made = g.op("Select", g.constant(np.array([[chosen]])), *choice[::1 if chosen else -1], auto_broadcast="numpy", outputs=[("f32", data.shape)])
        g.result(g.op("Tanh", made) if is_inside else made)

    build.__name__ = "copied" if is_copied else "Select"
    return build


FORMS = [(of_split, False, X[1:]), (of_input, False, X), (of_input, True, np.tanh(X))]
CASES = [(model(source, chosen, is_inside, False), model(source, chosen, is_inside, True), {"x": X}, [expected])
         for source, is_inside, expected in FORMS for chosen in (True, False)]
SIGMOID = 1 / (1 + np.exp(-X))
CASES += [(model(source, True, True, False), model(source, True, True, True), {"x": X}, [SIGMOID, np.tanh(SIGMOID)])
          for source in (of_output, shown_by("StridedSlice"), shown_by("Gather"))]
