/**
 * A list of any length of which only the visible part is drawn, with one row marked for the keyboard. Invariants: all
 * rows have the same height; the page itself scrolls, so that the browser's own keys work.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../shell/keyboard.ts";

interface Props<T> {
  readonly items: readonly T[];
  readonly label: string;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T) => ComponentChildren;
  readonly open: (item: T) => void;
}

const MORE_ROWS = 8;

export function WindowedList<T>({ items, label, keyOf, row, open }: Props<T>) {
  const list = useRef<HTMLUListElement>(null);
  const [marked, setMarked] = useState<string>();
  const rowHeight = useRowHeight(list);
  const [first, last] = useVisible(list, rowHeight, items.length);
  const at = items.findIndex((item) => keyOf(item) === marked);
  // Two keys may arrive before the list is drawn again.
  const markedAt = useRef(at);
  markedAt.current = at;
  const mark = (index: number): void => {
    const item = items[Math.max(0, Math.min(items.length - 1, index))];
    if (item === undefined) return;
    markedAt.current = items.indexOf(item);
    setMarked(keyOf(item));
    keepInView(list.current, items.indexOf(item), rowHeight);
  };
  useKeys({
    j: () => mark(markedAt.current + 1),
    k: () => mark(markedAt.current - 1),
    Enter: () => {
      const item = items[markedAt.current];
      if (item !== undefined) open(item);
    },
  });
  return (
    <ul
      ref={list}
      class="rows"
      aria-label={label}
      style={{ height: `${items.length * rowHeight}px` }}
    >
      {items.slice(first, last).map((item, index) => (
        <li
          key={keyOf(item)}
          class="row"
          aria-setsize={items.length}
          aria-posinset={first + index + 1}
          data-marked={keyOf(item) === marked ? "" : undefined}
          style={{ transform: `translateY(${(first + index) * rowHeight}px)` }}
        >
          {row(item)}
        </li>
      ))}
    </ul>
  );
}

/** Taken from the stylesheet, which adapts to narrow screens. */
function useRowHeight(list: { readonly current: HTMLUListElement | null }): number {
  const [height, setHeight] = useState(44);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (list.current === null) return;
      const value = getComputedStyle(list.current).getPropertyValue("--row-height");
      setHeight(parseFloat(value) || 44);
    };
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  return height;
}

function useVisible(
  list: { readonly current: HTMLUListElement | null },
  rowHeight: number,
  length: number,
): readonly [number, number] {
  const [range, setRange] = useState<readonly [number, number]>([0, 40]);
  useEffect(() => {
    const look = (): void => {
      const top = -(list.current?.getBoundingClientRect().top ?? 0);
      const first = Math.max(0, Math.floor(top / rowHeight) - MORE_ROWS);
      const last = Math.ceil((top + innerHeight) / rowHeight) + MORE_ROWS;
      setRange((known) => (known[0] === first && known[1] === last ? known : [first, last]));
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [rowHeight, length]);
  return range;
}

function keepInView(list: HTMLUListElement | null, index: number, rowHeight: number): void {
  if (list === null) return;
  const top = list.getBoundingClientRect().top + index * rowHeight;
  const margin = 2 * rowHeight;
  if (top < margin) scrollBy(0, top - margin);
  else if (top + rowHeight > innerHeight - margin)
    scrollBy(0, top + rowHeight - innerHeight + margin);
}
