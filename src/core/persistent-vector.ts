/**
 * An immutable list with a fixed length in which one element can be replaced in near-constant time. RunState keeps
 * subtasks in it, so that `fold` costs the same with 10,000 subtasks as with 10. Invariant: no operation changes
 * an existing vector.
 */
const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Node<T> = readonly (Node<T> | T)[];

export interface PersistentVector<T> {
  readonly length: number;
  /** Bits that select the child at the root. */
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
