/** An immutable first-in first-out queue of subtask positions; both ends cost amortised constant time. */
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

export function queueItems(queue: Queue): number[] {
  const back: number[] = [];
  for (let cell = queue.back; cell !== undefined; cell = cell.next) back.push(cell.item);
  return [...queue.front.slice(queue.frontAt), ...back.reverse()];
}
