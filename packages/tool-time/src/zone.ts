import { Temporal } from 'temporal-polyfill';

/** An offset as people write it: `UTC+2`, `GMT-05:30`, `+2`. */
const writtenOffset = /^(?:utc|gmt)?\s*([+-])(\d{1,2})(?::?([0-5]\d))?$/i;

/**
 * Parses a time zone: an IANA name (`Europe/Rome`, in any case) or an offset. Abbreviations such as `EST` or `IST` are
 * ambiguous and not accepted.
 */
function zoneOf(text: string): string {
  const offset = writtenOffset.exec(text.trim());
  const name = offset === null ? text.trim() : `${offset[1]}${offset[2]?.padStart(2, '0')}:${offset[3] ?? '00'}`;
  try {
    return Temporal.Now.zonedDateTimeISO(/^(?:gmt|z)$/i.test(name) ? 'UTC' : name).timeZoneId;
  } catch {
    throw new Error(
      `There is no time zone "${text}". Give a name such as "Europe/Rome" or "America/New_York", or an offset such as "+02:00".`,
    );
  }
}

/** The machine's zone. */
function localZone(): string {
  return Temporal.Now.timeZoneId();
}

/** Zone of a call: the named one, else the user's, else the machine's. */
export function zoneFor(named: string | undefined, chosen: string): string {
  const zone = named?.trim() || chosen.trim();
  return zone === '' ? localZone() : zoneOf(zone);
}
