export interface TimeoutOptions {
  /** What it is, for the error: "publishing took longer than 500 ms". */
  what?: string;
  /** Makes the error to reject with of its text; a plain Error without it. */
  error?: (text: string) => Error;
  /** Called when time is up, before the promise rejects. */
  onLate?: () => void;
}

/**
 * What the work answers, or a rejection when it takes longer than `ms` of real time; the work then goes on unheard. An answer that
 * had come while this process was busy with something else still counts: what has arrived is read once more before time is called.
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
