import type { EngineHost, OpenedEngine } from '../engines/engine-host';
import type { StartContext } from './start-context';
import type { Part } from '../core/part';

/** Stores and log. A failed start closes what it had opened. */
export function enginePart(starting: StartContext): Part {
  const { host, signal } = starting;
  return {
    name: 'engine',
    start: async () => {
      starting.provide(await openOrClose(host, signal));
      watchEngine(starting);
    },
    stop: () => host.close(),
  };
}

async function openOrClose(host: EngineHost, signal: AbortSignal): Promise<OpenedEngine> {
  try {
    return await host.open(signal);
  } catch (error) {
    await host.close();
    throw error;
  }
}

/** Makes `/readyz` check the store and the log. */
function watchEngine({ services, config }: StartContext): void {
  const { stores, log } = services.engine;
  const { health } = services;
  health.watch('store', () => stores.settings.get('switches').then(() => null));
  health.watch('work', async () => health.failing.store.fault());
  // The API, the relay and the pages work without the log: what they accept waits in the store.
  const takesMail = (['api', 'smtp', 'public'] as const).some((role) => config.roles.includes(role));
  const weight = takesMail ? 'missed' : 'needed';
  health.watch('log', () => log.lag('coins').then(() => null), weight);
  health.watch('publishing', async () => health.failing.log.fault(), weight);
}
