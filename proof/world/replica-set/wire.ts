/** The session that a call belongs to. */
interface Calling {
  inTransaction(): boolean;
}

/** What is between a client and the primary. */
export interface Wire {
  /**
   * Runs a call at the primary and brings its answer back. It may take its time, or reject with the errors of the
   * driver, before or after the primary did it.
   */
  call<T>(name: string, run: () => T, session?: Calling): Promise<T>;
}

/** Nothing happens on the way. */
export const SAFE_WIRE: Wire = {
  call: async (_name, run) => {
    await Promise.resolve();
    return run();
  },
};
