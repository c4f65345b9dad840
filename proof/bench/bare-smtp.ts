import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { selfSigned } from '../../smtp/relay/tls/self-signed';

export interface BareSmtp {
  /** On 127.0.0.1, with TLS from the start. */
  port: number;
  close(): void;
}

/** The minimum of an SMTP submission server: any login, any recipient, and every mail is read and discarded. */
export async function listenBareSmtp(): Promise<BareSmtp> {
  const { cert, key } = selfSigned(['localhost'], Date.now());
  const server = new SMTPServer({
    secure: true,
    cert,
    key,
    disableReverseLookup: true,
    onAuth: ({ username }, _session, callback) => callback(null, { user: username ?? '' }),
    onData: (stream, _session, callback) => {
      stream.on('end', () => callback(null)).resume();
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return { port: (server.server.address() as AddressInfo).port, close: () => void server.close() };
}
