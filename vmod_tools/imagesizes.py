"""The size of a picture from its header; no picture is ever decoded (honest boards have 427 megapixels)."""

from __future__ import annotations

import io
import struct

import imagesize


def image_size(content: bytes) -> tuple[int, int]:
    """Width and height in pixels; zeros for what is no image.  VASSAL turns no photograph upright."""
    try:
        width, height = imagesize.get(io.BytesIO(content), exif_rotation=False)
    except (ValueError, TypeError, IndexError, OverflowError, struct.error):
        return 0, 0
    return (int(width), int(height)) if width > 0 and height > 0 else (0, 0)
