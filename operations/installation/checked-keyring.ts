import { Keyring } from '../../domain/keyring';
import { StartError } from '../../lib/start-error';
import type { Stores } from '../../stores/ports';

/** The keyring, checked against the data: another secret could not read its keys and would produce invalid links. */
export async function checkedKeyring(secret: string, stores: Pick<Stores, 'settings'>): Promise<Keyring> {
  const keyring = new Keyring(secret);
  const check = keyring.hashCredential('secret check');
  if ((await stores.settings.setOnce('secret_check', check)) !== check) {
    throw new StartError(
      'The master secret (KURIR_SECRET, or the file secret in the data directory) does not match this data. Use the secret that the data was created with.',
    );
  }
  return keyring;
}
