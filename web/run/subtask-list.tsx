import { useLayoutEffect, useRef } from "preact/hooks";
import type { OutlinedSubtask, Standing } from "../api/operations.ts";
import { showRow, useVisibleRows } from "../parts/visible-part.ts";
import { State, subtaskLook } from "../parts/state-words.tsx";

interface Props {
  readonly standing: Standing;
  readonly subtasks: readonly OutlinedSubtask[];
  readonly selected: string | undefined;
  readonly select: (id: string) => void;
}

/** As in the stylesheet. */
const ROW = 36;

export function SubtaskList({ standing, subtasks, selected, select }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { first, last, padding } = useVisibleRows(box, ROW, subtasks.length);
  useLayoutEffect(() => {
    const index = subtasks.findIndex(({ id }) => id === selected);
    showRow(box, index, ROW);
  }, [selected]);
  return (
    <div class="list" ref={box}>
      <ul style={padding}>
        {subtasks.slice(first, last).map((subtask, index) => (
          <li key={subtask.id} aria-setsize={subtasks.length} aria-posinset={first + index + 1}>
            <button
              class="list-row"
              aria-pressed={subtask.id === selected}
              onClick={() => select(subtask.id)}
            >
              <State of={subtaskLook(subtask, standing)} />
              <span class="list-name">{subtask.id}</span>
              <span class="list-story dim">{subtask.story}</span>
              <span class="dim">
                {subtask.attempts.length > 1 ? `×${subtask.attempts.length}` : ""}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
