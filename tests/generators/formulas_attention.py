"""Attention and its relatives of com.microsoft, after the operators' documentation."""
import math

import numpy as np

from formulas_ops import real, softmax


def heads(x, count):
    """[batch, length, count * size] -> [batch, count, length, size]"""
    return real(x).reshape(*x.shape[:2], count, -1).transpose(0, 2, 1, 3)


def merged(x):
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


def attend(q, k, v, scale, masked=None, bias=None, cap=0.0):
    """masked: what is added to the scores, that is a large negative number or 0."""
    scores = q @ np.swapaxes(k, -1, -2) * scale
    if cap:
        scores = cap * np.tanh(scores / cap)
    return softmax(scores + (0 if bias is None else real(bias)) + (0 if masked is None else masked), -1) @ v


def causal(length, total, filter_value):
    return np.where(np.arange(total)[None, :] > np.arange(length)[:, None] + total - length, filter_value, 0.0)


def mask_of_keys(mask, batch, length, total, filter_value):
    """What the operator's four forms of a mask add to the scores [batch, heads, length, total]."""
    places = np.arange(total)
    if mask.ndim == 1 and mask.size == batch:  # lengths
        seen = places[None] < mask[:, None]
    elif mask.ndim == 1 and mask.size == 2 * batch:  # ends, beginnings
        seen = (places[None] < mask[:batch, None]) & (places[None] >= mask[batch:, None])
    elif mask.ndim == 2:
        seen = mask != 0
    elif mask.ndim == 3:
        return np.where(mask[:, None] != 0, 0.0, filter_value)
    else:  # [batch, 1, longest, longest]: the rows of these steps
        return np.where(mask[:, :, total - length:total, :total] != 0, 0.0, filter_value)
    return np.where(seen[:, None, None], 0.0, filter_value)


