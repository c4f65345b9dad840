import { ValueError } from '../../lib/reason';
import { parseDuration } from '../../lib/duration';
import { asciiDomainAddress, canonicalAddress, isEmailAddress } from '../../schemas/rules/email-address';
import { readUuid } from '../../schemas/rules/ids';
import { readMoment, readTimestamp } from '../../schemas/rules/timestamps';
import { rule } from './rules';

/** Parses a text into a value, or throws ValueError with what it must be. */
export interface Read<T> {
  (text: string): T;
  readonly schema?: ValueSchema;
}

/** What a text must be, in the words of JSON Schema. */
export interface ValueSchema {
  type: 'string' | 'integer' | 'boolean';
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
}

/** The same reader, which says what it reads. */
export const described = <T>(schema: ValueSchema, read: (text: string) => T): Read<T> =>
  Object.assign((text: string) => read(text), { schema });

/** Text that is not empty, has no control characters and at most `max` characters. */
export function text(max = 255): Read<string> {
  return described({ type: 'string', maxLength: max }, (raw) => {
    const value = raw.trim();
    if (value === '') throw new ValueError(rule('empty'));
    if ([...value].length > max) throw new ValueError(rule('long', { max }));
    if (/\p{Cc}/u.test(value)) throw new ValueError(rule('controls'));
    return value;
  });
}

/** The same, or nothing at all. */
export const textOrNothing = (max = 255): Read<string> =>
  described({ type: 'string', maxLength: max }, (raw) => (raw.trim() === '' ? '' : text(max)(raw)));

/** Stands for the workspace of an installation that has only one. Nothing typed can equal it. */
export const ONLY_WORKSPACE = '\0';

const idOrName = text(255);
/** An id or a name to look up; a workspace that was left out stays `ONLY_WORKSPACE`. */
export const reference: Read<string> = (raw) => (raw === ONLY_WORKSPACE ? raw : idOrName(raw));

/** A whole number in decimal digits. */
export function whole(min: number, max: number): Read<number> {
  return described({ type: 'integer', minimum: min, maximum: max }, (raw) => {
    const value = /^\d{1,15}$/.test(raw.trim()) ? Number(raw) : NaN;
    if (!(value >= min && value <= max)) throw new ValueError(rule('whole', { min, max }));
    return value;
  });
}

export function oneOf<T extends string>(...allowed: readonly T[]): Read<T> {
  return described({ type: 'string', enum: allowed }, (raw) => {
    const value = allowed.find((candidate) => candidate === raw.trim());
    if (value === undefined) throw new ValueError(rule('one_of', { allowed }));
    return value;
  });
}

const switched = oneOf('on', 'off');
export const onOff: Read<boolean> = described({ type: 'boolean' }, (raw) => switched(raw) === 'on');

/** A duration in ms. */
export const duration: Read<number> = parseDuration;

/** A time, ISO 8601, as ms since the epoch. */
export const time: Read<number> = described({ type: 'string', format: 'date-time' }, (raw) => {
  const at = readTimestamp(raw.trim());
  if (at === null) throw new ValueError(rule('time'));
  return at;
});

/** A time with its zone, in ms since the epoch: an operator who leaves it out may mean local time. */
export const zonedTime: Read<number> = described({ type: 'string', format: 'date-time' }, (raw) => {
  const at = time(raw);
  if (!/(?:z|[+-]\d{2}:?(?:\d{2})?)$/i.test(raw.trim())) {
    throw new ValueError(rule('zone'));
  }
  return at;
});

/** A bound of a list by time, as ms since the epoch: a time, or a date alone for its midnight in UTC. */
export const moment: Read<number> = (raw) => {
  const at = readMoment(raw.trim());
  if (at === null) throw new ValueError(rule('moment'));
  return at;
};

/** An address for a mail header. */
export const mailAddress: Read<string> = described({ type: 'string', format: 'email' }, (raw) => {
  const address = raw.trim();
  if (!isEmailAddress(address) || /[^\x20-\x7e]/.test(address.slice(0, address.lastIndexOf('@')))) {
    throw new ValueError(rule('ascii_address'));
  }
  return asciiDomainAddress(address);
});

/** An email address, in its canonical spelling. */
export const address: Read<string> = described({ type: 'string', format: 'email' }, (raw) => {
  const value = raw.trim();
  if (!isEmailAddress(value)) throw new ValueError(rule('address'));
  return canonicalAddress(value);
});

/** A UUID in lower case; `fault` says what it is the id of. */
export const uuid =
  (fault = rule('uuid')): Read<string> =>
  (raw) => {
    const id = readUuid(raw.trim());
    if (id === null) throw new ValueError(fault);
    return id;
  };
