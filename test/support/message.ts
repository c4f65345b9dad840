import { acceptedMessage, type Message, type MessageFacts } from '../../domain/message';
import { TEST_START } from './clock';

/** Facts with plain values. */
export const SOME_FACTS: MessageFacts = {
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
};

/** A queued message with plain values, changed where a test says so. */
export const aMessage = (change: Partial<Message> = {}): Message => ({
  ...acceptedMessage(SOME_FACTS, null),
  ...change,
});
