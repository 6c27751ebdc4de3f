"""The nodes that random graphs are made of: functions that choose inputs and attributes and call `g.add`, which computes the node."""
import numpy as np
from random_tools import MARGIN, Unfit, axes_of, axis_of, chance, distinct, ints, is_float, is_integer, is_number, of_rank, off_steps, require
from random_windows import conv, conv_transpose, global_pool, layer_norm, normalisation, pool


def unary(g):
    op = str(g.random.choice(["Relu", "Sigmoid", "Tanh", "Abs", "Neg", "Exp", "Erf", "Softplus", "Softsign", "Sin", "Cos", "Atan", "HardSigmoid", "Identity"]))
    g.add(op, [g.pick()])


def parametrised(g):
    op = str(g.random.choice(["Elu", "LeakyRelu", "Selu", "Celu", "ThresholdedRelu"]))
    x = g.pick()
    if op == "ThresholdedRelu":
        require(np.abs(g.values[x] - 0.75).min() > MARGIN)
    g.add(op, [x], alpha={"Selu": 1.6}.get(op, 0.75))


def positive(g):
    x, = g.add("Abs", [g.pick()])
    x, = g.add("Add", [x, g.constant(np.float32(0.5))])
    g.add(str(g.random.choice(["Sqrt", "Log", "Reciprocal"])), [x])


def steps(g):
    op = str(g.random.choice(["Floor", "Ceil", "Sign", "Round"]))
    x = g.pick()
    off_steps(g.values[x], 0.5)
    g.add(op, [x])


def clip(g):
    low, high = sorted(g.random.uniform(-2, 2, 2).astype(np.float32))
    g.add("Clip", [g.pick(), g.constant(low) if chance(g) else "", g.constant(high)])


def other_operand(g, x):
    """A tensor of x's type that broadcasts with x: another value, or a constant."""
    array = g.values[x]
    if chance(g):
        return g.pick(lambda other: other.dtype == array.dtype)
    dims = [dim if chance(g, 0.6) else 1 for dim in array.shape][int(g.random.integers(array.ndim + 1)):]
    made = g.random.standard_normal(dims).astype(np.float32) if is_float(array) else g.random.integers(-4, 5, dims).astype(array.dtype)
    return g.constant(made)


def binary(g):
    x = g.pick(is_number)
    pair = [x, other_operand(g, x)]
    g.add(str(g.random.choice(["Add", "Sub", "Mul", "Max", "Min"])), pair[::-1] if chance(g, 0.3) else pair)


def value_of(g, name):
    return g.values[name] if name in g.values else g.constants[name]


def divide(g):
    x = g.pick(is_number)
    y = other_operand(g, x)
    require(np.abs(value_of(g, y).astype(np.float64)).min() > 0.2)
    g.add("Div", [x, y])


def modulo(g):
    x = g.pick(is_integer)
    y = other_operand(g, x)
    require(np.abs(value_of(g, y)).min() > 0)
    g.add("Mod", [x, y], fmod=int(chance(g)))


def power(g):
    g.add("Pow", [g.pick(), g.constant(np.float32(g.random.choice([2, 3])))])


def compare(g):
    x = g.pick(is_number)
    y = other_operand(g, x)
    if is_float(g.values[x]):
        try:
            require(np.abs(g.values[x] - value_of(g, y)).min() > MARGIN)
        except ValueError as error:
            raise Unfit from error
    g.add(str(g.random.choice(["Greater", "Less", "Equal"] + ["GreaterOrEqual", "LessOrEqual"] * (g.op_set >= 12))), [x, y])


def logic(g):
    x = g.pick(lambda array: array.dtype == bool)
    if chance(g, 0.3):
        g.add("Not", [x])
    else:
        g.add(str(g.random.choice(["And", "Or", "Xor"])), [x, g.pick(lambda array: array.dtype == bool)])


def where(g):
    condition, x = g.pick(lambda array: array.dtype == bool), g.pick(is_number)
    g.add("Where", [condition, x, other_operand(g, x)])


