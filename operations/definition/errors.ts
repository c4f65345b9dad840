import { printable } from '../../lib/printable';
import { ValueError, type Reason } from '../../lib/reason';
import { why } from './reasons';

const labelOf = ({ values: { label } }: Reason): string | null => (typeof label === 'string' ? label : null);

/** Why an operation failed, in the operator's words: what is wrong, and how to fix it. */
export class OperationError extends Error {
  override readonly name: string = 'OperationError';
  /** Exit code: 1 failed or found something, 2 usage error. */
  readonly code: 1 | 2 = 1;

  constructor(
    readonly reason: Reason,
    /** The next thing to try; empty when the reason says it all. */
    readonly fix = '',
    /** The argument or option it is about, as the help writes it; default: the one that the reason names. */
    readonly argument: string | null = labelOf(reason),
  ) {
    super(reason.toString());
  }
}

/** What was asked for does not exist, or not for this caller. */
export class NotFoundError extends OperationError {
  override readonly name = 'NotFoundError';
}

/** The caller has not the role that it takes. */
export class ForbiddenError extends OperationError {
  override readonly name = 'ForbiddenError';
}

/** Why a file cannot be used, with the name that the operator gave it. */
export class FileFault extends ValueError {
  /** `fault` follows the name, such as `is empty`. */
  constructor(path: string, fault: Reason, options?: ErrorOptions) {
    super(why(fault.code === 'unreadable' ? 'no_file' : 'file', { name: printable(path), rule: fault }), options);
  }
}

/** The input is wrong, and nothing was done: exit code 2. */
export class UsageError extends OperationError {
  override readonly name = 'UsageError';
  override readonly code = 2;
}
