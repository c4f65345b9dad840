import { randomUUID } from 'node:crypto';
import type { SettingsStore } from '../../stores/ports/settings-store';

/**
 * The id of the installation that this data belongs to: a UUID, made at the first start and never changed. What lies
 * outside the store (the sandbox's file, topics, consumer groups) carries it too, so that the data of two
 * installations is never mixed. Rejects with the errors of the store.
 */
export async function installationId(settings: Pick<SettingsStore, 'setOnce'>): Promise<string> {
  return (await settings.setOnce('installation_id', randomUUID())) as string;
}
