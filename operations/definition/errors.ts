import { printable } from '../../lib/printable';

/** Why an operation failed, in the operator's words: what is wrong, and how to fix it. */
export class OperationError extends Error {
  override readonly name: string = 'OperationError';
  /** Exit code: 1 failed or found something, 2 usage error. */
  readonly code: 1 | 2 = 1;

  constructor(
    message: string,
    /** The next thing to try; empty when the message says it all. */
    readonly fix: string,
    /** The argument or option it is about, as the help writes it. */
    readonly argument: string | null = null,
  ) {
    super(message);
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

/** Why a file cannot be used: a sentence with the name that the operator gave it. */
export class FileFault extends RangeError {
  override readonly name = 'FileFault';

  /** `fault` follows the name, such as `is empty`. */
  constructor(path: string, fault: string, options?: ErrorOptions) {
    super(`${printable(path)} ${fault}`, options);
  }
}

/** The input is wrong, and nothing was done: exit code 2. */
export class UsageError extends OperationError {
  override readonly name = 'UsageError';
  override readonly code = 2;
}
