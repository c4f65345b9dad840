import { createHash, timingSafeEqual } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import type { BounceRules } from '../../domain/bounces/bounce-rules';
import type { Keyring } from '../../domain/keyring';
import { readVerpLocalPart } from '../../domain/messages/message-tokens';
import { ApiError } from '../errors';
import { bodyMemory, type BodyBudgets } from '../http/body-memory';
import { hasBody, readBytes } from '../http/read-bytes';
import { ReportIntake, type Arrival, type IntakeDeps } from '../../operations/reports/report-intake';
import { signedMention } from '../../operations/reports/signed-mention';
import { isHarakaRecord, readHarakaRecord } from './haraka-record';
import { readRecords } from './hook-body';
import { isKumoRecord, readKumoRecord } from './kumo-record';
import type { MtaEvent, MtaRecord } from './mta-event';

export const MTA_HOOK_PATH = '/hooks/mta';

const MAX_BYTES = 4 * 1024 * 1024;
/** Reports that are published together. */
const BATCH = 200;
/** The longest that records are read without a pause for other work, ms. */
const LONGEST_PIECE = 5;

export interface MtaHookDeps extends IntakeDeps {
  /** Null: there is no hook. */
  secret: string | null;
  keyring: Keyring;
  rules: BounceRules;
  bodies: BodyBudgets;
}

/**
 * `POST /hooks/mta`: sending servers report the outcome of our mails (docs/mta-events.md). Each record is one report,
 * and goes the way of a mailed one. It is 200 once they are durable in `mta.feedback`, so that a server may send what
 * was not answered again. 401 without the secret, 404 without the setting.
 */
export function createMtaHook(deps: MtaHookDeps): Middleware {
  const isAuthorized = checkSecret(deps.secret ?? '');
  const intake = new ReportIntake(deps);
  return async (ctx, next) => {
    if (ctx.path !== MTA_HOOK_PATH) return void (await next());
    if (deps.secret === null) throw new ApiError('not_found');
    if (ctx.method !== 'POST') throw new ApiError('method_not_allowed', { headers: { Allow: 'POST' } });
    ctx.set('Cache-Control', 'no-store');
    if (!isAuthorized(ctx.get('Authorization'))) return refuse(ctx);
    const records = await readBody(ctx, deps.bodies);
    const arrivals = await readAll(records, deps);
    for (let at = 0; at < arrivals.length; at += BATCH) await intake.takeAll(arrivals.slice(at, at + BATCH));
    const ignored = records.length - arrivals.length;
    deps.logger.info({ taken: arrivals.length, ignored }, 'The hook accepted reports of a sending server.');
    ctx.body = { received: records.length, taken: arrivals.length, ignored };
  };
}

/** Compares digests, which have one length: the time says nothing about the secret. */
function checkSecret(secret: string): (header: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(secret);
  return (header) => {
    const [, sent] = /^bearer +(.{1,4096})$/i.exec(header) ?? [];
    return timingSafeEqual(digest(sent?.trim() ?? ''), expected) && sent !== undefined;
  };
}

function refuse(ctx: Context): void {
  ctx.status = 401;
  ctx.set('WWW-Authenticate', 'Bearer');
  ctx.body = {
    message: 'The Authorization header must be "Bearer" and the secret of KURIR_HOOK_SECRET.',
    code: 'invalid_hook_secret',
  };
}

async function readBody({ req }: Context, bodies: BodyBudgets): Promise<MtaRecord[]> {
  const memory = bodyMemory(bodies, MTA_HOOK_PATH);
  try {
    const declared = Number(req.headers['content-length'] ?? 0);
    if (declared > MAX_BYTES) throw tooLarge();
    const bytes = hasBody(req) ? await readBytes(req, { source: 'json', memory }) : Buffer.alloc(0);
    if (bytes.length > MAX_BYTES) throw tooLarge();
    await memory.process(req, bytes.length);
    return readRecords(bytes);
  } finally {
    memory.release();
  }
}

const tooLarge = (): ApiError =>
  new ApiError('body_too_large', { text: 'A request to the hook must not be greater than 4 MB.' });

/** Thousands of refusals take longer to read than anybody else should wait. */
async function readAll(records: readonly MtaRecord[], deps: MtaHookDeps): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  let since = performance.now();
  for (const record of records) {
    const arrival = arrivalOf(record, deps);
    if (arrival) arrivals.push(arrival);
    if (performance.now() - since < LONGEST_PIECE) continue;
    await nextTurn();
    since = performance.now();
  }
  return arrivals;
}

/** The report of a record; null when it is about no mail of ours, or nothing follows from it. */
function arrivalOf(record: MtaRecord, { rules, keyring }: Pick<MtaHookDeps, 'rules' | 'keyring'>): Arrival | null {
  const event = readRecord(record, rules);
  const messageId = event && messageOf(keyring, event);
  if (!messageId) return null;
  const { report, trusted } = event;
  const unread = report.class === 'unknown' ? report.text || null : null;
  return {
    mail: { reports: [report], fault: null, nested: false, prose: null, unread },
    messageIds: [messageId],
    trusted,
    peer: MTA_HOOK_PATH,
  };
}

function readRecord(record: MtaRecord, rules: BounceRules): MtaEvent | null {
  if (isKumoRecord(record)) return readKumoRecord(record, rules);
  return isHarakaRecord(record) ? readHarakaRecord(record, rules) : null;
}

/** By the signed envelope sender, or by what is signed in a complaint: never by a header that anyone could write. */
function messageOf(keyring: Keyring, { of }: MtaEvent): string | null {
  if ('text' in of) return signedMention(keyring, of.text);
  const address = of.sender.trim().replace(/^<|>$/g, '');
  return readVerpLocalPart(keyring, address.slice(0, Math.max(0, address.lastIndexOf('@'))));
}
