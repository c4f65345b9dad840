import { describe, expect, it } from '@jest/globals';
import { SETTING_NAMES } from '../../stores/ports/settings-store';
import { onEveryDriver } from './drivers';
import { freshEngine, type OpenEngine } from './harness';
import { atOnce } from './helpers';

/** The SettingsStore behaviour required of every driver. */
function describeSettingsStore(open: OpenEngine): void {
  describe('SettingsStore', () => {
    const subject = freshEngine(open);

    it.each(SETTING_NAMES)('has no value of %s before one is set', async (name) => {
      expect((await subject.stores.settings.get(name)) ?? null).toBeNull();
    });

    const values = [{ api: false, module: true }, [1, 'dua', null], 'pesan 🌼 "x"', 0, 12_000, false, true, ''];
    it.each(values.map((value) => [JSON.stringify(value), value]))('answers %s as it was set', async (_, value) => {
      await subject.stores.settings.set('switches', value);
      expect(await subject.stores.settings.get('switches')).toEqual(value);
    });

    it('replaces the value of that name only', async () => {
      const { settings } = subject.stores;
      await settings.set('warmup_cap', 500);
      await settings.set('first_run', true);
      await settings.set('warmup_cap', 800);
      expect(await settings.get('warmup_cap')).toBe(800);
      expect(await settings.get('first_run')).toBe(true);
    });

    it('takes a cap away with null', async () => {
      await subject.stores.settings.set('warmup_cap', 500);
      await subject.stores.settings.set('warmup_cap', null);
      expect(await subject.stores.settings.get('warmup_cap')).toBeNull();
    });

    it('replaces what still stands, and nothing else', async () => {
      const { settings } = subject.stores;
      expect(await settings.replace('switches', undefined, { api: false })).toBe(true);
      expect(await settings.replace('switches', undefined, { api: true })).toBe(false);
      expect(await settings.replace('switches', { api: true }, { module: true })).toBe(false);
      expect(await settings.replace('switches', { api: false }, { api: false, module: false })).toBe(true);
      expect(await settings.get('switches')).toEqual({ api: false, module: false });
    });

    it('replaces a value for one of 20 callers at once', async () => {
      await subject.stores.settings.set('warmup_cap', 1);
      const answers = await atOnce(20, (index) => subject.stores.settings.replace('warmup_cap', 1, index + 2));
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await subject.stores.settings.get('warmup_cap')).toBe(answers.indexOf(true) + 2);
    });

    it('sets once: the first value stands', async () => {
      const { settings } = subject.stores;
      expect(await settings.setOnce('secret_check', 'first')).toBe('first');
      expect(await settings.setOnce('secret_check', 'second')).toBe('first');
      expect(await settings.get('secret_check')).toBe('first');
    });

    it('sets once: of 50 callers at once all are answered the one value that stands', async () => {
      const answers = await atOnce(50, (index) => subject.stores.settings.setOnce('secret_check', `secret ${index}`));
      const stored = await subject.stores.settings.get('secret_check');
      expect(stored).toMatch(/^secret \d+$/);
      expect(answers).toEqual(Array(50).fill(stored));
    });

    it('keeps what it acknowledged through a crash', async () => {
      await subject.stores.settings.set('switches', { api: true, module: false });
      await subject.stores.settings.setOnce('secret_check', 'the one');
      await subject.crash();
      expect(await subject.stores.settings.get('switches')).toEqual({ api: true, module: false });
      expect(await subject.stores.settings.setOnce('secret_check', 'another')).toBe('the one');
    });
  });
}

onEveryDriver(describeSettingsStore);
