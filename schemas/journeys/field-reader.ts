import type { Reason } from '../../lib/reason';
import { codePointsAtMost } from '../rules/text';
import { nearest } from '../rules/unknown-fields';
import { validationMessage, type FaultCode } from '../rules/validation-messages';
import type { Faults } from './faults';
import { fileFault } from './file-faults';
import type { YamlField, YamlMap, YamlNode } from './parse-yaml';

/** Longer names were not meant as any field. */
const MAX_NAME = 40;

/** Notes why a value is refused. */
export type Refuse = (code: FaultCode, context?: Readonly<Record<string, unknown>>) => null;
/** Reads a value; null when it is refused. */
export type Read<T> = (value: YamlNode, refuse: Refuse) => T | null;

/** Reads the fields of a map by name, and notes what is wrong with them on the lines of their keys. */
export class FieldReader {
  private readonly read = new Set<string>();

  /** `about` says in each reason where it is, such as `Step 3: `. */
  constructor(
    private readonly map: YamlMap,
    private readonly faults: Faults,
    private readonly about = (reason: Reason): Reason => reason,
  ) {}

  /** A field that must be there; null when it is not, or is refused. */
  required<T>(name: string, read: Read<T>): T | null {
    const field = this.find(name);
    if (field) return this.readField(name, field, read);
    this.add(this.map.line, validationMessage('any.required', name));
    return null;
  }

  /** A field that may be absent or empty; null then, and when it is refused. */
  optional<T>(name: string, read: Read<T>): T | null {
    const field = this.find(name);
    return field ? this.readField(name, field, read) : null;
  }

  /** Notes a fault of a field, or of the map if the field is not there. */
  fault(name: string, reason: Reason): void {
    this.add(this.map.fields.get(name)?.line ?? this.map.line, reason);
  }

  /** Whether it is there with a value, right or wrong. */
  has(name: string): boolean {
    return this.find(name) !== null;
  }

  /** Whether both fields are there, `first` above `second`. */
  isBefore(first: string, second: string): boolean {
    const names = [...this.map.fields.keys()].filter((name) => name === first || name === second);
    return names.length === 2 && names[0] === first;
  }

  /** Notes every field that was not asked for. */
  refuseOthers(): void {
    const known = [...this.read];
    for (const [name, { line }] of this.map.fields) {
      if (this.read.has(name)) continue;
      const meant = name.length <= MAX_NAME && !this.faults.isFull ? nearest(name, known) : undefined;
      const reason = validationMessage('object.unknown', name);
      this.add(line, meant === undefined ? reason : fileFault('meant', { reason, meant }));
    }
  }

  private find(name: string): YamlField | null {
    this.read.add(name);
    const field = this.map.fields.get(name);
    return field && field.value.kind !== 'nothing' ? field : null;
  }

  private readField<T>(name: string, { line, value }: YamlField, read: Read<T>): T | null {
    return read(value, (code, context) => {
      this.add(line, validationMessage(code, name, context));
      return null;
    });
  }

  private add(line: number, reason: Reason): void {
    this.faults.add(line, this.about(reason));
  }
}

/** Text that is not blank, as it is written, of at most `max` characters. */
export const textOf =
  (max: number): Read<string> =>
  (value, refuse) => {
    if (value.kind !== 'text') return refuse('string.base');
    if (value.text.trim() === '') return refuse('any.required');
    if (!codePointsAtMost(value.text, max)) return refuse('text.max', { limit: max });
    return /\p{Cs}/u.test(value.text) ? refuse('text.broken') : value.text;
  };

/** Text for one line, trimmed. */
export const lineOf =
  (max: number): Read<string> =>
  (value, refuse) => {
    const text = textOf(max)(value, refuse)?.trim() ?? null;
    return text !== null && /\p{Cc}/u.test(text) ? refuse('text.controls') : text;
  };

/** One of the words. */
export const oneOf =
  <T extends string>(...words: readonly T[]): Read<T> =>
  (value, refuse) =>
    words.find((word) => value.kind === 'text' && value.text === word) ?? refuse('any.only', { valids: words });

/** `true` or `false`. */
export const yesOrNo: Read<boolean> = (value, refuse) =>
  value.kind === 'text' && typeof value.value === 'boolean'
    ? value.value
    : refuse('any.only', { valids: ['true', 'false'] });
