"""A game as one web page: the map once, the counters of every position as compact JSON, and a player for it.

The page is self-contained and works offline. A frame is drawn from the same shapes as a single SVG: each look of a
counter is a symbol, and a script puts the symbols of the present frame on the map.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from desert_envs.engine.errors import InputError
from desert_envs.engine.picture import Counter, Picture
from desert_envs.render import svg
from desert_envs.render.scene import (
    SIDES,
    Frame,
    Placed,
    counter_shapes,
    frame,
    look,
    map_bounds,
    map_shapes,
    mark_shapes,
    marked,
    placed,
)


@dataclass(frozen=True)
class Shot:
    """One position of a game and the words for what led to it."""

    picture: Picture
    words: str


def draw(shots: Iterable[Shot]) -> str:
    """The positions of one game as an HTML document; raises InputError if there are none."""
    frames = list(shots)
    if not frames:
        raise InputError("replay page: no positions to show")
    first = frames[0].picture
    looks: dict[Counter, int] = {}
    spots: dict[Placed, int] = {}
    for shot in frames:
        for one in placed(shot.picture):
            looks.setdefault(look(one.counter), len(looks))
            spots.setdefault(Placed(one.at, look(one.counter)), len(spots))
    data = {
        "title": first.title,
        "spots": [[looks[spot.counter], *_rounded(spot.at)] for spot in spots],
        "centres": [_rounded(centre) for centre in first.centres],
        "frames": _changes(frames, spots),
    }
    # A "<" might begin a tag or a comment in the middle of a text.
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    page = {"TITLE": escape(first.title), "BOARD": _board(first, list(looks)), "DATA": text, "SIDES": _sides(first)}
    parts = PAGE.split("@")
    return "".join(page.get(part, part) if place % 2 else part for place, part in enumerate(parts))


def _rounded(point: tuple[float, float]) -> list[float]:
    return [round(point[0], 3), round(point[1], 3)]


def _changes(shots: Sequence[Shot], spots: dict[Placed, int]) -> list[list[object]]:
    """For each frame the spots taken away and added, the marked hexes, caption, words and lines aside.

    What is as in the frame before is 0.
    """
    changes: list[list[object]] = []
    before: set[int] = set()
    last: list[object] = [[], "", "", []]
    for shot in shots:
        now = {spots[Placed(one.at, look(one.counter))] for one in placed(shot.picture)}
        drawn = set(marked(shot.picture))
        marks = [hex_ for hex_ in shot.picture.marked if shot.picture.centres[hex_] in drawn]
        rest: list[object] = [marks, shot.picture.caption, shot.words, list(shot.picture.aside)]
        same: list[object] = [0 if new == old else new for new, old in zip(rest, last, strict=True)]
        changes.append([sorted(before - now), sorted(now - before), *same])
        before, last = now, rest
    return changes


def _board(picture: Picture, looks: Sequence[Counter]) -> str:
    """The map, the symbols of all counters, and empty groups for the marks and counters of a frame."""
    left, top, right, bottom = map_bounds(picture)
    room = Frame(left - 0.3, top - 0.3, right - left + 0.6, bottom - top + 0.6)
    symbols = [
        f'<g id="c{number}">{svg.elements(counter_shapes(counter, picture.flat_top))}</g>'
        for number, counter in enumerate(looks)
    ]
    symbols.append(f'<g id="m">{svg.elements(mark_shapes(picture.flat_top))}</g>')
    board = svg.elements([svg.backdrop(frame(picture)), *map_shapes(picture)])
    groups = '<g id="marks"></g><g id="counters"></g>'
    return f"{svg.opening(room, 1280)}<defs>{''.join(symbols)}</defs>{board}{groups}</svg>"


def _sides(picture: Picture) -> str:
    colours = [colour for colour, _ in SIDES]
    return " ".join(
        f'<span class="side" style="background:{colours[side % len(colours)]}"></span>{escape(name)}'
        for side, name in enumerate(picture.sides)
    )


PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>@TITLE@</title>
<style>
body { margin: 0; background: #f7f1e1; color: #2b2620; font: 16px/1.4 'Gill Sans', 'Trebuchet MS', sans-serif; }
main { max-width: 1100px; margin: 0 auto; padding: 12px 16px; }
h1 { font-size: 1.5rem; margin: 0; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 4px 24px; }
nav { display: flex; align-items: center; gap: 8px; position: sticky; top: 0; padding: 8px 0; background: #f7f1e1; }
button { font: inherit; min-width: 44px; padding: 4px 10px; border: 1px solid #8d8268; border-radius: 6px;
  background: #fffaf0; color: inherit; cursor: pointer; }
button:hover, button:focus-visible { background: #ecdcb2; }
#slider { flex: 1; min-width: 80px; accent-color: #a8562a; }
#count { min-width: 7em; text-align: right; font-variant-numeric: tabular-nums; }
#words { min-height: 1.4em; font-weight: bold; }
#aside { min-height: 5.6em; color: #5d553f; white-space: pre-line; }
svg { width: 100%; height: auto; max-height: calc(100vh - 150px); display: block; }
.side { display: inline-block; width: 14px; height: 14px; margin: 0 6px 0 12px; border: 1px solid #2b2620;
  vertical-align: -2px; }
</style>
</head>
<body>
<main>
<header><h1>@TITLE@</h1><div>@SIDES@</div></header>
<nav>
<button id="first" title="To the start (Home)" aria-label="To the start">&#x23EE;</button>
<button id="back" title="One back (left arrow)" aria-label="One back">&#x2190;</button>
<button id="play" title="Play or pause (space)">Play</button>
<button id="next" title="One on (right arrow)" aria-label="One on">&#x2192;</button>
<label>Speed <select id="speed"><option value="900">slow</option><option value="350" selected>normal</option>
<option value="80">fast</option></select></label>
<input id="slider" type="range" min="0" value="0" aria-label="Position in the game">
<span id="count"></span>
</nav>
<div id="words"></div>
<div id="caption"></div>
@BOARD@
<div id="aside"></div>
</main>
<script>
"use strict";
const game = @DATA@;
const frames = [];
{
  let now = new Set(), rest = [[], "", "", []];
  for (const [gone, come, ...changed] of game.frames) {
    gone.forEach(spot => now.delete(spot));
    come.forEach(spot => now.add(spot));
    rest = rest.map((old, i) => changed[i] === 0 ? old : changed[i]);
    frames.push({spots: [...now].sort((a, b) => game.spots[b][2] - game.spots[a][2]), rest});
  }
}
const get = id => document.getElementById(id);
const use = (name, x, y) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", "use");
  element.setAttribute("href", "#" + name);
  element.setAttribute("x", x);
  element.setAttribute("y", y);
  return element;
};
let at = 0, timer = null;
function show(frame) {
  at = Math.max(0, Math.min(frames.length - 1, frame));
  const {spots, rest: [marks, caption, words, aside]} = frames[at];
  get("counters").replaceChildren(...spots.map(i => use("c" + game.spots[i][0], game.spots[i][1], game.spots[i][2])));
  get("marks").replaceChildren(...marks.map(hex => use("m", ...game.centres[hex])));
  get("caption").textContent = caption;
  get("words").textContent = words;
  get("aside").textContent = aside.join("\\n");
  get("count").textContent = at + " / " + (frames.length - 1);
  get("slider").value = at;
}
function pause() { clearInterval(timer); timer = null; get("play").textContent = "Play"; }
function play() {
  if (at === frames.length - 1) show(0);
  get("play").textContent = "Pause";
  timer = setInterval(() => at < frames.length - 1 ? show(at + 1) : pause(), Number(get("speed").value));
}
const toggle = () => timer ? pause() : play();
get("slider").max = frames.length - 1;
get("slider").oninput = () => { pause(); show(Number(get("slider").value)); };
get("first").onclick = () => { pause(); show(0); };
get("back").onclick = () => { pause(); show(at - 1); };
get("next").onclick = () => { pause(); show(at + 1); };
get("play").onclick = toggle;
get("speed").onchange = () => { if (timer) { pause(); play(); } };
document.onkeydown = event => {
  if (["SELECT", "INPUT"].includes(event.target.tagName)) return;
  const jump = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: frames.length - 1}[event.key];
  if (jump !== undefined) { pause(); show(jump); event.preventDefault(); }
  if (event.key === " ") { toggle(); event.preventDefault(); }
};
show(0);
</script>
</body>
</html>
"""
