/**
 * Waits `ms` of real time, or until the signal aborts. Never rejects. With `ref` false the wait does not keep the
 * process running.
 */
export function sleep(ms: number, signal?: AbortSignal, ref = true): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    if (!ref) timer.unref();
    signal?.addEventListener('abort', finish, { once: true });
  });
}
