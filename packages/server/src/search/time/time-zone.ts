import { InvalidError } from '#core/index.ts';

/** Returns the name of a time zone (`Europe/Berlin`, `UTC`, `+02:00`); throws `InvalidError` for any other text. */
export function requireTimeZone(name: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    throw new InvalidError(
      `${JSON.stringify(name)} is not a time zone. Use an IANA name or an offset, for example UTC, Europe/Berlin or +02:00.`,
    );
  }
}
