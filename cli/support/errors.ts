/** A reason why a command could not do what it was asked, in the operator's words: what is wrong, and how to mend it. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  /** Exit code: 1 failed or found something, 2 the command was written wrongly. */
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

/** The command was written wrongly: exit code 2. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
  override readonly code = 2;
}
