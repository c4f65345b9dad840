import { STATUS_CODES } from 'node:http';
import type { ErrorCode } from '../errors';
import { rateHeaders, type RateCount } from '../rate-limit/rate-headers';

/** The status for bytes that Node could not read as a request, by Node's error code. */
const STATUSES: ReadonlyMap<string | undefined, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** The status that answers a parse error of Node. */
export function unreadableStatus(error: NodeJS.ErrnoException): number {
  return STATUSES.get(error.code) ?? 400;
}

/**
 * The whole response to a request that could not be read, in JSON like every other (docs/contract.md#answers), with the
 * rate headers of its address.
 */
export function unreadableAnswer(status: number, rate: RateCount): string {
  const reason = STATUS_CODES[status] ?? '';
  const code: ErrorCode = 'unreadable_request';
  const body = JSON.stringify({ message: `${reason}.`, code });
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    ...rateHeaders(rate),
    'Content-Length': Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`;
}
