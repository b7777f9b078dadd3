"""The size of a picture from its header; no picture is ever decoded (honest boards have 427 megapixels)."""

from __future__ import annotations

import io

import imagesize


def image_size(content: bytes) -> tuple[int, int]:
    """Width and height in pixels; zeros for what is no image.  VASSAL turns no photograph upright."""
    # It answers -1 for what it cannot read, and raises nothing.
    width, height = imagesize.get(io.BytesIO(content), exif_rotation=False)
    return (int(width), int(height)) if width > 0 and height > 0 else (0, 0)
