"""Raster: a picture as an array of pixels, drawn with Pillow; no display is needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from desert_envs.engine.errors import InputError
from desert_envs.engine.picture import Picture
from desert_envs.render.scene import (
    PAPER,
    Area,
    Disc,
    Frame,
    Point,
    Shape,
    Stroke,
    Words,
    counter_shapes,
    frame,
    heat_shapes,
    legend_shapes,
    map_shapes,
    mark_shapes,
    marked,
    placed,
    title_shapes,
)

if TYPE_CHECKING:
    from PIL import Image

FINER = 2  # drawn this many times larger, then made smaller: smooth edges
ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}


def draw(picture: Picture, width: int = 1280, heat: Mapping[int, float] | None = None) -> NDArray[np.uint8]:
    """A picture as an image: uint8, [height, width, 3]; the height follows from the map, both are even.

    ``heat`` colours hexes by a number, such as the values of an overlay.
    """
    if width < 16:
        raise InputError(f"width: {width} is too small for a picture; it is a number of pixels from 16 up")
    room = frame(picture)
    brush = Brush(room, FINER * (width // 2 * 2) / room.width, _background(picture, room, width).copy())
    for at in marked(picture):
        brush.draw(mark_shapes(picture.flat_top), at)
    brush.draw(heat_shapes(picture, heat or {}))
    for one in placed(picture):
        brush.draw(counter_shapes(one.counter, picture.flat_top), one.at)
    brush.draw(title_shapes(picture))
    brush.draw(legend_shapes(picture))
    return np.asarray(brush.image.reduce(FINER), np.uint8).copy()


def save(image: NDArray[np.uint8], file: str | Path) -> None:
    """Write an image as a PNG file. Raises InputError if it cannot be written."""
    try:
        pillow("Image").fromarray(image).save(file, "PNG")
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: cannot be written ({getattr(error, 'strerror', None) or error})") from None


def map_of(picture: Picture) -> Picture:
    """The map alone: what is the same in every frame of a game."""
    names = ("centres", "numbers", "flat_top", "lines", "shaded", "ground", "places")
    sea = tuple(terrain if terrain == "sea" else "" for terrain in picture.terrain)
    return Picture("", "", **{name: getattr(picture, name) for name in names}, terrain=sea)


def _background(picture: Picture, room: Frame, width: int) -> Image.Image:
    """The map, which is the same in every frame of a game and so drawn once."""
    return _map_image(room, width, map_of(picture))


@lru_cache(maxsize=4)
def _map_image(room: Frame, width: int, blank: Picture) -> Image.Image:
    scale = FINER * (width // 2 * 2) / room.width
    height = round(room.height * scale / FINER / 2) * 2 * FINER
    image = pillow("Image").new("RGB", (FINER * (width // 2 * 2), height), PAPER)
    brush = Brush(room, scale, image)
    brush.draw(map_shapes(blank))
    return image


def pillow(module: str) -> Any:
    """A module of Pillow; InputError if it is not installed."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise InputError("pixels need Pillow; install it with: pip install 'desert-envs[render]'") from None
    return {"Image": Image, "ImageDraw": ImageDraw, "ImageFont": ImageFont}[module]


@lru_cache(maxsize=64)
def font(size: int) -> Any:
    """Pillow's own font in a size in pixels."""
    return pillow("ImageFont").load_default(size)


class Brush:
    """Draws shapes on an image, from coordinates of the map to pixels."""

    def __init__(self, room: Frame, scale: float, image: Image.Image) -> None:
        self.room = room
        self.scale = scale
        self.image = image
        self.pen = pillow("ImageDraw").Draw(image, "RGBA")

    def draw(self, shapes: Iterable[Shape], at: Point = (0.0, 0.0)) -> None:
        """Draw shapes given around a point."""
        for shape in shapes:
            self._draw(shape, at)

    def _pixel(self, point: Point, at: Point) -> Point:
        return (point[0] + at[0] - self.room.left) * self.scale, (point[1] + at[1] - self.room.top) * self.scale

    def _draw(self, shape: Shape, at: Point) -> None:
        match shape:
            case Area():
                for ring in shape.rings:
                    self._polygon([self._pixel(point, at) for point in ring], shape)
            case Stroke():
                self._stroke([self._pixel(point, at) for point in shape.points], shape.stroke, shape.width)
            case Disc():
                x, y = self._pixel(shape.centre, at)
                radius = (shape.radius + shape.width / 2) * self.scale
                box = (x - radius, y - radius, x + radius, y + radius)
                outline = None if shape.stroke == "none" else shape.stroke
                self.pen.ellipse(box, _filled(shape.fill), outline, self._width(shape.width) if outline else 0)
            case Words():
                letters = font(max(1, round(shape.size * self.scale)))
                heavier = round(0.03 * shape.size * self.scale) if shape.bold else 0
                self.pen.text(
                    self._pixel(shape.at, at),
                    shape.text,
                    shape.fill,
                    letters,
                    ANCHORS[shape.anchor],
                    stroke_width=heavier,
                )

    def _polygon(self, points: list[Point], shape: Area) -> None:
        if shape.fill != "none":
            self.pen.polygon(points, shape.fill + f"{round(255 * shape.opacity):02x}")
        if shape.stroke != "none":
            self._stroke([*points, points[0]], shape.stroke, shape.width)

    def _stroke(self, points: list[Point], colour: str, width: float) -> None:
        thick = self._width(width)
        self.pen.line(points, colour, thick, joint="curve")
        if thick > 3:
            for x, y in (points[0], points[-1]):
                self.pen.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), colour)

    def _width(self, width: float) -> int:
        return max(1, round(width * self.scale))


def _filled(fill: str) -> str | None:
    return None if fill == "none" else fill
