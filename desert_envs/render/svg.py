"""SVG: a picture as one self-contained image that any browser or notebook shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

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

FONT = "'Gill Sans', 'Trebuchet MS', 'DejaVu Sans', sans-serif"


def draw(picture: Picture, width: int = 1280, heat: Mapping[int, float] | None = None) -> str:
    """A picture as an SVG document, shown ``width`` pixels wide unless its page says otherwise.

    ``heat`` colours hexes by a number, such as the values of an overlay.
    """
    room = frame(picture)
    marks = [moved(elements(mark_shapes(picture.flat_top)), at) for at in marked(picture)]
    counters = [moved(elements(counter_shapes(one.counter, picture.flat_top)), one.at) for one in placed(picture)]
    return "\n".join(
        [
            opening(room, width),
            f"<title>{escape(f'{picture.title}: {picture.caption}')}</title>",
            elements([backdrop(room), *map_shapes(picture)]),
            *marks,
            elements(heat_shapes(picture, heat or {})),
            *counters,
            elements(title_shapes(picture)),
            elements(legend_shapes(picture)),
            "</svg>\n",
        ]
    )


def opening(room: Frame, width: int) -> str:
    """The opening tag of a document."""
    height = round(width * room.height / room.width)
    box = " ".join(number(value) for value in (room.left, room.top, room.width, room.height))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width}" height="{height}" '
        f'font-family="{FONT}" stroke-linejoin="round" stroke-linecap="round">'
    )


def backdrop(room: Frame) -> Area:
    """The paper that all is drawn on."""
    right, bottom = room.left + room.width, room.top + room.height
    return Area((((room.left, room.top), (right, room.top), (right, bottom), (room.left, bottom)),), PAPER)


def moved(content: str, at: Point) -> str:
    """Elements drawn around the origin, at their place."""
    return f'<g transform="translate({number(at[0])} {number(at[1])})">{content}</g>'


def elements(shapes: Iterable[Shape]) -> str:
    """Shapes as SVG elements."""
    return "".join(element(shape) for shape in shapes)


def element(shape: Shape) -> str:
    """One shape as an SVG element."""
    match shape:
        case Area():
            path = "".join(f"M{path_points(ring)}Z" for ring in shape.rings)
            opacity = "" if shape.opacity == 1 else f' fill-opacity="{number(shape.opacity)}"'
            return f'<path d="{path}"{paint(shape)}{opacity}/>'
        case Stroke():
            line = f' fill="none" stroke="{shape.stroke}" stroke-width="{number(shape.width)}"'
            return f'<path d="M{path_points(shape.points)}"{line}/>'
        case Disc():
            x, y = shape.centre
            return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(shape.radius)}"{paint(shape)}/>'
        case Words():
            x, y = shape.at
            bold = ' font-weight="bold"' if shape.bold else ""
            return (
                f'<text x="{number(x)}" y="{number(y + 0.36 * shape.size)}" font-size="{number(shape.size)}" '
                f'text-anchor="{shape.anchor}" fill="{shape.fill}"{bold}>{escape(shape.text)}</text>'
            )


def paint(shape: Area | Disc) -> str:
    """The attributes for filling and outline."""
    outline = "" if shape.stroke == "none" else f' stroke="{shape.stroke}" stroke-width="{number(shape.width)}"'
    return f' fill="{shape.fill}"{outline}'


def path_points(points: Iterable[Point]) -> str:
    """Points of a path."""
    return "L".join(f"{number(x)} {number(y)}" for x, y in points)


def number(value: float) -> str:
    """A coordinate, short."""
    return f"{round(value, 3) + 0.0:g}"
