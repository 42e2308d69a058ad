import type { ConditionPreview } from '@millrace/contract';

type Points = ConditionPreview['points'];
type Known = readonly [time: number, value: number];

/** Of the height, above and below the values, so that none of them is a line at the edge. */
const ROOM = 0.1;

export interface CourseScale {
  readonly x: (time: number) => number;
  readonly y: (value: number) => number;
}

/** Where a time and a value are drawn. 0 and the threshold are always in sight. */
export function courseScale(
  points: Points,
  threshold: number | null,
  { width, height }: { readonly width: number; readonly height: number },
): CourseScale {
  const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 1];
  const values = knownValues(points);
  const lowest = Math.min(...values, threshold ?? 0, 0);
  const highest = Math.max(...values, threshold ?? 0, 0, lowest + 1);
  const room = (highest - lowest) * ROOM;
  const bottom = lowest < 0 ? lowest - room : 0;
  return {
    x: (time) => ((Math.min(Math.max(time, first), last) - first) / (last - first)) * width,
    y: (value) => height - ((value - bottom) / (highest + room - bottom)) * height,
  };
}

export function knownValues(points: Points): number[] {
  return points.flatMap(([, value]) => value ?? []);
}

/** The line, interrupted where there was no value: a mean of no messages is not 0. */
export function lineParts(points: Points): Known[][] {
  const parts: Known[][] = [];
  let part: Known[] = [];
  for (const [at, [time, value]] of points.entries()) {
    if (value === null) {
      part = [];
      continue;
    }
    if (part.length === 0) parts.push(part);
    part.push([time, value]);
    // A single value between two gaps would be a line without length.
    const next = points[at + 1];
    if (part.length === 1 && next?.[1] === null) part.push([(time + next[0]) / 2, value]);
  }
  return parts;
}
