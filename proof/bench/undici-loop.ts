import { randomUUID } from 'node:crypto';
import { Client } from 'undici';
import { signedHeaders } from '../../operations/webhooks/client/sign';

export interface UndiciLoopOptions {
  /** On 127.0.0.1. */
  ports: readonly number[];
  /** To each port. */
  connections: number;
  /** Posts in all. */
  requests: number;
  body: string;
  /** Signs every request with this, under an id of its own; null: signs none. */
  secret: string | null;
}

/** Posts the same body again and again over as many connections, one request at a time each. It stores nothing. */
export async function postByUndici({ ports, connections, requests, body, secret }: UndiciLoopOptions): Promise<void> {
  const clients = ports.flatMap((port) =>
    Array.from({ length: connections }, () => new Client(`http://127.0.0.1:${port}`)),
  );
  const bytes = Buffer.from(body);
  const headersOf = (): Record<string, string> =>
    secret === null
      ? { 'content-type': 'application/json' }
      : signedHeaders({ secret, id: `whd_${randomUUID()}`, at: Date.now(), body: bytes });
  let left = requests;
  const post = async (client: Client): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const answer = await client.request({ method: 'POST', path: '/', headers: headersOf(), body: bytes });
      await answer.body.dump();
    }
  };
  await Promise.all(clients.map(post));
  await Promise.all(clients.map((client) => client.destroy()));
}
