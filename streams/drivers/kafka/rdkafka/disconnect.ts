import type { LibrdKafkaError } from 'node-rdkafka';
import { withTimeout } from '../../../../lib/with-timeout';

const LIMIT = 5_000;
/**
 * Clients that did not disconnect in time. If one were garbage collected, the library would free what is still in use.
 */
const abandoned = new Set<object>();

/** Either class of client. Their `disconnect` never calls back when a handover hangs. */
interface Disconnectable {
  isConnected(): boolean;
  disconnect(callback: (error: LibrdKafkaError | null) => void): unknown;
}

/** Disconnects a client within a few seconds, even when something hangs. Never rejects. */
export async function disconnect(client: Disconnectable): Promise<void> {
  if (!client.isConnected()) return;
  try {
    const done = new Promise<void>((resolve) => client.disconnect(() => resolve()));
    await withTimeout(done, LIMIT, { what: 'disconnecting' });
  } catch {
    abandoned.add(client);
  }
}
