import { HttpConnection } from './http-connection';
import type { Envelope } from './smtp-sink';

export interface ReportLoadOptions {
  /** Port of the service, on 127.0.0.1. */
  port: number;
  /** KURIR_HOOK_SECRET. */
  secret: string;
  envelopes: readonly Envelope[];
  connections: number;
}

/**
 * Reports each of these mails as delivered at `POST /hooks/mta`, one record a request, as KumoMTA does. Returns how
 * many were answered with 200.
 */
export async function reportAll({ port, secret, envelopes, connections }: ReportLoadOptions): Promise<number> {
  let next = 0;
  let taken = 0;
  const post = async (connection: HttpConnection | null): Promise<void> => {
    while (connection?.alive && next < envelopes.length) {
      const request = reportRequest(port, secret, envelopes[next++]!);
      if ((await connection.send(request)) === 200) taken += 1;
    }
    connection?.close();
  };
  const open = Array.from({ length: connections }, () => HttpConnection.open(port));
  await Promise.all((await Promise.all(open)).map(post));
  return taken;
}

function reportRequest(port: number, secret: string, { sender, recipient }: Envelope): string {
  const response = { code: 250, enhanced_code: { class: 2, subject: 0, detail: 0 }, content: 'taken' };
  const body = JSON.stringify({ type: 'Delivery', id: 'bench', sender, recipient, response });
  return (
    `POST /hooks/mta HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${secret}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}
