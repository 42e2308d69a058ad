import { z } from 'zod';

/** `2026-01-31T12:00:00.000Z`: every date of the API, except those that Graylog prints with an offset. */
export const timestampSchema = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601, UTC, with milliseconds', example: '2026-01-31T12:00:00.000Z' });

/** `2026-01-31T12:00:00.000+0000`: the dates Graylog prints with a numeric offset. */
export const offsetTimestampSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/)
  .meta({
    description: 'UTC with milliseconds and a numeric offset',
    example: '2026-01-31T12:00:00.000+0000',
  });

export function formatTimestamp(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

export function formatOffsetTimestamp(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, -1)}+0000`;
}
