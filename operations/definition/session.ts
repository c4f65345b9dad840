import type { Readable } from 'node:stream';
import type { Access } from '../../domain/people/access';
import type { Operator } from './operator';
import type { View } from './view';

/** How far long work is. */
export interface Progress {
  /** Counts `count` more done. */
  step(count?: number): void;
  /** Sets how much is done, of how much in all. */
  to(count: number, total: number): void;
  /** Hides the bar so that something can be written; the next progress shows it again. */
  done(): void;
}

/** A piece of an answer: the same facts as text for people and as stable JSON for programs (docs/cli.md). */
export interface Piece {
  text: string;
  json: object;
}

/** What an operation works with: the operator's view of the data, and whoever called it. */
export interface Session extends Operator {
  view: View;
  /** Null: the caller may do all. */
  access: Access | null;
  /**
   * Called before an irreversible operation is done, with its name, once its input is right and the role is there.
   * Throws where a person has not been asked yet. Left out by interfaces at which programs call.
   */
  ask?: ((operation: string) => void) | undefined;
  /** What the caller sends along: a file that is called `-`. */
  stdin: Readable;
  /**
   * For a list too long to hold in memory, in the field `name`: the returned function writes an item at once, before
   * the answer. Left out by interfaces whose answer is held in memory.
   */
  listing?: (name: string) => (item: Piece) => void;
  /** A bar for long work; `show` formats the count, default: numbers. */
  progress: (label: string, total: number | null, show?: (count: number) => string) => Progress;
}
