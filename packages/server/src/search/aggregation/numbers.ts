/** 64-bit counts arrive as texts. */
export type Count = string | number;

/** Graylog's JSON has the text `NaN` for a missing number. */
export function numberOrNaN(value: number | null): number | 'NaN' {
  return value ?? 'NaN';
}
