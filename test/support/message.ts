import type { Message } from '../../domain/message';
import { TEST_START } from './clock';

/** A queued message with plain values, changed where a test says so. */
export function aMessage(change: Partial<Message> = {}): Message {
  return {
    id: '019b8c18-e380-7000-8002-73789413ff6b',
    workspaceId: 1,
    contactId: 1,
    domainId: 1,
    channel: 'api',
    lane: 'transactional',
    campaignId: null,
    to: 'sari@example.test',
    toText: 'Sari@Example.test',
    subject: 'Halo',
    fromEmail: 'no-reply@demo.test',
    fromName: 'Toko Sari',
    replyTo: null,
    metadata: null,
    createdAt: TEST_START,
    status: 'queued',
    failedReason: null,
    dispatchedAt: null,
    dueAt: TEST_START,
    attempt: 0,
    firstClaimedAt: null,
    fence: null,
    fencedAt: null,
    unknown: false,
    reopenable: null,
    complainedAt: null,
    attachmentsUntil: null,
    version: 1,
    ...change,
  };
}
