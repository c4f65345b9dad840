import { AsyncLocalStorage } from 'node:async_hooks';

type Run = (this: AsyncLocalStorage<unknown>, ...args: Parameters<AsyncLocalStorage<unknown>['run']>) => unknown;

const used = new Set<AsyncLocalStorage<unknown>>();
const storage = AsyncLocalStorage.prototype as unknown as { run: Run };
const { run } = storage;
storage.run = function (...args) {
  used.add(this);
  return run.apply(this, args);
};

/**
 * Disables the storages used since the last call. jest-circus makes one for each file and leaves it on; Node hands
 * every one of them to every promise, which after some hundred files takes a quarter of the processor time.
 */
export function disableStorages(): void {
  for (const one of used) one.disable();
  used.clear();
}
