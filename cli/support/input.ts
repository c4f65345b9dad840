import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parseDuration } from '../../lib/duration';
import { asciiDomainAddress, isEmailAddress } from '../../schemas/rules/email-address';
import { codePointsAtMost } from '../../schemas/rules/text';
import { readMoment, readTimestamp } from '../../schemas/rules/timestamps';
import { FileFault, UsageError } from './errors';

/** Parses a text into a value, or throws RangeError with what it must be. */
export type Read<T> = (text: string) => T;

/** The arguments and options of a command, read and checked by name. Any error is a UsageError that names them. */
export class Input {
  constructor(
    private readonly args: Readonly<Record<string, string | readonly string[] | undefined>>,
    private readonly options: Readonly<Record<string, unknown>>,
  ) {}

  arg<T>(name: string, read: Read<T>): T {
    const text = this.args[name];
    if (typeof text !== 'string') throw new UsageError(`<${name}> is missing.`, 'see --help', `<${name}>`);
    return reading(`<${name}>`, text, read);
  }

  optionalArg<T>(name: string, read: Read<T>): T | undefined {
    return this.args[name] === undefined ? undefined : this.arg(name, read);
  }

  /** A list argument, `<name...>`. */
  list<T>(name: string, read: Read<T>): T[] {
    const texts = this.args[name] ?? [];
    return [texts].flat().map((text) => reading(`<${name}>`, text, read));
  }

  /** `--some-name <value>`, by its camel-case name in commander. */
  option<T>(name: string, read: Read<T>): T | undefined {
    const text = this.options[name];
    return typeof text === 'string' ? reading(flag(name), text, read) : undefined;
  }

  /** Every value of an option that may be given several times. */
  every<T>(name: string, read: Read<T>): T[] {
    const texts = (this.options[name] ?? []) as readonly string[];
    return texts.map((text) => reading(flag(name), text, read));
  }

  /** A required option. */
  needed<T>(name: string, read: Read<T>): T {
    const value = this.option(name, read);
    if (value === undefined) throw new UsageError(`${flag(name)} is missing.`, 'see --help', flag(name));
    return value;
  }

  has(name: string): boolean {
    return this.options[name] === true;
  }
}

const flag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function reading<T>(argument: string, text: string, read: Read<T>): T {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof FileFault) {
      throw new UsageError(error.message, `Give another file as ${argument}; see --help.`, argument);
    }
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(
      `${argument} ${error.message} (is ${JSON.stringify(text)}).`,
      `Give another ${argument}; see --help.`,
      argument,
    );
  }
}

/** Text that is not empty, has no control characters and at most `max` characters. */
export function text(max = 255): Read<string> {
  return (raw) => {
    const value = raw.trim();
    if (value === '') throw new RangeError('must not be empty');
    if ([...value].length > max) throw new RangeError(`must have at most ${max} characters`);
    if (/\p{Cc}/u.test(value)) throw new RangeError('must not contain control characters or line feeds');
    return value;
  };
}

/** Stands for the workspace of an installation that has only one. Nothing typed can equal it. */
export const ONLY_WORKSPACE = '\0';

const idOrName = text(255);
/** An id or a name to look up; a workspace that was left out stays `ONLY_WORKSPACE`. */
export const reference: Read<string> = (raw) => (raw === ONLY_WORKSPACE ? raw : idOrName(raw));

/** A whole number in decimal digits. */
export function whole(min: number, max: number): Read<number> {
  return (raw) => {
    const value = /^\d{1,15}$/.test(raw.trim()) ? Number(raw) : NaN;
    if (!(value >= min && value <= max)) throw new RangeError(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

export function oneOf<T extends string>(...allowed: readonly T[]): Read<T> {
  return (raw) => {
    const value = allowed.find((candidate) => candidate === raw.trim());
    if (value === undefined) throw new RangeError(`must be one of ${allowed.join(', ')}`);
    return value;
  };
}

export const onOff: Read<boolean> = (raw) => oneOf('on', 'off')(raw) === 'on';

/** A duration in ms. */
export const duration: Read<number> = parseDuration;

/** A time, ISO 8601, as ms since the epoch. */
export const time: Read<number> = (raw) => {
  const at = readTimestamp(raw.trim());
  if (at === null) throw new RangeError('must be an ISO 8601 time such as 2026-01-05T10:00:00Z');
  return at;
};

/** A time with its zone, in ms since the epoch: an operator who leaves it out may mean local time. */
export const zonedTime: Read<number> = (raw) => {
  const at = time(raw);
  if (!/(?:z|[+-]\d{2}:?(?:\d{2})?)$/i.test(raw.trim())) {
    throw new RangeError('must end with its zone: Z for UTC, or an offset such as +07:00');
  }
  return at;
};

/** A bound of a list by time, as ms since the epoch: a time, or a date alone for its midnight in UTC. */
export const moment: Read<number> = (raw) => {
  const at = readMoment(raw.trim());
  if (at === null) throw new RangeError('must be an ISO 8601 time or date such as 2026-01-05T10:00:00Z or 2026-01-05');
  return at;
};

/** The text of a file, at most `max` characters. */
export function fileText(max: number): Read<string> {
  return (raw) => {
    const path = raw.trim();
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch (error) {
      throw new FileFault(path, `cannot be read: ${(error as Error).message}`, { cause: error });
    }
    if (!isUtf8(bytes)) throw new FileFault(path, 'is not in UTF-8: save it as UTF-8.');
    const content = bytes.toString();
    if (content.trim() === '') throw new FileFault(path, 'is empty.');
    if (!codePointsAtMost(content, max)) throw new FileFault(path, `has more than ${max} characters.`);
    return content;
  };
}

/** An address for a mail header. */
export const mailAddress: Read<string> = (raw) => {
  const address = raw.trim();
  if (!isEmailAddress(address) || /[^\x20-\x7e]/.test(address.slice(0, address.lastIndexOf('@')))) {
    throw new RangeError('must be an email address with ASCII characters before the @');
  }
  return asciiDomainAddress(address);
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of a message, in lower case. */
export const messageId: Read<string> = (raw) => {
  const value = raw.trim().toLowerCase();
  if (!UUID.test(value)) throw new RangeError('must be the id of a message, a UUID');
  return value;
};
