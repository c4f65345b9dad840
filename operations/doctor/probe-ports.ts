import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Protocol of a port. */
export type Protocol = 'http' | 'https' | 'smtp' | 'smtps';

const PATIENCE = 3_000;

/**
 * Checks that a server answers at the port in its protocol. Resolves with null, or with the reason why not. Never
 * rejects.
 */
export async function probe(protocol: Protocol, host: string, port: number): Promise<string | null> {
  if (protocol === 'http' || protocol === 'https') return probeHttp(protocol, host, port);
  return (await greet(protocol, host, port)).fault;
}

/** Any answer counts. Clients judge the certificate; here it is enough that the port answers. */
function probeHttp(protocol: 'http' | 'https', host: string, port: number): Promise<string | null> {
  const request = protocol === 'http' ? httpRequest : httpsRequest;
  return new Promise((resolve) => {
    const sent = request(
      { host, port, path: '/', timeout: PATIENCE, rejectUnauthorized: false, agent: false },
      (answer) => {
        answer.destroy();
        resolve(null);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer in 3 seconds')));
    sent.on('error', (error) => resolve(error.message));
    sent.end();
  });
}

/** Waits for the greeting of RFC 5321 section 4.2. Never rejects; `greeting` is its first line, or empty. */
export function greet(
  protocol: 'smtp' | 'smtps',
  host: string,
  port: number,
): Promise<{ fault: string | null; greeting: string }> {
  return new Promise((resolve) => {
    const socket: Socket =
      protocol === 'smtp' ? connect({ host, port }) : connectTls({ host, port, rejectUnauthorized: false });
    const end = (fault: string | null, greeting = ''): void => {
      socket.destroy();
      resolve({ fault, greeting });
    };
    socket.setTimeout(PATIENCE, () => end('no greeting in 3 seconds'));
    socket.on('error', (error) => end(error.message));
    socket.on('close', () => end('closed without a greeting'));
    socket.once('data', (chunk) => {
      const line = chunk.toString('latin1').split('\r\n')[0] ?? '';
      socket.write('QUIT\r\n');
      end(line.startsWith('220') ? null : `greets with ${line.slice(0, 100)}`, line);
    });
  });
}
