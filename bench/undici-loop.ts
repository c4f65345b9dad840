import { Client } from 'undici';

export interface UndiciLoopOptions {
  /** On 127.0.0.1. */
  ports: readonly number[];
  /** To each port. */
  connections: number;
  /** Posts in all. */
  requests: number;
  body: string;
}

/** Posts the same body again and again over as many connections, one request at a time each. */
export async function postByUndici({ ports, connections, requests, body }: UndiciLoopOptions): Promise<void> {
  const clients = ports.flatMap((port) =>
    Array.from({ length: connections }, () => new Client(`http://127.0.0.1:${port}`)),
  );
  let left = requests;
  const post = async (client: Client): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const headers = { 'content-type': 'application/json' };
      const answer = await client.request({ method: 'POST', path: '/', headers, body });
      await answer.body.dump();
    }
  };
  await Promise.all(clients.map(post));
  await Promise.all(clients.map((client) => client.destroy()));
}
