import { randomBytes, timingSafeEqual, createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../lib/logger';
import { removeControlFile, writeControlFile } from '../../operations/time-travel/control-file';
import type { DataDir } from '../../operations/installation/data-dir';
import type { Part } from '../core/part';
import { LONGEST_ADVANCE, type TravelLine } from '../../operations/time-travel/protocol';
import type { TimeTravel } from './time-travel';

const LOOPBACK = '127.0.0.1';
const MAX_BODY = 1_000;
/** Real time between two progress lines, ms; short enough for a moving bar. */
const TELL_EVERY = 200;
/** Real time, ms. */
const CLOSE_GRACE = 300;

export interface ControlDeps {
  dir: DataDir;
  /** Null with a real sending server: then there is no listener, and the file says why. */
  travel: TimeTravel | null;
  logger: Logger;
}

/**
 * The listener for the command line (docs/decisions/0020-time-travel-steps-between-due-times.md): HTTP on its own
 * loopback port, with a new token at each start that is stored only in a file of the data dir. `POST /clock/advance
 * {"ms": n}` streams lines of JSON until it is done; `DELETE` on it, or closing the connection, stops it after the
 * current step.
 */
export function controlPart({ dir, travel, logger }: ControlDeps): Part {
  let server: Server | null = null;
  return {
    name: 'control',
    start: async () => {
      if (!travel) return writeControlFile(dir, null);
      const token = randomBytes(32).toString('base64url');
      const context = { travel, token, logger, stop: null };
      server = createServer((req, res) => void answer(req, res, context));
      await listen(server);
      writeControlFile(dir, { url: `http://${hostOf(server)}`, token });
    },
    stop: async () => {
      removeControlFile(dir);
      await travel?.close();
      if (server) await close(server);
    },
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => resolve());
  });
}

/** The last line of an interrupted advance is still sent. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

const hostOf = (server: Server): string => `${LOOPBACK}:${(server.address() as AddressInfo).port}`;

interface AdvanceContext {
  travel: TimeTravel;
  token: string;
  logger: Logger;
  /** Stops the running advance. */
  stop: AbortController | null;
}

async function answer(req: IncomingMessage, res: ServerResponse, context: AdvanceContext): Promise<void> {
  const refused = refusal(req, context.token);
  if (refused) return refuse(res, ...refused);
  if (req.url !== '/clock/advance') return refuse(res, 404, 'Not Found.');
  if (req.method === 'DELETE') {
    context.stop?.abort();
    res.writeHead(204).end();
  } else if (req.method !== 'POST') refuse(res, 405, 'Method Not Allowed.');
  else await advance(req, res, context);
}

/**
 * Returns status and reason for requests to refuse. A web page names its origin or uses a host name that is not ours
 * (DNS rebinding); a command line does neither.
 */
function refusal(req: IncomingMessage, token: string): [number, string] | null {
  const { host, origin, authorization = '' } = req.headers;
  const port = req.socket.localPort;
  if (host !== `${LOOPBACK}:${port}`) return [403, 'This host is not served.'];
  if (origin !== undefined || req.headers['sec-fetch-site'] !== undefined) return [403, 'Not for browsers.'];
  return same(authorization, `Bearer ${token}`) ? null : [401, 'Wrong token.'];
}

function same(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function refuse(res: ServerResponse, status: number, message: string): void {
  res.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
  res.end(`${JSON.stringify({ message })}\n`);
}

async function advance(req: IncomingMessage, res: ServerResponse, context: AdvanceContext): Promise<void> {
  const ms = await readDuration(req);
  if (ms === null) {
    return refuse(res, 422, `The body must be {"ms": <whole number>}, from 1 to ${LONGEST_ADVANCE}.`);
  }
  const { travel, logger } = context;
  if (travel.progress)
    return refuse(res, 409, 'The clock is already being advanced: wait until that has finished, or stop it.');
  const stop = new AbortController();
  context.stop = stop;
  const say = (line: TravelLine): void => {
    if (!res.headersSent) res.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    res.write(`${JSON.stringify(line)}\n`);
  };
  const timer = setInterval(() => travel.progress && say({ progress: travel.progress }), TELL_EVERY);
  res.once('close', () => stop.abort());
  try {
    logger.info({ ms }, 'the clock is being advanced');
    const done = await travel.advance(ms, stop.signal);
    logger.info(done, 'the clock was advanced');
    say({ done });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn({ err: error }, 'the clock was advanced only part of the way');
    if (!res.headersSent) return refuse(res, 409, reason);
    say({ error: reason });
  } finally {
    clearInterval(timer);
    res.end();
  }
}

async function readDuration(req: IncomingMessage): Promise<number | null> {
  let body = '';
  try {
    for await (const chunk of req.setEncoding('utf8') as AsyncIterable<string>) {
      body += chunk;
      if (body.length > MAX_BODY) return null;
    }
    const { ms } = JSON.parse(body) as { ms?: unknown };
    return typeof ms === 'number' && Number.isInteger(ms) && ms > 0 && ms <= LONGEST_ADVANCE ? ms : null;
  } catch {
    return null;
  }
}
