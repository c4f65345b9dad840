/** One part of the program that starts and stops. */
export interface Part {
  name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** For time travel. False while there is work to do now that no task has started; the part then starts it. */
  isIdle?(): Promise<boolean>;
  /** For time travel: when stored work falls due that the part does not wait for on the clock, ms; null for none. */
  nextDue?(): Promise<number | null>;
  /** For time travel: updates what depends on real time, such as leases, after the clock was moved. */
  onClockAdvanced?(): Promise<void>;
}

/**
 * Starts parts in order. If one fails, those before it are stopped in reverse and the error is thrown. The iterable
 * creates each part only after those before it have started, so a part may use what they opened. `onStarted` hears of
 * each part by its name.
 */
export async function startAll(
  parts: Iterable<Part>,
  onStarted: (name: string) => void = () => undefined,
): Promise<{ stop(): Promise<void> }> {
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
      onStarted(part.name);
    }
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return { stop };
}
