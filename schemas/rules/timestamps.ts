/** ms since the epoch in the form of object data, `YYYY-MM-DDTHH:MM:SS.ffffffZ` (docs/contract.md#time). */
export function objectTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, -1)}000Z`;
}

/** The form of a timestamp in a request; the date and the time in it may still not exist. */
export const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?$/;
/** True for the form of a timestamp that names its offset from UTC. */
export const hasOffset = (text: string): boolean => /(?:[Zz]|[+-]\d{2}:?(?:\d{2})?)$/.test(text.slice(10));

const MINUTE = 60_000;
/** Years of four digits in UTC: an answer can write others, but no request could read them. */
const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an ISO 8601 timestamp to ms since the epoch: date and time at least to the minute; without a zone it is UTC
 * (docs/contract.md#report-a-conversion). Null for other text, for dates and times that do not exist, and for years
 * that are not of four digits in UTC.
 */
export function readTimestamp(text: string): number | null {
  const [found, date, clock, seconds = '00', fraction = '', , sign, hours = '0', minutes = '0'] =
    TIMESTAMP.exec(text) ?? [];
  if (found === undefined) return null;
  const local = `${date}T${clock}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const at = Date.parse(local);
  // Date accepts 24:00, and reads 30 February as a day in March.
  if (Number.isNaN(at) || new Date(at).toISOString() !== local) return null;
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE;
  const utc = sign === '-' ? at + offset : at - offset;
  return utc < FIRST || utc > LAST ? null : utc;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** The form of a timestamp, or a date alone. */
export const MOMENT = new RegExp(`${DATE.source}|${TIMESTAMP.source}`);

/** As `readTimestamp`; a date alone is its midnight in UTC (docs/contract.md#list-of-messages). */
export function readMoment(text: string): number | null {
  return readTimestamp(DATE.test(text) ? `${text}T00:00` : text);
}

/** ms since the epoch in the form of webhook payloads, `YYYY-MM-DDTHH:MM:SS+00:00` (docs/contract.md#time). */
export function webhookTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}
