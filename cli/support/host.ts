import type { Readable } from 'node:stream';
import type { Config } from '../../app/config/config';
import type { AdvancingClock } from '../../app/time-travel/advancing-clock';

/** Where text goes: a stream of the process, or a test that listens. */
export interface Sink {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  /** As Node's terminals answer it, NO_COLOR and TERM considered. */
  hasColors?(): boolean;
}

/** The world of one run of the command line. */
export interface Host {
  stdout: Sink;
  stderr: Sink;
  stdin: Readable;
  /** Reads the configuration; called once a command is known to be written rightly. */
  config(): Config;
  /** Aborted when whoever read stdout has closed it. */
  readerGone?: AbortSignal;
  /** From the call on the first Ctrl-C aborts the signal it answers, rather than end the program; the second ends it. */
  interrupts?: () => AbortSignal;
  clock?: AdvancingClock;
  /** Who the operator's trail names; default: the user of the operating system. */
  actor?: string;
}
