import { initialOf } from '../../domain/field';
import { acceptedMessage, MESSAGE_FACTS, type Message, type MessageFacts } from '../../domain/messages/message';
import { TEST_START } from './clock';

const { to: _to, toText: _toText, ...withoutRecipient } = MESSAGE_FACTS;

/** The fields of a message except its recipient, with plain values. */
export const SOME_CONTENT: Omit<MessageFacts, 'id' | 'contactId' | 'to' | 'toText' | 'createdAt'> = {
  ...initialOf(withoutRecipient),
  workspaceId: 1,
  domainId: 1,
  channel: 'api',
  lane: 'transactional',
  subject: 'Halo',
  fromEmail: 'no-reply@demo.test',
  fromName: 'Toko Sari',
  attachmentCount: 0,
};

/** Facts with plain values. */
export const SOME_FACTS: MessageFacts = {
  ...SOME_CONTENT,
  id: '019b8c18-e380-7000-8002-73789413ff6b',
  contactId: 1,
  to: 'sari@example.test',
  toText: 'Sari@Example.test',
  createdAt: TEST_START,
};

/** A queued message with plain values, with the changes of the test. */
export const aMessage = (change: Partial<Message> = {}): Message => ({
  ...acceptedMessage(SOME_FACTS, null),
  ...change,
});
