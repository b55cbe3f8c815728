/** The style of a report: one type scale, one spacing scale, state colours that colour-blind readers can tell apart. */
import { css, type Markup } from "./markup.ts";

export const REPORT_STYLE: Markup = css`
  :root {
    color-scheme: light dark;
    --ink: #1c2024;
    --quiet: #60646c;
    --line: #d9d9e0;
    --page: #fff;
    --panel: #f6f6f8;
    --good: #00664a;
    --good-back: #d9f2e8;
    --bad: #a33c00;
    --bad-back: #ffe6d6;
    --wait: #8b8d98;
    --ask: #005a9e;
    --add: #e3f5ea;
    --del: #fdeae1;
  }
  @media screen and (prefers-color-scheme: dark) {
    :root {
      --ink: #edeef0;
      --quiet: #a8acb5;
      --line: #3a3d43;
      --page: #111214;
      --panel: #1b1d20;
      --good: #4cd9a8;
      --good-back: #0c3528;
      --bad: #ff9b63;
      --bad-back: #472009;
      --wait: #7b7f88;
      --ask: #70b8ff;
      --add: #0f2e21;
      --del: #3a1c0e;
    }
  }
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0 auto;
    max-width: 64rem;
    padding: 2rem 1rem 4rem;
    font:
      16px/1.5 system-ui,
      sans-serif;
    color: var(--ink);
    background: var(--page);
    overflow-wrap: anywhere;
  }
  h1 {
    font-size: 1.6rem;
    line-height: 1.25;
    margin: 0.25rem 0 0.75rem;
  }
  h2 {
    font-size: 1.2rem;
    margin: 2.5rem 0 0.75rem;
  }
  h3 {
    font-size: 1rem;
    margin: 0;
  }
  p,
  ul {
    margin: 0.5rem 0;
  }
  .eyebrow,
  .quiet,
  footer,
  dt,
  figcaption,
  th {
    color: var(--quiet);
    font-size: 0.85rem;
  }
  .eyebrow {
    margin: 0;
  }
  footer {
    margin-top: 3rem;
    border-top: 1px solid var(--line);
    padding-top: 1rem;
  }
  dl {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 2rem;
    margin: 1rem 0 0;
  }
  dd {
    margin: 0;
    font-variant-numeric: tabular-nums;
  }
  code,
  pre {
    font:
      0.85rem/1.45 ui-monospace,
      SFMono-Regular,
      Menlo,
      Consolas,
      monospace;
  }
  .pill {
    display: inline-block;
    border-radius: 1rem;
    padding: 0 0.6rem;
    font-size: 0.85rem;
    font-weight: 600;
    border: 1px solid currentColor;
  }
  .good {
    color: var(--good);
    background: var(--good-back);
  }
  .bad {
    color: var(--bad);
    background: var(--bad-back);
  }
  .plain {
    color: var(--quiet);
  }
  .card {
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    padding: 0.75rem 1rem;
    margin: 0.75rem 0;
    break-inside: avoid-page;
  }
  .ask {
    border-left: 4px solid var(--ask);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: baseline;
  }
  .ribbon {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    padding: 0;
    list-style: none;
  }
  .ribbon li {
    border-radius: 0.25rem;
    padding: 0.1rem 0.5rem;
    font-size: 0.85rem;
    border: 1px solid var(--line);
  }
  .story {
    border-left: 2px solid var(--line);
    padding-left: 1rem;
    list-style: none;
    margin-left: 0;
  }
  .scroll {
    overflow-x: auto;
  }
  svg {
    display: block;
    width: 100%;
    min-width: 34rem;
    height: auto;
  }
  svg text {
    fill: var(--ink);
    font:
      12px system-ui,
      sans-serif;
  }
  svg .quiet {
    fill: var(--quiet);
  }
  svg .axis {
    stroke: var(--line);
  }
  svg .pass {
    fill: var(--good);
  }
  svg .fail {
    fill: var(--bad);
  }
  svg .open {
    fill: var(--wait);
  }
  svg .wait {
    fill: url(#wait);
  }
  svg .hatch {
    stroke: var(--wait);
    stroke-width: 2;
  }
  svg .question {
    fill: none;
    stroke: var(--ask);
    stroke-width: 2;
  }
  svg .bar {
    fill: var(--ask);
  }
  figure {
    margin: 1rem 0;
  }
  table {
    border-collapse: collapse;
    width: 100%;
  }
  th,
  td {
    text-align: left;
    vertical-align: top;
    padding: 0.35rem 0.75rem 0.35rem 0;
    border-bottom: 1px solid var(--line);
  }
  th,
  .word {
    overflow-wrap: normal;
  }
  details {
    margin: 0.5rem 0;
  }
  summary {
    cursor: pointer;
  }
  pre {
    margin: 0.5rem 0;
    padding: 0.5rem 0.75rem;
    background: var(--panel);
    border-radius: 0.25rem;
    white-space: pre-wrap;
  }
  .diff span {
    display: block;
  }
  .diff .a {
    background: var(--add);
  }
  .diff .d {
    background: var(--del);
  }
  .diff .h {
    color: var(--quiet);
  }
  .diff .f {
    font-weight: 600;
    margin-top: 0.75rem;
  }
  @media print {
    body {
      max-width: none;
      padding: 0;
      font-size: 11pt;
    }
    details::details-content {
      content-visibility: visible;
      block-size: auto;
    }
    .scroll {
      overflow: visible;
    }
    svg {
      min-width: 0;
    }
    * {
      print-color-adjust: exact;
      -webkit-print-color-adjust: exact;
    }
    h2,
    h3 {
      break-after: avoid;
    }
  }
`;
