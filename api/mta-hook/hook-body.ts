import { ApiError } from '../errors';
import { limitStructure } from '../http/parse-json';
import { isObject, type MtaRecord } from './mta-event';

/** The most records of one request. */
export const MAX_RECORDS = 10_000;
/** The most values in them, members of lists included: a record of KumoMTA has some forty. */
const MAX_VALUES = 500_000;

/**
 * The records of a body: one JSON object, an array of them, or one in each line (NDJSON). Throws ApiError 400 that says
 * which is wrong, and 413 for too many.
 */
export function readRecords(bytes: Buffer): MtaRecord[] {
  limitStructure(bytes, MAX_VALUES);
  const text = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim();
  if (text === '') throw malformed('The request body is empty.');
  const whole = parse(text);
  if (whole !== undefined) return checked(Array.isArray(whole) ? whole : [whole], 'Record');
  const lines = text.split(/\r?\n/);
  if (lines.length === 1 || text.startsWith('[')) throw malformed('The request body is not JSON.');
  const records = lines.map((line, n) => {
    if (line.trim() === '') return null;
    const record = parse(line);
    if (record === undefined) throw malformed(`Line ${n + 1} is not JSON.`);
    return record;
  });
  return checked(
    records.filter((record) => record !== null),
    'Record',
  );
}

function checked(records: readonly unknown[], what: string): MtaRecord[] {
  if (records.length > MAX_RECORDS) {
    throw new ApiError('body_too_large', { text: `A request must not have more than ${MAX_RECORDS} records.` });
  }
  return records.map((record, n) => {
    if (!isObject(record)) throw malformed(`${what} ${n + 1} is not an object.`);
    return record;
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const malformed = (text: string): ApiError => new ApiError('malformed_body', { text });
