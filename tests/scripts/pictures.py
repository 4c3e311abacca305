"""Reading PNG files without any package: eight bits a channel, as mote writes them. Gives numpy arrays."""

import struct
import zlib

import numpy


def read_png(path):
    """Rows of pixels with red, green and blue."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError(f"{path} is no PNG")
    at, packed, head = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, depth, color, _, _, interlaced = head
    if depth != 8 or color not in (2, 6) or interlaced:
        raise ValueError(f"{path}: not the kind of PNG that mote writes")
    return unfilter(zlib.decompress(packed), width, height, 3 if color == 2 else 4)[:, :, :3]


def unfilter(raw, width, height, channels):
    lines = numpy.frombuffer(raw, numpy.uint8).reshape(height, 1 + width * channels)
    out = numpy.zeros((height, width * channels), numpy.uint8)
    before = numpy.zeros(width * channels, numpy.int32)
    for y in range(height):
        kind, line = lines[y, 0], lines[y, 1:].astype(numpy.int32)
        if kind == 2:
            line = (line + before) & 255
        elif kind in (1, 3, 4):
            line = unfilter_line(kind, line, before, channels)
        out[y] = line
        before = line
    return out.reshape(height, width, channels)


def unfilter_line(kind, line, before, channels):
    """The filters that look to the left. Plain numbers: numpy's are slow one by one."""
    if kind == 1:
        return numpy.cumsum(line.reshape(-1, channels), axis=0).reshape(-1) & 255
    above = [0] * channels + before.tolist()
    out = [0] * channels  # what is left of the first pixel
    for k, value in enumerate(line.tolist()):
        left, up, corner = out[k], above[k + channels], above[k]
        if kind == 3:
            guess = (left + up) >> 1
        else:
            a, b, c = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            guess = left if a <= b and a <= c else up if b <= c else corner
        out.append((value + guess) & 255)
    return numpy.array(out[channels:], numpy.int32)


def difference(a, b):
    """The mean difference of two pictures in grey levels, and the part of pixels that differ clearly."""
    if a.shape != b.shape:
        return 255.0, 1.0
    apart = abs(a.astype(numpy.int32) - b.astype(numpy.int32)).max(axis=2)
    return float(apart.mean()), float((apart > 12).mean())
