import { addressPattern } from './address-pattern';
import { namesOf, type Erased } from '../field';
import { MESSAGE_FIELDS, type Message, type Metadata } from '../messages/message';

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

type Erase = (value: unknown, erasure: Erasure) => unknown;

/** Of a text, or an object of texts; null stays null. */
const ERASE: Readonly<Record<Erased, Erase>> = {
  nothing: () => null,
  'no address': (value, erasure) => (typeof value === 'string' ? erasure.address(value) : value),
  'no person': (value, erasure) => {
    if (typeof value === 'string') return erasure.person(value);
    return value === null ? null : erasedMetadata(value as Metadata, erasure);
  },
};

/** The fields of a message that may hold personal data. */
export const PERSONAL_FIELDS = namesOf(MESSAGE_FIELDS, 'erased');
export type PersonalFields = Pick<Message, (typeof PERSONAL_FIELDS)[number]>;
const ERASERS = PERSONAL_FIELDS.map((name) => [name, ERASE[MESSAGE_FIELDS[name].traits.erased!]] as const);

/** Fields of a message without the person it was written to; others are left as they are. */
export function erasedFields<T extends Partial<PersonalFields>>(fields: T, erasure: Erasure): T {
  const left: Record<string, unknown> = { ...fields };
  for (const [name, erase] of ERASERS) if (name in left) left[name] = erase(left[name], erasure);
  return left as T;
}
