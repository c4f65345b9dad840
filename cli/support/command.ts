import type { Host } from './host';
import {
  declare,
  type Declared,
  type None,
  type Params,
  type Piece,
  type Session,
  type Spec,
} from '../../operations/definition';

/** The terminal of a running command. */
export interface Terminal extends Pick<Session, 'view' | 'access' | 'stdin' | 'progress'> {
  host: Host;
  /** The answer is written as JSON. */
  isJson: boolean;
  /** As in Session. */
  listing: (name: string) => (item: Piece) => void;
}

/** A command of the command line: an operation, or one that works with the terminal, on the data or without it. */
export type CliCommand =
  | (Declared<Session & Terminal> & { bare?: false })
  | (Declared<Terminal> & {
      /** It gets only the terminal and opens what it needs itself: read-only, or not while it waits. */
      bare: true;
    });

/** A command as the help of the program shows it; the rest of it is loaded when it runs. */
export interface CommandEntry {
  name: string;
  summary: string;
  /** Its former name, which still works. */
  formerly?: string;
  /** The commands of the group, or the one that is alone and has its name. */
  load: () => Promise<readonly CliCommand[]>;
}

/** A command that works on the operator's view of the data, and with the terminal. */
export const terminalCommand = <R extends object, A extends Params = None, O extends Params = None>(
  name: string,
  spec: Spec<A, O, R, Session & Terminal>,
): CliCommand => declare(name, spec);

/** A command that gets only the terminal. */
export const bareCommand = <R extends object, A extends Params = None, O extends Params = None>(
  name: string,
  spec: Spec<A, O, R, Terminal>,
): CliCommand => ({ ...declare(name, spec), bare: true });
