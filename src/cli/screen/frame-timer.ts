/**
 * When the next frame is drawn: soon after something changed, never twice at once. Invariants: at most one frame
 * per FRAME_MS; drawing takes no more than a tenth of the time, however large the run is; once stopped, nothing is
 * drawn.
 */

const FRAME_MS = 120;
const COST_FACTOR = 10;

export interface FrameTimer {
  readonly soon: () => void;
  readonly stop: () => void;
}

export function frameTimer(draw: () => void): FrameTimer {
  let next: NodeJS.Timeout | undefined;
  let delay = FRAME_MS;
  let isOver = false;
  const frame = (): void => {
    next = undefined;
    const began = performance.now();
    draw();
    delay = Math.max(FRAME_MS, COST_FACTOR * (performance.now() - began));
  };
  return {
    soon() {
      if (!isOver) next ??= setTimeout(frame, delay);
    },
    stop() {
      isOver = true;
      clearTimeout(next);
    },
  };
}