def attention(node, x, w, bias=None, mask=None, past=None, scores=None):
    if node.get("do_rotary") or node.get("past_present_share_buffer"):
        return None
    count, batch, length = int(node.get("num_heads")), x.shape[0], x.shape[1]
    sizes = node.get("qkv_hidden_sizes") or [w.shape[1] // 3] * 3
    made = real(x) @ real(w) + (0 if bias is None else real(bias))
    q, k, v = (heads(part, count) for part in np.split(made, np.cumsum(sizes)[:2], -1))
    if past is not None:
        k, v = np.concatenate([real(past)[0], k], 2), np.concatenate([real(past)[1], v], 2)
    filter_value = float(node.get("mask_filter_value", -10000.0))
    total = k.shape[2]
    masked = 0.0 if mask is None else mask_of_keys(mask, batch, length, total, filter_value)
    if node.get("unidirectional", 0):
        masked = masked + causal(length, total, filter_value)
    return [merged(attend(q, k, v, float(node.get("scale", 0)) or 1 / math.sqrt(q.shape[-1]), masked, scores)), np.stack([k, v])]


def multi_head_attention(node, query, key=None, value=None, bias=None, mask=None, scores=None, past_k=None, past_v=None):
    count = int(node.get("num_heads"))
    if query.ndim == 5:  # [batch, length, heads, 3, size]
        q, k, v = (real(query)[:, :, :, i].transpose(0, 2, 1, 3) for i in range(3))
    elif key is not None and key.ndim == 5:
        q, (k, v) = heads(query, count), (real(key)[:, :, :, i].transpose(0, 2, 1, 3) for i in range(2))
    else:
        if key is None or value is None:
            return None
        parts = [real(query), real(key), real(value)]
        if bias is not None:
            edges = np.cumsum([query.shape[-1], query.shape[-1]])
            own = np.split(real(bias), edges)
            parts = [p + (b if p.ndim == 3 else b.reshape(1, count, 1, -1)) for p, b in zip(parts, own)]
        q, k, v = (heads(p, count) if p.ndim == 3 else p for p in parts)
    if past_k is not None:
        k, v = np.concatenate([real(past_k), k], 2), np.concatenate([real(past_v), v], 2)
    length, total = q.shape[2], k.shape[2]
    filter_value = float(node.get("mask_filter_value", -10000.0))
    masked = 0.0 if mask is None else mask_of_keys(mask, q.shape[0], length, total, filter_value)
    if node.get("unidirectional", 0):
        masked = masked + causal(length, total, filter_value)
    made = merged(attend(q, k, v, float(node.get("scale", 0)) or 1 / math.sqrt(q.shape[-1]), masked, scores))
    return [made, k, v] if len(node.outputs) <= 3 else None


def turned(x, places, cosines, sines, interleaved, dim=0):
    """x [batch, heads, length, size], places [batch, length]"""
    size = dim or x.shape[-1]
    part, rest = x[..., :size], x[..., size:]
    c, s = (real(t)[places][:, None, :, :size // 2] for t in (cosines, sines))
    if interleaved:
        a, b = part[..., ::2], part[..., 1::2]
        made = np.stack([a * c - b * s, b * c + a * s], -1).reshape(part.shape)
    else:
        a, b = part[..., :size // 2], part[..., size // 2:]
        made = np.concatenate([a * c - b * s, b * c + a * s], -1)
    return np.concatenate([made, rest], -1)


def rotary_embedding(node, x, places, cosines, sines):
    dim = int(node.get("rotary_embedding_dim", 0))
    if node.get("scale", 1.0) != 1.0:
        return None
    size = 2 * cosines.shape[1]
    count = int(node.get("num_heads", 0)) if dim else x.shape[-1] // size
    own = real(x) if x.ndim == 4 else heads(x, count)
    if places.size == 1 and places.ndim == 1:
        at = np.broadcast_to(places[0] + np.arange(own.shape[2]), (own.shape[0], own.shape[2]))
    else:
        at = places
    made = turned(own, at, cosines, sines, bool(node.get("interleaved", 0)), dim)
    return made if x.ndim == 4 else merged(made)


def group_query_attention(node, query, key, value, past_k, past_v, lengths, total, cosines=None, sines=None, places=None, scores=None):
    """Each image has lengths + 1 steps in all; its own come after those of the past."""
    count, groups, batch, length = int(node.get("num_heads")), int(node.get("kv_num_heads")), query.shape[0], query.shape[1]
    window = int(node.get("local_window_size", -1))  # how many keys a query sees at most, its own among them
    if count % groups or places is not None:
        return None
    if key is None:
        size = query.shape[-1] // (count + 2 * groups)
        query, key, value = np.split(real(query), [count * size, (count + groups) * size], -1)
    q, k, v = heads(query, count), heads(key, groups), heads(value, groups)
    ends = np.asarray(lengths).reshape(-1).astype(int) + 1
    before = ends - length
    if node.get("do_rotary", 0):
        at = np.maximum(before, 0)[:, None] + np.arange(length)[None]
        interleaved = bool(node.get("rotary_interleaved", 0))
        q, k = turned(q, at, cosines, sines, interleaved, 2 * cosines.shape[1]), turned(k, at, cosines, sines, interleaved, 2 * cosines.shape[1])
    whole = max(int(np.asarray(total).reshape(-1)[0]), 0 if past_k is None else past_k.shape[2])
    keys, values = np.zeros((batch, groups, whole, k.shape[-1])), np.zeros((batch, groups, whole, v.shape[-1]))
    made = np.zeros(q.shape[:3] + (v.shape[-1],))
    for n in range(batch):
        start = max(before[n], 0)
        if past_k is not None:
            keys[n, :, :past_k.shape[2]], values[n, :, :past_v.shape[2]] = past_k[n], past_v[n]
        keys[n, :, start:start + length], values[n, :, start:start + length] = k[n], v[n]
        for t in range(length):
            first = max(start + t + 1 - window, 0) if window > 0 else 0
            own_k, own_v = (np.repeat(m[n, :, first:start + t + 1], count // groups, 0) for m in (keys, values))
            bias = None if scores is None else real(scores)[min(n, len(scores) - 1), :, t:t + 1, first:start + t + 1]
            made[n, :, t:t + 1] = attend(q[n, :, t:t + 1], own_k, own_v, float(node.get("scale", 0)) or 1 / math.sqrt(q.shape[-1]), None, bias,
                                         float(node.get("softcap", 0)))
    # Elements of the present after the end of an image are not defined.
    return [merged(made)] if any(ends < whole) else [merged(made), keys, values]


FORMULAS = {"com.microsoft::Attention": attention, "com.microsoft::MultiHeadAttention": multi_head_attention,
            "com.microsoft::RotaryEmbedding": rotary_embedding, "com.microsoft::GroupQueryAttention": group_query_attention}
