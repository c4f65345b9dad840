export interface TimeoutOptions {
  /** What the work is, for the error text: "publishing took longer than 500 ms". */
  what?: string;
  /** Creates the error to reject with from its text; default: a plain Error. */
  error?: (text: string) => Error;
  /** Called on timeout, before the promise rejects. */
  onLate?: () => void;
}

/**
 * Settles with the work, or rejects when it takes longer than `ms` of real time; the work then continues and its result
 * is ignored. An answer that arrived while this process was busy still counts: pending input is read once more before
 * the timeout applies.
 */
export function withTimeout<T>(work: Promise<T>, ms: number, options: TimeoutOptions = {}): Promise<T> {
  const { what, error, onLate } = options;
  return new Promise((resolve, reject) => {
    let lastLook: NodeJS.Immediate | undefined;
    const expire = (): void => {
      onLate?.();
      const text = what === undefined ? `no answer within ${ms} ms` : `${what} took longer than ${ms} ms`;
      reject(error?.(text) ?? new Error(text));
    };
    const timer = setTimeout(() => (lastLook = setImmediate(expire)), ms);
    const end = (): void => {
      clearTimeout(timer);
      if (lastLook) clearImmediate(lastLook);
    };
    work.then(
      (value) => {
        end();
        resolve(value);
      },
      (reason: Error) => {
        end();
        reject(reason);
      },
    );
  });
}