def cast(g):
    x = g.pick(lambda array: True)
    to = int(g.random.choice([1, 6, 7, 9]))
    if is_float(g.values[x]) and to != 1:
        off_steps(g.values[x])
    g.add("Cast", [x], to=to)


def reduce(g):
    x = g.pick(lambda array: is_number(array) and array.ndim > 0)
    op = str(g.random.choice(["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp"]))
    # Where logarithms and roots of integers are rounded, no specification says.
    require(is_float(g.values[x]) or op not in ("ReduceL2", "ReduceLogSumExp"))
    axes = None if chance(g, 0.15) else axes_of(g, g.values[x])
    as_input = g.op_set >= (13 if op == "ReduceSum" else 18)
    extra = {} if as_input or axes is None else {"axes": axes}
    g.add(op, [x] + ([ints(g, axes)] if as_input and axes else []), keepdims=int(chance(g)), **extra)


def arg(g):
    x = g.pick(of_rank(1))
    axis = axis_of(g, g.values[x])
    distinct(g.values[x], axis)
    g.add(str(g.random.choice(["ArgMax", "ArgMin"])), [x], axis=axis, keepdims=int(chance(g)))


def top_k(g):
    x = g.pick(of_rank(1))
    axis = axis_of(g, g.values[x])
    distinct(g.values[x], axis)
    g.add("TopK", [x, ints(g, [g.random.integers(1, g.values[x].shape[axis] + 1)])], 2, axis=axis, largest=int(chance(g)))


def softmax(g):
    x = g.pick(of_rank(1))
    g.add(str(g.random.choice(["Softmax", "LogSoftmax"])), [x], axis=axis_of(g, g.values[x]))


def reshape(g):
    x = g.pick(lambda array: array.ndim > 0)
    dims = list(g.values[x].shape)
    kind = g.random.random()
    if kind < 0.4 and len(dims) > 1:
        at = int(g.random.integers(len(dims) - 1))
        dims[at:at + 2] = [dims[at] * dims[at + 1]]
    elif kind < 0.7:
        dims.insert(int(g.random.integers(len(dims) + 1)), 1)
    if chance(g) and dims:
        dims[int(g.random.integers(len(dims)))] = -1
    if dims and dims[0] == g.values[x].shape[0] and chance(g):
        dims[0] = 0
    g.add("Reshape", [x, ints(g, dims)])


def flatten(g):
    x = g.pick(of_rank(1))
    g.add("Flatten", [x], axis=int(g.random.integers(-g.values[x].ndim, g.values[x].ndim + 1)))


def transpose(g):
    x = g.pick(lambda array: array.ndim > 1)
    g.add("Transpose", [x], **({} if chance(g, 0.2) else {"perm": [int(i) for i in g.random.permutation(g.values[x].ndim)]}))


def squeeze(g):
    x = g.pick(lambda array: 1 in array.shape)
    ones = [i for i, dim in enumerate(g.values[x].shape) if dim == 1]
    axis = int(g.random.choice(ones)) - (g.values[x].ndim if chance(g, 0.3) else 0)
    g.add("Squeeze", [x, ints(g, [axis])] if g.op_set >= 13 else [x], **({} if g.op_set >= 13 else {"axes": [axis]}))


def unsqueeze(g):
    x = g.pick(lambda array: array.ndim < 5)
    axis = int(g.random.integers(-g.values[x].ndim - 1, g.values[x].ndim + 1))
    g.add("Unsqueeze", [x, ints(g, [axis])] if g.op_set >= 13 else [x], **({} if g.op_set >= 13 else {"axes": [axis]}))


def concat(g):
    x = g.pick(lambda array: array.ndim > 0)
    array = g.values[x]
    axis = axis_of(g, array)
    same = [name for name, other in g.values.items() if other.dtype == array.dtype and other.ndim == array.ndim
            and all(a == b for i, (a, b) in enumerate(zip(other.shape, array.shape)) if i != axis % array.ndim)]
    g.add("Concat", [x] + [str(name) for name in g.random.choice(same, int(g.random.integers(1, 3)))], axis=axis)


