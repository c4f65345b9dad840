import { createServer } from 'node:http';
import supertest from 'supertest';
import { createPages } from '../../../api/app';
import { bodyBudgets } from '../../../api/http/body-memory';
import { createMtaHook, type MtaHookDeps } from '../../../api/mta-hook/mta-hook';
import { builtInRules } from '../../../domain/bounces/bounce-rules';
import type { UnreadReport } from '../../../domain/bounces/unread-report';
import type { Feedback } from '../../../domain/messages/feedback';
import { verpLocalPart } from '../../../domain/messages/message-tokens';
import { silentLogger } from '../../../lib/logger';
import type { FeedbackRecord } from '../../../streams/record-values';
import { TEST_KEYRING } from '../../support/builders';
import { frozenClock } from '../../support/clock';
import { aMessage } from '../../support/message';

export const HOOK_SECRET = 'a-secret-for-the-hook';
export const MESSAGE_ID = '01948f3a-7c00-7abc-8def-000000000001';
export const signedSender = (id = MESSAGE_ID): string => `${verpLocalPart(TEST_KEYRING, id)}@bounce.melati.example`;

export interface HookApp {
  app: ReturnType<typeof supertest>;
  /** What was published, and what was kept because no rule knew it. */
  published: { messageId: string; feedback: Feedback }[];
  kept: UnreadReport[];
  /** Posts with the secret; an object is sent as JSON. */
  post(body: unknown): supertest.Test;
}

/** The hook as the program mounts it, before a log that is a list. */
export function hookApp(parts: Partial<MtaHookDeps> = {}): HookApp {
  const published: HookApp['published'] = [];
  const kept: UnreadReport[] = [];
  const hook = createMtaHook({
    secret: HOOK_SECRET,
    keyring: TEST_KEYRING,
    rules: builtInRules,
    bodies: bodyBudgets(96_000_000),
    clock: frozenClock(),
    logger: silentLogger,
    log: { publish: async (records) => void published.push(...records.map(({ value }) => value as FeedbackRecord)) },
    stores: {
      messages: { get: async (id) => ({ ...aMessage({}), id, to: 'siti@toko.example' }) },
      bounces: { keepUnread: async (one) => void kept.push(one) },
    },
    ...parts,
  });
  const handle = createPages({ servesHost: () => true, mount: hook, logger: silentLogger }).callback();
  const app = supertest(createServer((req, res) => void handle(req, res)));
  const post = (body: unknown): supertest.Test =>
    app
      .post('/hooks/mta')
      .set('Authorization', `Bearer ${HOOK_SECRET}`)
      .set('Content-Type', 'application/json')
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  return { app, published, kept, post };
}

/** A log record as KumoMTA posts it. */
export const kumoRecord = (type: string, code: number, status: string, content: string, more: object = {}): object => {
  const [first, subject, detail] = status.split('.').map(Number);
  return {
    type,
    id: '1d98076abbbc11ed940250ebf67f93bd',
    sender: signedSender(),
    recipient: 'siti@toko.example',
    queue: 'toko.example',
    site: 'mx.toko.example',
    size: 1047,
    response: { code, enhanced_code: { class: first, subject, detail }, content, command: 'RCPT TO' },
    peer_address: { name: 'mx.toko.example.', addr: '192.0.2.27' },
    timestamp: 1767582002,
    created: 1767582001,
    num_attempts: 0,
    bounce_classification: 'Uncategorized',
    feedback_report: null,
    meta: {},
    headers: {},
    nodeid: '557f3ad4-2c8c-11ee-976e-782d7e12e173',
    reception_protocol: 'ESMTP',
    ...more,
  };
};

/** A record of Haraka's outbound queue. */
export const harakaRecord = (type: string, fields: object): object => ({
  type,
  job_id: '11C1E4A2-9B5E-4A25-8E2D-111111111111.1',
  from: signedSender(),
  recipient: ['siti@toko.example'],
  ...fields,
});
