import type { LibrdKafkaError } from 'node-rdkafka';
import { withTimeout } from '../../../../lib/with-timeout';

const LIMIT = 5_000;
/** Clients that did not let go in time. The library frees what is still in use when one of them is collected. */
const abandoned = new Set<object>();

/** Either class of client; their `disconnect` never calls back when a hand-over hangs. */
interface Disconnectable {
  isConnected(): boolean;
  disconnect(callback: (error: LibrdKafkaError | null) => void): unknown;
}

/** Ends a client within a few seconds, whatever hangs. Never rejects. */
export async function disconnect(client: Disconnectable): Promise<void> {
  if (!client.isConnected()) return;
  try {
    const done = new Promise<void>((resolve) => client.disconnect(() => resolve()));
    await withTimeout(done, LIMIT, { what: 'disconnecting' });
  } catch {
    abandoned.add(client);
  }
}
