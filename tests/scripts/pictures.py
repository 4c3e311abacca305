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
    """The filters that look to the left: pixel by pixel."""
    line = line.reshape(-1, channels)
    above = before.reshape(-1, channels)
    left = numpy.zeros(channels, numpy.int32)
    corner = numpy.zeros(channels, numpy.int32)
    out = numpy.empty_like(line)
    for x in range(len(line)):
        up = above[x]
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) >> 1
        else:
            p = left + up - corner
            a, b, c = abs(p - left), abs(p - up), abs(p - corner)
            guess = numpy.where((a <= b) & (a <= c), left, numpy.where(b <= c, up, corner))
        left = (line[x] + guess) & 255
        corner = up
        out[x] = left
    return out.reshape(-1)


def difference(a, b):
    """The mean difference of two pictures in grey levels, and the part of pixels that differ clearly."""
    if a.shape != b.shape:
        return 255.0, 1.0
    apart = abs(a.astype(numpy.int32) - b.astype(numpy.int32)).max(axis=2)
    return float(apart.mean()), float((apart > 12).mean())
