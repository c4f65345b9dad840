import type { CertificatePair } from '../../../lib/certificate';
import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';

const OLDEST = 'TLSv1.2';

/** Puts TLS on sockets that are connected already, with the newest certificate. */
export class TlsUpgrader {
  /** Never listens: sockets are handed to it. */
  private readonly server: Server;
  /** By the addresses of both ends, which no two open connections share. */
  private readonly waiting = new Map<string, (socket: TLSSocket) => void>();

  /** `handshakeTimeout` in ms. */
  constructor(pair: CertificatePair, handshakeTimeout: number) {
    this.server = createServer({ ...pair, minVersion: OLDEST, handshakeTimeout });
    this.server.on('secureConnection', (socket) => this.waiting.get(endsOf(socket))?.(socket));
    // The socket is closed after it, which settles the upgrade.
    this.server.on('tlsClientError', (_error, socket) => socket.destroy());
  }

  /** From now on; open connections keep what they have. */
  use(pair: CertificatePair): void {
    this.server.setSecureContext({ ...pair, minVersion: OLDEST });
  }

  /** Resolves after the handshake; with null when the socket is closed first. Never rejects. */
  upgrade(socket: Socket): Promise<TLSSocket | null> {
    const ends = endsOf(socket);
    return new Promise((resolve) => {
      const settle = (secured: TLSSocket | null): void => {
        this.waiting.delete(ends);
        socket.off('close', onClose);
        resolve(secured);
      };
      const onClose = (): void => settle(null);
      socket.once('close', onClose);
      if (socket.destroyed) return settle(null);
      this.waiting.set(ends, (secured) => {
        secured.disableRenegotiation();
        settle(secured);
      });
      this.server.emit('connection', socket);
    });
  }
}

const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
