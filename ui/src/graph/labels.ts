/**
 * Which names of a drawing are written, and where. A name is to the right of its node, or else to the left, below or above it; if it would cover a more
 * important one, it is not written. What is selected comes first, then its neighbours, then the largest nodes.
 */

export interface Wish {
  readonly key: string
  readonly text: string
  /** Centre of the node, and its radius. */
  readonly x: number
  readonly y: number
  readonly size: number
  /** Of the text. */
  readonly width: number
  /** 2: selected, and always written in its fixed place; 1: one of its neighbours. */
  readonly rank: number
}

export interface Placed {
  readonly key: string
  readonly text: string
  /** Left end of its base line. */
  readonly x: number
  readonly y: number
}

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const BESIDE = 3 // pixels between a node and its name
const MARGIN = 2 // pixels around a name that stay free
const BOXED = { before: 2, padding: 14, half: 11 } // of the box around the name of what is selected

/** `height`: of the letters. Those of rank 2 are given room, and are not part of the result. */
export function placeLabels(
  wishes: readonly Wish[],
  height: number,
  frame: { readonly width: number; readonly height: number },
): readonly Placed[] {
  const ordered = wishes.toSorted((a, b) => b.rank - a.rank || b.size - a.size || (a.key < b.key ? -1 : 1))
  const nodes = ordered.map((wish) => [wish.key, around(wish)] as const)
  const taken: Box[] = []
  const placed: Placed[] = []
  for (const wish of ordered) {
    if (wish.rank > 1) {
      taken.push(boxed(wish))
      continue
    }
    const free = spots(wish, height).filter(({ box }) => isInside(box, frame) && !taken.some((other) => overlap(box, other)))
    // A name over a node can still be read, so that is only avoided.
    const spot = free.find(({ box }) => !nodes.some(([key, node]) => key !== wish.key && overlap(box, node))) ?? free[0]
    if (!spot) continue
    taken.push(spot.box)
    placed.push({ key: wish.key, text: wish.text, x: spot.x, y: spot.y })
  }
  return placed
}

function spots({ x, y, size, width }: Wish, height: number): readonly { readonly x: number; readonly y: number; readonly box: Box }[] {
  const middle = y + height / 3
  const places = [
    { x: x + size + BESIDE, y: middle },
    { x: x - size - BESIDE - width, y: middle },
    { x: x - width / 2, y: y + size + BESIDE + 0.8 * height },
    { x: x - width / 2, y: y - size - BESIDE - 0.2 * height },
  ]
  return places.map((at) => ({
    ...at,
    box: { left: at.x - MARGIN, right: at.x + width + MARGIN, top: at.y - 0.8 * height - MARGIN, bottom: at.y + 0.2 * height + MARGIN },
  }))
}

const around = ({ x, y, size }: Wish): Box => ({ left: x - size, right: x + size, top: y - size, bottom: y + size })

const boxed = ({ x, y, size, width }: Wish): Box => ({
  left: x - size,
  right: x + size + BOXED.before + width + BOXED.padding,
  top: y - Math.max(size, BOXED.half),
  bottom: y + Math.max(size, BOXED.half),
})

const overlap = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** A name that an edge would cut off is written on the other side; a node outside the frame has no name. */
const isInside = (box: Box, { width, height }: { readonly width: number; readonly height: number }): boolean =>
  box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height
