/** A place for a chart, with the same information in words for screen readers. */
import { useEffect, useRef } from "preact/hooks";
import { systemIsDark, theme } from "../shell/theme.ts";
import type * as charts from "./charts.ts";

const FILE: string = "/insights.js";

interface Props extends charts.Chart {
  readonly words: string;
}

export function ChartPlace({ words, ...chart }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const key = JSON.stringify([chart.x, chart.y, theme.value, systemIsDark.value]);
  useEffect(() => {
    let remove = (): void => undefined;
    let isGone = false;
    void (import(FILE) as Promise<typeof charts>).then(({ draw }) => {
      if (!isGone && box.current !== null) remove = draw(box.current, chart);
    });
    return () => {
      isGone = true;
      remove();
    };
  }, [key]);
  return (
    <figure class="chart">
      <figcaption>
        <h3>{chart.title}</h3>
        <p class="chart-words">{words}</p>
      </figcaption>
      <div ref={box} class="chart-place" aria-hidden="true" />
    </figure>
  );
}
