import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { certificateFacts, type CertificateFacts } from '../../lib/certificate';

const PATIENCE = 3_000;

/**
 * Asks the relay at a port for its certificate as a client would: EHLO, STARTTLS, handshake. Rejects with an Error that
 * says which step failed. Clients judge the certificate; here it is only read.
 */
export async function certificateOf(host: string, port: number): Promise<CertificateFacts> {
  const socket = connect({ host, port });
  socket.setTimeout(PATIENCE, () => socket.destroy(new Error('no answer in 3 seconds')));
  try {
    await expectReply(socket, '220');
    socket.write('EHLO doctor.kurir.test\r\n');
    if (!/^250[- ]STARTTLS\r$/im.test(await expectReply(socket, '250'))) throw new Error('STARTTLS is not offered');
    socket.write('STARTTLS\r\n');
    await expectReply(socket, '220');
    return await handshake(socket);
  } finally {
    socket.destroy();
  }
}

/** Reads one reply, which may have several lines. */
function expectReply(socket: Socket, code: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const settle = (error: Error | null): void => {
      socket.off('data', onData).off('error', settle).off('close', onClose);
      if (error) reject(error);
      else resolve(text);
    };
    const onClose = (): void => settle(new Error('the connection was closed'));
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      const last = /^\d{3}(?: .*)?\r\n$/m.exec(text)?.[0];
      if (last === undefined) return;
      settle(last.startsWith(code) ? null : new Error(`unexpected answer: ${last.trim().slice(0, 100)}`));
    };
    socket.on('data', onData).on('error', settle).on('close', onClose);
  });
}

function handshake(socket: Socket): Promise<CertificateFacts> {
  return new Promise((resolve, reject) => {
    const secured = connectTls({ socket, rejectUnauthorized: false });
    secured.once('error', reject);
    secured.once('close', () => reject(new Error('the TLS handshake failed')));
    secured.once('secureConnect', () => {
      const certificate = secured.getPeerX509Certificate();
      if (certificate) resolve(certificateFacts(certificate.toString()));
      else reject(new Error('no certificate was presented'));
      secured.end('QUIT\r\n');
    });
  });
}
