import { expect, test } from '@jest/globals';
import { addLease, readLeases } from '../../../consumers/postfix-log/log-progress';
import type { SettingsStore } from '../../../stores/ports/settings-store';

/** Settings in memory, of one name. */
function settingsWith(first: unknown): SettingsStore & { value: unknown } {
  const store = {
    value: first,
    get: async () => store.value,
    replace: async (_name: string, _old: unknown, next: unknown) => {
      store.value = next;
      return true;
    },
  };
  return store as unknown as SettingsStore & { value: unknown };
}

test('the processes of the newest thousand logs are remembered: each new container is another', async () => {
  const places = Array.from({ length: 1_000 }, (_, n) => [`place-${n}`, ['old']]);
  const settings = settingsWith(Object.fromEntries(places));
  await addLease(settings, 'place-0', 'new');
  await addLease(settings, 'another', 'one');
  expect(Object.keys(settings.value as object)).toHaveLength(1_000);
  expect([...(await readLeases(settings, 'place-0'))]).toEqual(['old', 'new']);
  expect([...(await readLeases(settings, 'place-1'))]).toEqual([]);
  expect([...(await readLeases(settings, 'another'))]).toEqual(['one']);
});
