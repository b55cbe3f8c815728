/**
 * Draws the comparison: the share of first failures recovered against the share of the budget used, one line per
 * policy.
 */
import type { Compared } from "./compare.ts";
import { CURVE_POINTS } from "./tally.ts";

const WIDTH = 860;
const HEIGHT = 480;
const LEFT = 60;
const TOP = 50;
const PLOT = { width: 540, height: 370 };
const COLOURS = [
  "#1b6ca8",
  "#d1495b",
  "#2e8b57",
  "#e08e0b",
  "#6a4c93",
  "#7f7f7f",
  "#00798c",
  "#9c6644",
];
const LEGEND_STEP = 16;

const escaped = (text: string): string =>
  text.replace(/[<>&"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

/** `title` stands above it; the best policy is the first of the legend. */
export function chartOf(rows: readonly Compared[], title: string, budget: number): string {
  const lines = rows
    .map(({ contestant, total }) => ({
      name: contestant.id,
      shares: total.curve.map((count) => (total.firstFailed === 0 ? 0 : count / total.firstFailed)),
    }))
    .sort((a, b) => (b.shares.at(-1) ?? 0) - (a.shares.at(-1) ?? 0));
  const highest = Math.max(0.1, ...lines.map(({ shares }) => shares.at(-1) ?? 0));
  const most = Math.ceil(highest * 10) / 10;
  const x = (point: number): string =>
    (LEFT + (point / (CURVE_POINTS - 1)) * PLOT.width).toFixed(1);
  const y = (share: number): string => (TOP + (1 - share / most) * PLOT.height).toFixed(1);
  const grid = Array.from({ length: Math.round(most * 10) + 1 }, (_, step) => step / 10).map(
    (share) =>
      `<line x1="${LEFT}" x2="${LEFT + PLOT.width}" y1="${y(share)}" y2="${y(share)}" stroke="#ddd"/>` +
      `<text x="${LEFT - 8}" y="${y(share)}" text-anchor="end" dominant-baseline="middle">${percent(share)}</text>`,
  );
  const ticks = Array.from({ length: 5 }, (_, step) => step * 4).map(
    (point) =>
      `<text x="${x(point)}" y="${TOP + PLOT.height + 20}" text-anchor="middle">` +
      `${+((point / (CURVE_POINTS - 1)) * budget).toFixed(2)}</text>`,
  );
  const drawn = lines.map(({ name, shares }, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? "#000";
    const dash = ["", "6 3", "2 3"][Math.floor(index / COLOURS.length) % 3] ?? "";
    const stroke = `stroke="${colour}" stroke-dasharray="${dash}" stroke-width="2"`;
    const points = shares.map((share, point) => `${x(point)},${y(share)}`).join(" ");
    const right = LEFT + PLOT.width + 20;
    const height = TOP + 8 + index * LEGEND_STEP;
    return (
      `<polyline points="${points}" fill="none" ${stroke}><title>${escaped(name)}</title></polyline>` +
      `<line x1="${right}" x2="${right + 24}" y1="${height}" y2="${height}" ${stroke}/>` +
      `<text x="${right + 30}" y="${height}" dominant-baseline="middle">` +
      `${escaped(name)} ${percent(shares.at(-1) ?? 0)}</text>`
    );
  });
  const below = `x="${LEFT + PLOT.width / 2}" y="${HEIGHT - 16}" text-anchor="middle"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="24" font-size="14" font-weight="bold">First failures recovered, by what recovery cost</text>`,
    `<text x="${LEFT}" y="40" fill="#555">${escaped(title)}</text>`,
    ...grid,
    ...ticks,
    `<text ${below}>recovery cost, in attempts on the first tier</text>`,
    ...drawn,
    "</svg>",
    "",
  ].join("\n");
}
