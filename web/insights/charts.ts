/** Charts on canvases, in the colours of the page. A separate bundle, loaded on demand. */
import UPlot from "uplot";

export interface Chart {
  readonly title: string;
  /** Epoch seconds, or a share of 1. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly kind: "bars" | "points";
  readonly value: (y: number) => string;
  /** Possible steps between two marks of the y axis. */
  readonly steps: readonly number[];
}

const HEIGHT = 180;

/** Returns a function that removes it. */
export function draw(into: HTMLElement, { title, x, y, kind, value, steps }: Chart): () => void {
  const dim = colourOf(into, "--dim");
  const line = colourOf(into, "--line");
  const text = colourOf(into, "--text");
  const axis = { stroke: dim, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  const isTime = kind === "bars";
  const plot = new UPlot(
    {
      width: into.clientWidth,
      height: HEIGHT,
      scales: isTime
        ? {
            x: { time: true, range: aroundDays },
            y: { range: (_, __, most) => [0, Math.max(most, 0.0001) * 1.1] },
          }
        : { x: { time: false, range: [0, 1] }, y: { range: [0, 1] } },
      axes: [
        {
          ...axis,
          size: 28,
          ...(isTime
            ? { grid: { show: false }, values: (_, at) => at.map((day) => DAY.format(day * 1000)) }
            : { values: (_, at) => at.map(percent) }),
        },
        { ...axis, size: 56, incrs: [...steps], values: (_, at) => at.map(value) },
      ],
      cursor: { drag: { x: false, y: false } },
      legend: { show: false },
      series: [
        {},
        {
          label: title,
          stroke: text,
          // A day without data has no outline.
          width: isTime ? 0 : 1.5,
          ...(isTime
            ? {
                fill: text,
                paths: UPlot.paths.bars?.({ size: [0.6, 24] }) ?? (() => null),
                points: { show: false },
              }
            : { paths: () => null, points: { show: true, size: 7, fill: text } }),
        },
      ],
    },
    [[...x], [...y]],
    into,
  );
  const resize = new ResizeObserver(() =>
    plot.setSize({ width: into.clientWidth, height: HEIGHT }),
  );
  resize.observe(into);
  return () => {
    resize.disconnect();
    plot.destroy();
  };
}

const HALF_A_DAY = 43_200;

/** With space for the whole first and last bar. */
const aroundDays = (_: UPlot, from: number, to: number): [number, number] => [
  ...([from - HALF_A_DAY, to + HALF_A_DAY] as const),
];

const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** As a canvas accepts it: resolves a light and a dark colour to the one that is shown. */
function colourOf(into: HTMLElement, token: string): string {
  into.style.color = `var(${token})`;
  const { color } = getComputedStyle(into);
  into.style.color = "";
  return color;
}
