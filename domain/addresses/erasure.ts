import { addressPattern } from './address-pattern';
import type { MessageFacts, Metadata } from '../messages/message';

/** Replaces personal data of a deleted contact. */
export const ERASED = '(dihapus)';

/** The person to erase. */
export interface Person {
  /** Lower case. */
  email: string;
  name: string | null;
}

/** Functions that remove personal data from a text. */
export interface Erasure {
  /** Removes the address. */
  address(text: string): string;
  /** Removes the address and the name. */
  person(text: string): string;
}

/** A shorter name is a single letter, which occurs everywhere. */
const SHORTEST_NAME = 2;

function namePattern(name: string | null): RegExp | null {
  const words = (name ?? '').trim().split(/\s+/u);
  if ([...words.join(' ')].length < SHORTEST_NAME) return null;
  const written = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join(String.raw`\s+`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${written}(?![\p{L}\p{N}])`, 'giu');
}

/**
 * Removes a person from texts (docs/contract.md#delete-a-contact). The mark stays in their place, so that counts and
 * structure are preserved.
 */
export function erasureOf({ email, name }: Person): Erasure {
  const addresses = addressPattern(email);
  const names = namePattern(name);
  const address = (text: string): string => text.replace(addresses, ERASED);
  return { address, person: (text) => (names ? address(text).replace(names, ERASED) : address(text)) };
}

/** Metadata without a person: texts are cleaned, other values stay. */
export const erasedMetadata = (metadata: Metadata, erasure: Erasure): Metadata =>
  Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, typeof value === 'string' ? erasure.person(value) : value]),
  );

/** The facts of a message that may hold personal data. */
export type PersonalFacts = Pick<
  MessageFacts,
  'to' | 'toText' | 'subject' | 'fromEmail' | 'fromName' | 'replyTo' | 'metadata' | 'thread'
>;

/** The same facts without the person they were written to. */
export function erasedFacts<T extends PersonalFacts>(facts: T, erasure: Erasure): T {
  return {
    ...facts,
    to: null,
    toText: null,
    subject: erasure.person(facts.subject),
    fromEmail: erasure.address(facts.fromEmail),
    fromName: erasure.person(facts.fromName),
    replyTo: facts.replyTo === null ? null : erasure.address(facts.replyTo),
    metadata: facts.metadata === null ? null : erasedMetadata(facts.metadata, erasure),
    // Its ids may hold an address in any form, and name what others wrote.
    thread: null,
  };
}
