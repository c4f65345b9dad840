import type { Readable } from 'node:stream';
import type { EngineTools } from '../../operations/installation/engine-tools';
import type { Config } from '../../operations/config/config';
import type { AdvancingClock } from '../../lib/advancing-clock';

/** Where text goes: a stream of the process, or a buffer in a test. */
export interface Sink {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  /** As Node's terminals answer it, with NO_COLOR and TERM considered. */
  hasColors?(): boolean;
}

/** The environment of one run of the command line. */
export interface Host {
  stdout: Sink;
  stderr: Sink;
  stdin: Readable;
  /** Reads the configuration; called once the command line is known to be valid. */
  config(): Config;
  /** Loads the engines; called by what opens data. */
  tools(): Promise<EngineTools>;
  /** Aborted when the reader of stdout has closed it. */
  readerGone?: AbortSignal;
  /** After this call, the first Ctrl-C aborts the returned signal instead of ending the program; the second ends it. */
  interrupts?: () => AbortSignal;
  /** Called with the exit code once the answer is written, before what the command opened is closed. */
  answered?: (code: number) => void;
  clock?: AdvancingClock;
  /** Name in the operator's audit trail; default: the user of the operating system. */
  actor?: string;
}
