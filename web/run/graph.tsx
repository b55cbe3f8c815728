/**
 * The subtasks and their dependencies, drawn. The arrow keys move along the lines; a list next to it has the same
 * content.
 */
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { OutlinedSubtask, Standing } from "../api/operations.ts";
import { Icon } from "../parts/icons.tsx";
import { useVisiblePart, type VisiblePart } from "../parts/visible-part.ts";
import { subtaskLook } from "../parts/state-words.tsx";
import { layoutGraph, NODE_HEIGHT, NODE_WIDTH, type Placed } from "./graph-layout.ts";

interface Props {
  readonly standing: Standing;
  readonly subtasks: readonly OutlinedSubtask[];
  readonly selected: string | undefined;
  readonly select: (id: string) => void;
}

export function Graph({ standing, subtasks, selected, select }: Props) {
  // Only dependencies move a node, and a plan does not change while its run goes on.
  const shape = subtasks.map(({ id, dependsOn }) => `${id}\n${dependsOn.join("\n")}`).join("\n\n");
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const layout = useMemo(() => layoutGraph(subtasks, width), [shape, width]);
  const places = useMemo(() => new Map(layout.nodes.map((node) => [node.id, node])), [layout]);
  const toFocus = useRef<string | undefined>(undefined);
  const seen = useVisiblePart(box);
  const isAllDrawn = subtasks.length <= ALL_DRAWN;
  const isDrawn = (one: Placed | undefined, other = one): boolean =>
    one !== undefined && other !== undefined && (isAllDrawn || isBetween(seen, one, other));
  const phases = new Map(subtasks.map(({ id, phase }) => [id, phase]));
  const step = (event: KeyboardEvent): void => {
    const next = neighbour(layout.nodes, places.get(selected ?? ""), event.key);
    if (next === undefined) return;
    event.preventDefault();
    toFocus.current = next.id;
    select(next.id);
  };
  // The node may not have been drawn yet when the key was pressed.
  useLayoutEffect(() => {
    const nodes = box.current?.querySelectorAll<HTMLButtonElement>(".node") ?? [];
    if (toFocus.current === selected)
      [...nodes].find(({ dataset }) => dataset["id"] === selected)?.focus();
    toFocus.current = undefined;
  }, [selected]);
  const first = places.has(selected ?? "") ? selected : subtasks[0]?.id;
  return (
    <div
      class="graph"
      ref={box}
      role="group"
      aria-label="Subtasks by what they wait for"
      onKeyDown={step}
    >
      <div
        class="graph-ground"
        style={{ width: `${layout.width}px`, height: `${layout.height}px` }}
      >
        <svg width={layout.width} height={layout.height} aria-hidden="true">
          {layout.edges.map(({ from, to, path }) =>
            isDrawn(places.get(from), places.get(to)) ? (
              <path
                key={`${from}\n${to}`}
                class="edge"
                d={path}
                data-near={from === selected || to === selected ? "" : undefined}
                data-open={isDone(phases.get(from)) ? undefined : ""}
              />
            ) : null,
          )}
        </svg>
        {subtasks.map((subtask) => {
          const at = places.get(subtask.id);
          return at === undefined || (subtask.id !== first && !isDrawn(at)) ? null : (
            <Node
              key={subtask.id}
              subtask={subtask}
              standing={standing}
              at={at}
              isSelected={subtask.id === selected}
              isFirst={subtask.id === first}
              select={select}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The width available to the box. */
function useWidth(box: { readonly current: HTMLElement | null }): number | undefined {
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const look = (): void => {
      const { paddingLeft, paddingRight } = getComputedStyle(current);
      setWidth(current.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(current);
    return () => resized.disconnect();
  }, []);
  return width;
}

const ALL_DRAWN = 120;

/** Part of the line between the two nodes is visible. */
const isBetween = (
  { left, top, right, bottom }: VisiblePart,
  one: Placed,
  other: Placed,
): boolean =>
  Math.max(one.x, other.x) + NODE_WIDTH >= left &&
  Math.min(one.x, other.x) <= right &&
  Math.max(one.y, other.y) + NODE_HEIGHT >= top &&
  Math.min(one.y, other.y) <= bottom;

interface NodeProps {
  readonly subtask: OutlinedSubtask;
  readonly standing: Standing;
  readonly at: Placed;
  readonly isSelected: boolean;
  readonly isFirst: boolean;
  readonly select: (id: string) => void;
}

function Node({ subtask, standing, at, ...how }: NodeProps) {
  const { id, attempts, dependsOn } = subtask;
  const { icon, tone, words } = subtaskLook(subtask, standing);
  const waits = dependsOn.length === 0 ? "" : `, after ${dependsOn.join(", ")}`;
  const tries = attempts.length > 1 ? `, ${attempts.length} attempts` : "";
  return (
    <button
      class="node"
      data-id={id}
      data-tone={tone}
      aria-pressed={how.isSelected}
      aria-label={`${id}: ${words}${tries}${waits}`}
      title={`${id}: ${words}`}
      tabIndex={how.isFirst ? 0 : -1}
      style={{
        transform: `translate(${at.x}px, ${at.y}px)`,
        width: `${NODE_WIDTH}px`,
        height: `${NODE_HEIGHT}px`,
      }}
      onClick={() => how.select(id)}
    >
      <Icon name={icon} />
      <span class="node-name">{id}</span>
      {attempts.length > 1 ? <span class="node-tries" data-tries={`×${attempts.length}`} /> : null}
    </button>
  );
}

export const isDone = (phase: OutlinedSubtask["phase"] | undefined): boolean =>
  phase === "verified" || phase === "answered" || phase === "unverified";

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The nearest node in that direction. */
function neighbour(
  nodes: readonly Placed[],
  from: Placed | undefined,
  key: string,
): Placed | undefined {
  const [dx, dy] = DIRECTIONS[key] ?? [0, 0];
  if (from === undefined || (dx === 0 && dy === 0)) return undefined;
  const ahead = nodes.filter(({ x, y }) => (x - from.x) * dx + (y - from.y) * dy > 0);
  const far = ({ x, y }: Placed): number =>
    Math.abs(x - from.x) * (dx === 0 ? 4 : 1) + Math.abs(y - from.y) * (dy === 0 ? 4 : 1);
  return ahead.reduce<Placed | undefined>(
    (best, node) => (best === undefined || far(node) < far(best) ? node : best),
    undefined,
  );
}