def split(g):
    x = g.pick(of_rank(1))
    axis = axis_of(g, g.values[x])
    size = g.values[x].shape[axis]
    require(size > 1)
    first = int(g.random.integers(1, size))
    sizes = [first, size - first]
    g.add("Split", [x, ints(g, sizes)] if g.op_set >= 13 else [x], 2, axis=axis, **({} if g.op_set >= 13 else {"split": sizes}))


def slices(g):
    x = g.pick(lambda array: array.ndim > 0)
    shape = g.values[x].shape
    axes = axes_of(g, g.values[x])
    begin, end, step = [], [], []
    for axis in axes:
        size = shape[axis]
        a, b = sorted(int(v) for v in g.random.choice(size + 1, 2, replace=False))
        stride = int(g.random.integers(1, 3))
        if chance(g, 0.3):
            begin.append(b - 1)
            end.append(a - 1 if a else -size - 9)
            step.append(-stride)
        else:
            begin.append(a - size if chance(g, 0.3) else a)
            end.append(2 ** 31 if b == size and chance(g) else b)
            step.append(stride)
    g.add("Slice", [x, ints(g, begin), ints(g, end), ints(g, axes), ints(g, step)])


def gather(g):
    x = g.pick(lambda array: array.ndim > 0)
    axis = axis_of(g, g.values[x])
    size = g.values[x].shape[axis]
    indices = g.random.integers(-size, size, g.random.integers(1, 4, int(g.random.integers(0, 3))))
    g.add("Gather", [x, ints(g, indices)], axis=axis)


def gather_elements(g):
    x = g.pick(of_rank(1))
    axis = axis_of(g, g.values[x])
    dims = [int(g.random.integers(1, dim + 1)) for dim in g.values[x].shape]
    g.add("GatherElements", [x, ints(g, g.random.integers(0, g.values[x].shape[axis], dims))], axis=axis)


def gather_nd(g):
    x = g.pick(of_rank(2))
    shape = g.values[x].shape
    depth = int(g.random.integers(1, len(shape) + 1))
    g.add("GatherND", [x, ints(g, np.stack([g.random.integers(0, shape[i], 3) for i in range(depth)], 1))])


def scatter_elements(g):
    x = g.pick(of_rank(1))
    array = g.values[x]
    axis = axis_of(g, array)
    size = array.shape[axis]
    dims = list(array.shape)
    dims[axis] = int(g.random.integers(1, size + 1))
    indices = np.broadcast_to(g.random.permutation(size)[:dims[axis]].reshape([-1 if i == axis % array.ndim else 1 for i in range(array.ndim)]), dims)
    g.add("ScatterElements", [x, ints(g, indices), g.constant(g.random.standard_normal(dims).astype(np.float32))], axis=axis)


def tile(g):
    x = g.pick(lambda array: array.ndim > 0)
    g.add("Tile", [x, ints(g, g.random.integers(1, 3, g.values[x].ndim))])


def expand(g):
    x = g.pick(lambda array: array.ndim < 5)
    dims = [1 if chance(g, 0.3) else dim if dim > 1 else int(g.random.integers(1, 4)) for dim in g.values[x].shape]
    g.add("Expand", [x, ints(g, ([2] if chance(g, 0.3) else []) + dims)])


def pad(g):
    x = g.pick(of_rank(1))
    mode = str(g.random.choice(["constant", "reflect", "edge"]))
    most = [min(2, dim - 1) if mode == "reflect" else 2 for dim in g.values[x].shape]
    pads = [int(g.random.integers(0, m + 1)) for m in most + most]
    g.add("Pad", [x, ints(g, pads)] + ([g.constant(np.float32(1.5))] if mode == "constant" and chance(g) else []), mode=mode)


