/** Charts on canvases, in the colours of the page. A file of its own, loaded when somebody looks at them. */
import UPlot from "uplot";

export interface Chart {
  readonly title: string;
  /** Epoch seconds, or a share of 1. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly kind: "bars" | "points";
  readonly value: (y: number) => string;
  /** What may lie between two marks of the upright axis. */
  readonly steps: readonly number[];
}

const HEIGHT = 180;

/** Answers with what removes it. */
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
          // A day without anything is no line.
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

/** With room for the whole of the first and of the last bar. */
const aroundDays = (_: UPlot, from: number, to: number): [number, number] => [
  ...([from - HALF_A_DAY, to + HALF_A_DAY] as const),
];

const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** As a canvas can take it: of a light and a dark colour, the one that is shown. */
function colourOf(into: HTMLElement, token: string): string {
  into.style.color = `var(${token})`;
  const { color } = getComputedStyle(into);
  into.style.color = "";
  return color;
}
