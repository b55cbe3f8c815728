/**
 * Which part of a scrolling box is visible, so that of very many items only those are drawn. Invariants: it changes in
 * steps, so that scrolling redraws only now and then; a small number of items is always drawn completely.
 */
import { useLayoutEffect, useState } from "preact/hooks";

interface Box {
  readonly current: HTMLElement | null;
}

export interface VisiblePart {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const STEP = 200;
const MARGIN = 200;
const FIRST: VisiblePart = { left: -MARGIN, top: -MARGIN, right: 900, bottom: 700 };

/** In pixels relative to the content of the box, with a margin around. */
export function useVisiblePart(box: Box): VisiblePart {
  const [part, setPart] = useState(FIRST);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const look = (): void => {
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = current;
      const left = Math.floor(scrollLeft / STEP) * STEP - MARGIN;
      const top = Math.floor(scrollTop / STEP) * STEP - MARGIN;
      const right = Math.ceil((scrollLeft + clientWidth) / STEP) * STEP + MARGIN;
      const bottom = Math.ceil((scrollTop + clientHeight) / STEP) * STEP + MARGIN;
      setPart((known) =>
        known.left === left && known.top === top && known.right === right && known.bottom === bottom
          ? known
          : { left, top, right, bottom },
      );
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(current);
    current.addEventListener("scroll", look, { passive: true });
    return () => {
      resized.disconnect();
      current.removeEventListener("scroll", look);
    };
  }, []);
  return part;
}

const ALL_DRAWN = 120;

export interface VisibleRows {
  readonly first: number;
  readonly last: number;
  /** Padding in place of the rows that are not drawn. */
  readonly padding: { readonly paddingTop: string; readonly paddingBottom: string };
}

export function useVisibleRows(box: Box, rowHeight: number, count: number): VisibleRows {
  const { top, bottom } = useVisiblePart(box);
  const isLong = count > ALL_DRAWN;
  const first = isLong ? Math.min(count, Math.max(0, Math.floor(top / rowHeight))) : 0;
  const last = isLong ? Math.min(count, Math.ceil(bottom / rowHeight)) : count;
  const padding = {
    paddingTop: `${first * rowHeight}px`,
    paddingBottom: `${(count - last) * rowHeight}px`,
  };
  return { first, last, padding };
}

/** Scrolls the box just far enough to show this row. */
export function showRow({ current }: Box, index: number, rowHeight: number, above = 0): void {
  if (current === null || index < 0) return;
  const top = index * rowHeight;
  const { scrollTop, clientHeight } = current;
  if (top < scrollTop) current.scrollTop = top;
  else if (top + rowHeight + above > scrollTop + clientHeight)
    current.scrollTop = top + rowHeight + above - clientHeight;
}
