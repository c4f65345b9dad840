import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { checkPair } from '../../../../lib/certificate';
import { CertificateWatcher } from '../../../../smtp/relay/tls/certificate-files';
import { readOrMakeOwnCertificate } from '../../../../smtp/relay/tls/own-certificate';
import { selfSigned } from '../../../../smtp/relay/tls/self-signed';
import { DAY } from '../../../../lib/clock';
import { silentLogger } from '../../../../lib/logger';
import { sleep } from '../../../../lib/sleep';
import { until } from '../../../contract/helpers';

const NOW = Date.now();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kurir-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a self-made certificate', () => {
  it('is one by RFC 5280: its names, ten years, signed with its own key', () => {
    const { cert, key } = selfSigned(['relay.example', '127.0.0.1', '2001:db8::1', '::1'], NOW);
    const certificate = new X509Certificate(cert);
    expect(certificate.subject).toBe('CN=relay.example');
    expect(certificate.subjectAltName).toBe(
      'DNS:relay.example, IP Address:127.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1, IP Address:0:0:0:0:0:0:0:1',
    );
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(checkPair({ cert, key }).validTo).toBe(Math.floor((NOW + 3_650 * DAY) / 1_000) * 1_000);
    expect(Date.parse(certificate.validFrom)).toBeLessThan(NOW);
  });

  it('holds times before and after 2050', () => {
    const { cert } = selfSigned(['a.example'], Date.parse('2045-01-02T03:04:05Z'));
    expect(Date.parse(new X509Certificate(cert).validTo)).toBe(Date.parse('2045-01-02T03:04:05Z') + 3_650 * DAY);
  });

  it('is taken by a client that trusts it and checks its name', async () => {
    const pair = selfSigned(['relay.example', 'localhost'], NOW);
    const server = createServer(pair, (socket) => void socket.on('error', () => undefined).end()).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: pair.cert });
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    expect(socket.authorized).toBe(true);
    socket.destroy();
    server.close();
  });

  it('is kept with its key, for this user only, and made again once it has ended', () => {
    const file = join(folder, 'below', 'certificate.pem');
    const make = (now: number) => readOrMakeOwnCertificate(file, ['a.example'], now);
    const made = make(NOW);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(make(NOW)).toEqual(made);
    const later = make(NOW + 4_000 * DAY);
    expect(later.cert).not.toBe(made.cert);
    expect(make(NOW + 4_000 * DAY)).toEqual(later);
  });

  it('a file with something else is left alone', () => {
    const file = join(folder, 'certificate.pem');
    writeFileSync(file, 'something else');
    expect(() => readOrMakeOwnCertificate(file, ['a.example'], NOW)).toThrow(
      'does not contain a certificate with its key',
    );
    expect(readFileSync(file, 'utf8')).toBe('something else');
  });
});

describe('certificate files', () => {
  const files = () => ({ certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') });
  const write = ({ cert, key }: { cert: string; key: string }): void => {
    writeFileSync(files().certFile, cert);
    writeFileSync(files().keyFile, key);
  };
  const start = async () => {
    const changes: string[] = [];
    const warnings: object[] = [];
    const watcher = new CertificateWatcher({
      files: files(),
      onChange: ({ cert }) => changes.push(cert),
      logger: { ...silentLogger, warn: (facts) => void warnings.push(facts) },
      every: 10,
    });
    return { changes, warnings, watcher, pair: await watcher.start() };
  };

  it('a new pair is taken up, half of one is not: the last one stays, and the log says so once', async () => {
    const [first, second] = [selfSigned(['a.example'], NOW), selfSigned(['b.example'], NOW)];
    write(first);
    const { changes, warnings, watcher, pair } = await start();
    expect(pair).toEqual(first);
    writeFileSync(files().certFile, second.cert);
    await until(() => warnings.length !== 0, 10);
    await sleep(100);
    expect({ changes, warnings: warnings.length }).toEqual({ changes: [], warnings: 1 });
    writeFileSync(`${files().keyFile}.new`, second.key);
    renameSync(`${files().keyFile}.new`, files().keyFile);
    await until(() => changes.length !== 0, 10);
    expect(changes).toEqual([second.cert]);
    await watcher.stop();
  });

  it('a pair that is missing for a moment changes nothing', async () => {
    const pair = selfSigned(['a.example'], NOW);
    write(pair);
    const { changes, warnings, watcher } = await start();
    rmSync(files().keyFile);
    await until(() => warnings.length !== 0, 10);
    write(pair);
    await until(() => changes.length !== 0, 10);
    await watcher.stop();
  });

  it('a key of another certificate is refused at the start', async () => {
    write({ ...selfSigned(['a.example'], NOW), key: selfSigned(['a.example'], NOW).key });
    await expect(start()).rejects.toThrow('the key does not belong to the certificate');
  });
});
