// A chart as a file of its own: with its colours, for light and dark surroundings, and nothing from elsewhere.

import { drawHeads, drawRows, escaped } from "./draw.js";
import { type Filter, shownMoments } from "./filter.js";
import { HEAD, layoutOf } from "./layout.js";
import style from "../../../../server/trace/src/chart/chart.css";
import type { TraceFile } from "./story.js";

/** The chart of what a filter lets through, as SVG. */
export function picture({ test, story }: TraceFile, filter: Filter = {}): string {
  const layout = layoutOf(story, shownMoments(story, filter));
  const [width, height] = [layout.width, layout.height + HEAD];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="lockstep-chart" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(`${test}: ${story.bug === undefined ? "a run" : "a run with a bug"}`)}</title>`,
    `<style>${style}</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    drawHeads(story, layout),
    `<g transform="translate(0 ${HEAD})">`,
    drawRows(story, layout, 0, layout.height),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}
