import { connect } from 'node:net';
import { PATIENCE } from './limits';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The server closed the connection. */
  closed: boolean;
}

/** After the first byte of an answer, ms. */
const QUIET = 300;

/**
 * Writes raw bytes to a local port and reads until the server closes or sends nothing any more; with `quietMs`, also
 * until it has sent nothing at all for so long. For requests that an HTTP client would not send. A reset after the
 * answer still counts as closed.
 */
export function rawRequest(
  port: number,
  parts: (string | Buffer)[],
  { quietMs, hangUp = false }: { quietMs?: number; hangUp?: boolean } = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const finish = (closed: boolean): void => {
      socket.destroy();
      resolve({ ...parse(Buffer.concat(chunks).toString('utf8')), closed });
    };
    socket.setTimeout(quietMs ?? PATIENCE, () => finish(false));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      socket.setTimeout(quietMs ?? QUIET);
    });
    socket.on('error', () => {});
    socket.on('close', () => finish(true));
    for (const part of parts) socket.write(part);
    if (hangUp) socket.end();
  });
}

function parse(text: string): Omit<RawAnswer, 'closed'> {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n') };
}
