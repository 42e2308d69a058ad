import { InvalidError } from '#core/index.ts';

/** The name as it is when it is a time zone (`Europe/Berlin`, `UTC`, `+02:00`); a 400 that says so when not. */
export function requireTimeZone(name: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    throw new InvalidError(
      `${JSON.stringify(name)} is not a time zone. Use a name of the IANA list or an offset, for example UTC, Europe/Berlin or +02:00.`,
    );
  }
}
