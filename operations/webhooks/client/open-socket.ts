import { isIP, connect as connectTcp, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls } from 'node:tls';

export interface SocketTarget {
  /** An IP address: nothing is looked up here. */
  address: string;
  port: number;
  /** The name or address that the certificate must be for; null: no TLS. */
  certified: string | null;
  /** Certificate authorities (PEM) to trust instead of the system's. */
  ca?: string;
}

/** A socket on its way. Destroying it rejects `ready`. */
export interface OpeningSocket {
  socket: Socket;
  ready: Promise<void>;
}

/** Connects to an address, with TLS where it is asked for; the certificate is always verified. */
export function openSocket(target: SocketTarget): OpeningSocket {
  if (isIP(target.address) === 0) throw new Error(`${target.address} is not an IP address`);
  const { socket, event } = target.certified === null ? plain(target) : secure(target, target.certified);
  socket.setNoDelay(true);
  const ready = new Promise<void>((resolve, reject) => {
    socket.once(event, () => resolve());
    // It stays: an error between two owners of the socket must not be unhandled.
    socket.on('error', reject);
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
  return { socket, ready };
}

function plain({ address, port }: SocketTarget): { socket: Socket; event: string } {
  return { socket: connectTcp({ host: address, port }), event: 'connect' };
}

function secure({ address, port, ca }: SocketTarget, certified: string): { socket: Socket; event: string } {
  const socket = connectTls({
    host: address,
    port,
    servername: isIP(certified) === 0 ? certified : '',
    checkServerIdentity: (_name, certificate) => checkServerIdentity(certified, certificate),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  });
  return { socket, event: 'secureConnect' };
}
