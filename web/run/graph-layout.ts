/**
 * Positions of the subtasks in the drawing: in columns by their dependencies, ordered so that few lines cross;
 * unconnected ones in a grid below. Pure, and fast for thousands. Unknown names are ignored.
 */
export interface GraphNode {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

export interface Placed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly nodes: readonly Placed[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly path: string }[];
  readonly width: number;
  readonly height: number;
}

export const NODE_WIDTH = 148;
export const NODE_HEIGHT = 36;
const COLUMN = NODE_WIDTH + 44;
const ROW = NODE_HEIGHT + 12;
const SWEEPS = 4;
const GRID_GAP = 12;
/** The width of a narrow screen. */
const WIDTH = 320;

/** Unconnected subtasks go into as many columns as fit into the width, and at least as many as the rest has. */
export function layoutGraph(nodes: readonly GraphNode[], width = WIDTH): Layout {
  const known = new Set(nodes.map(({ id }) => id));
  const before = new Map(
    nodes.map(({ id, dependsOn }) => [id, dependsOn.filter((other) => known.has(other))]),
  );
  const after = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const [id, others] of before) for (const other of others) after.get(other)?.push(id);
  const isTied = ({ id }: GraphNode): boolean =>
    (before.get(id)?.length ?? 0) + (after.get(id)?.length ?? 0) > 0;
  const columns = orderedColumns(nodes.filter(isTied), before, after);
  const tallest = columns.reduce((most, { length }) => Math.max(most, length), 0);
  const placed = new Map<string, Placed>();
  for (const [column, ids] of columns.entries())
    for (const [row, id] of ids.entries())
      placed.set(id, { id, x: column * COLUMN, y: (row + (tallest - ids.length) / 2) * ROW });
  const lone = nodes.filter((node) => !isTied(node));
  const apart = columns.length > 0 ? COLUMN : NODE_WIDTH + GRID_GAP;
  const fitting = Math.floor((width + apart - NODE_WIDTH) / apart);
  const wide = Math.max(1, columns.length, fitting);
  const top = tallest === 0 ? 0 : tallest * ROW + GRID_GAP;
  for (const [index, { id }] of lone.entries())
    placed.set(id, {
      id,
      x: (index % wide) * apart,
      y: top + Math.floor(index / wide) * ROW,
    });
  const all = [...placed.values()];
  return {
    nodes: all,
    edges: [...before].flatMap(([to, others]) =>
      others.map((from) => ({ from, to, path: curve(placed.get(from), placed.get(to)) })),
    ),
    width: all.reduce((most, { x }) => Math.max(most, x + NODE_WIDTH), 0),
    height: all.reduce((most, { y }) => Math.max(most, y + NODE_HEIGHT), 0),
  };
}

type Ties = ReadonlyMap<string, readonly string[]>;

function orderedColumns(nodes: readonly GraphNode[], before: Ties, after: Ties): string[][] {
  const depth = depths(nodes, before);
  const columns: string[][] = [];
  for (const { id } of nodes) (columns[depth.get(id) ?? 0] ??= []).push(id);
  const order = (column: string[], ties: Ties, beside: readonly string[]): void => {
    const place = new Map(beside.map((id, index) => [id, index]));
    const middle = new Map(
      column.map((id, index) => {
        const own = (ties.get(id) ?? []).flatMap((other) => place.get(other) ?? []);
        return [id, own.length === 0 ? index : own.reduce((sum, at) => sum + at, 0) / own.length];
      }),
    );
    column.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
  };
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (let at = 1; at < columns.length; at += 1)
      order(columns[at] ?? [], before, columns[at - 1] ?? []);
    for (let at = columns.length - 2; at >= 0; at -= 1)
      order(columns[at] ?? [], after, columns[at + 1] ?? []);
  }
  return columns;
}

/** The longest path from a subtask without dependencies; in a cycle, which no plan has, some path. */
function depths(nodes: readonly GraphNode[], before: Ties): ReadonlyMap<string, number> {
  const depth = new Map<string, number>();
  for (const { id } of nodes) {
    const way = [id];
    const on = new Set(way);
    while (way.length > 0) {
      const at = way.at(-1) ?? "";
      const open = (before.get(at) ?? []).find((other) => !depth.has(other) && !on.has(other));
      if (open !== undefined) {
        way.push(open);
        on.add(open);
        continue;
      }
      const deepest = (before.get(at) ?? []).map((other) => depth.get(other) ?? -1);
      if (!depth.has(at)) depth.set(at, Math.max(-1, ...deepest) + 1);
      way.pop();
      on.delete(at);
    }
  }
  return depth;
}

function curve(from: Placed | undefined, to: Placed | undefined): string {
  if (from === undefined || to === undefined) return "";
  const [x1, y1] = [from.x + NODE_WIDTH, from.y + NODE_HEIGHT / 2];
  const [x2, y2] = [to.x, to.y + NODE_HEIGHT / 2];
  const bend = Math.min(44, Math.abs(x2 - x1)) / 2 + 8;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
