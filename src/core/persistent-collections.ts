/**
 * Immutable collections for a run's state with cheap updates. Replacing an element of a (fixed-length) vector takes
 * near-constant time, so `fold` costs the same with 10,000 subtasks as with 10. The queue of subtask positions is first
 * in, first out, with amortised constant time at both ends.
 */
const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Node<T> = readonly (Node<T> | T)[];

export interface PersistentVector<T> {
  readonly length: number;
  /** The shift that selects a child of the root. */
  readonly shift: number;
  readonly root: Node<T>;
}

export function vectorFrom<T>(items: readonly T[]): PersistentVector<T> {
  let level: Node<T>[] = chunk(items);
  let shift = 0;
  while (level.length > 1) {
    level = chunk(level);
    shift += BITS;
  }
  return { length: items.length, shift, root: level[0] ?? [] };
}

export function vectorGet<T>(vector: PersistentVector<T>, index: number): T {
  if (!(index >= 0 && index < vector.length))
    throw new Error(`broken invariant: no index ${index}`);
  let node = vector.root;
  for (let shift = vector.shift; shift > 0; shift -= BITS)
    node = node[(index >>> shift) & MASK] as Node<T>;
  return node[index & MASK] as T;
}

export function vectorSet<T>(
  vector: PersistentVector<T>,
  index: number,
  item: T,
): PersistentVector<T> {
  if (!(index >= 0 && index < vector.length))
    throw new Error(`broken invariant: no index ${index}`);
  return { ...vector, root: replaced(vector.root, vector.shift, index, item) };
}

export function vectorItems<T>(vector: PersistentVector<T>): T[] {
  const items: T[] = [];
  const walk = (node: Node<T>, shift: number): void => {
    if (shift === 0) items.push(...(node as readonly T[]));
    else for (const child of node as readonly Node<T>[]) walk(child, shift - BITS);
  };
  walk(vector.root, vector.shift);
  return items;
}

function replaced<T>(node: Node<T>, shift: number, index: number, item: T): Node<T> {
  const copy = node.slice();
  const slot = (index >>> shift) & MASK;
  copy[slot] = shift === 0 ? item : replaced(node[slot] as Node<T>, shift - BITS, index, item);
  return copy;
}

function chunk<T>(items: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < items.length; start += WIDTH)
    chunks.push(items.slice(start, start + WIDTH));
  return chunks;
}

interface Cell {
  readonly item: number;
  readonly next: Cell | undefined;
}

export interface Queue {
  readonly front: readonly number[];
  readonly frontAt: number;
  readonly back: Cell | undefined;
}

export const queueFrom = (items: readonly number[]): Queue => ({
  front: items,
  frontAt: 0,
  back: undefined,
});

export const enqueue = (queue: Queue, item: number): Queue => ({
  ...queue,
  back: { item, next: queue.back },
});

export function dequeue(queue: Queue): { readonly item: number; readonly rest: Queue } | undefined {
  const item = queue.front[queue.frontAt];
  if (item !== undefined) return { item, rest: { ...queue, frontAt: queue.frontAt + 1 } };
  const front = queueItems(queue);
  const first = front[0];
  return first === undefined
    ? undefined
    : { item: first, rest: { front, frontAt: 1, back: undefined } };
}

/** Iterates from the front without copying the items that are not reached. */
export function* queueFromFront(queue: Queue): Generator<number> {
  for (let taken = dequeue(queue); taken !== undefined; taken = dequeue(taken.rest))
    yield taken.item;
}

export function queueItems(queue: Queue): number[] {
  const back: number[] = [];
  for (let cell = queue.back; cell !== undefined; cell = cell.next) back.push(cell.item);
  return [...queue.front.slice(queue.frontAt), ...back.reverse()];
}