def mat_mul(g):
    x = g.pick(of_rank(1))
    size = g.values[x].shape[-1]
    g.add("MatMul", [x, g.constant(g.random.standard_normal([size, int(g.random.integers(1, 5))]).astype(np.float32))])


def gemm(g):
    x = g.pick(of_rank(2, 2))
    flip_a, flip_b = chance(g, 0.3), chance(g)
    inner, outer = g.values[x].shape[0 if flip_a else 1], int(g.random.integers(1, 5))
    weights = g.random.standard_normal([outer, inner] if flip_b else [inner, outer]).astype(np.float32)
    g.add("Gemm", [x, g.constant(weights), g.constant(g.random.standard_normal(outer).astype(np.float32))], transA=int(flip_a), transB=int(flip_b), alpha=0.5, beta=1.5)


def cum_sum(g):
    x = g.pick(of_rank(1))
    g.add("CumSum", [x, g.constant(np.int64(axis_of(g, g.values[x])))], exclusive=int(chance(g)), reverse=int(chance(g)))


def blocks(g):
    x = g.pick(of_rank(4, 4))
    shape = g.values[x].shape
    if shape[1] % 4 == 0 and chance(g):
        g.add("DepthToSpace", [x], blocksize=2, mode=str(g.random.choice(["DCR", "CRD"])))
    else:
        require(shape[2] % 2 == 0 and shape[3] % 2 == 0)
        g.add("SpaceToDepth", [x], blocksize=2)


def resize(g):
    x = g.pick(of_rank(4, 4))
    scales = [1.0, 1.0] + [float(g.random.choice([0.5, 1.0, 2.0, 3.0])) for _ in range(2)]
    mode = str(g.random.choice(["nearest", "linear", "cubic"]))
    how = str(g.random.choice(["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]))
    # ONNX starts from the exact length for align_corners (its node tests say so), ONNX Runtime from the rounded one.
    require(how != "align_corners" or all(float(size * scale).is_integer() for size, scale in zip(g.values[x].shape, scales)))
    more = {"nearest_mode": str(g.random.choice(["floor", "round_prefer_floor"]))} if mode == "nearest" else {}
    roi = "" if g.op_set >= 13 else g.constant(np.zeros(0, np.float32))
    g.add("Resize", [x, roi, g.constant(np.array(scales, np.float32))], mode=mode, coordinate_transformation_mode=how, **more)


def one_hot(g):
    x = g.pick(is_integer)
    g.add("OneHot", [x, ints(g, [6]), g.constant(np.array([0, 2], np.float32))], axis=int(g.random.choice([-1, 0])))


def shape_arithmetic(g):
    """Reshape whose target is computed from the shape: what exporters write."""
    x = g.pick(of_rank(2))
    shape, = g.add("Shape", [x])
    first, = g.add("Gather", [shape, ints(g, [0])], axis=0)
    target, = g.add("Concat", [first, ints(g, [-1])], axis=0)
    g.add("Reshape", [x, target])


def trilu(g):
    require(g.op_set >= 14)
    g.add("Trilu", [g.pick(of_rank(2))], upper=int(chance(g)))


def constant_of_shape(g):
    shape, = g.add("Shape", [g.pick(of_rank(1, 4))])
    filled, = g.add("ConstantOfShape", [shape])
    g.add("Add", [filled, g.constant(np.float32(1))])


MAKERS = [unary, unary, unary, parametrised, positive, steps, clip, binary, binary, binary, divide, modulo, power, compare, logic, where, cast, reduce, reduce, arg, top_k,
          softmax, reshape, reshape, flatten, transpose, transpose, squeeze, unsqueeze, concat, split, slices, slices, gather, gather, gather_elements, gather_nd,
          scatter_elements, tile, expand, pad, conv, conv, conv_transpose, pool, pool, global_pool, normalisation, layer_norm, mat_mul, gemm, cum_sum, blocks, resize,
          one_hot, shape_arithmetic, trilu, constant_of_shape]
