/** 64-bit counts arrive as texts. */
export type Count = string | number;

/** A number, or the text `NaN` that Graylog's JSON has where there is none. */
export function numberOrNaN(value: number | null): number | 'NaN' {
  return value ?? 'NaN';
}
