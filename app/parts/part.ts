/** One part of the program that starts and stops. */
export interface Part {
  name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** For time travel. False while there is something to do now that no task is at yet; then the part sets about it. */
  isIdle?(): Promise<boolean>;
  /** For time travel: when something stored falls due that the part does not wait for on the clock, ms; null for nothing. */
  nextDue?(): Promise<number | null>;
  /** After time travel: brings up to the new time what is kept up by real time, such as leases. */
  onClockAdvanced?(): Promise<void>;
}

/**
 * Starts parts in order; a failing one stops those before it, in reverse, and its error is thrown. Each is asked for when those
 * before it have started, so it may be made of what they opened.
 */
export async function startAll(parts: Iterable<Part>): Promise<{ stop(): Promise<void> }> {
  const started: Part[] = [];
  const stop = async (): Promise<void> => {
    const errors: unknown[] = [];
    for (let part = started.pop(); part; part = started.pop()) {
      try {
        await part.stop();
      } catch (error) {
        errors.push(new Error(`${part.name} did not stop cleanly`, { cause: error }));
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Not every part stopped cleanly.');
  };
  try {
    for (const part of parts) {
      await part.start();
      started.push(part);
    }
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return { stop };
}
