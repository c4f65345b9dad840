import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from '../../../smtp/relay/tls/self-signed';
import { checkRelay } from '../../../operations/doctor/check-relay';
import { certificateOf } from '../../../operations/doctor/relay-certificate';
import { readConfig } from '../../../operations/config/config';
import { DAY } from '../../../lib/clock';
import { Client } from '../../smtp/relay/protocol/relay';
import { Running, testEnv } from '../../support/running';
import { freePorts } from '../../../proof/crash/free-ports';
import { until } from '../../contract/helpers';

const YEARS = 3_650 * DAY;
let folder: string;
let running: Running | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kurir-test-'));
});
afterEach(async () => {
  await running?.stop();
  running = null;
  rmSync(folder, { recursive: true });
});

/** Files with a new certificate that ends so many ms from now, as settings of the variable's name. */
function files(name: 'KURIR_TLS' | 'KURIR_SMTP_TLS', left = YEARS): Record<string, string> & { fingerprint: string } {
  const { cert, key } = selfSigned(['relay.example'], Date.now() + left - YEARS);
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  return {
    [`${name}_CERT`]: certFile,
    [`${name}_KEY`]: keyFile,
    fingerprint: new X509Certificate(cert).fingerprint256,
  };
}

const relayOf = ({ kurir }: Running) => kurir.relay!;
const shown = async (from: Running): Promise<string> =>
  (await certificateOf('127.0.0.1', relayOf(from).smtp)).fingerprint;

async function readiness({ kurir }: Running): Promise<unknown> {
  return (await fetch(kurir.baseUrl.replace('/v1', '/readyz'))).json();
}

describe('the relay in the program', () => {
  // spec: docs/contract.md#relay-limits: the end of the process
  it('listens on both ports, and ends with 421', async () => {
    running = await Running.start();
    expect(running.demo.smtp).toMatchObject({ port: relayOf(running).smtp, tls_port: relayOf(running).smtps });
    const plain = await Client.connect(relayOf(running).smtp, false);
    expect(await plain.reply()).toBe('220 smtp.kurir.test ESMTP');
    const secured = await Client.connect(relayOf(running).smtps, true);
    expect(await secured.reply()).toBe('220 smtp.kurir.test ESMTP');
    expect(await readiness(running)).toMatchObject({ ready: true, degraded: false });
    const stopped = running.stop();
    running = null;
    expect(await plain.reply()).toMatch(/^421 4\.3\.2 /);
    expect(await secured.reply()).toMatch(/^421 4\.3\.2 /);
    await stopped;
  });

  // spec: docs/contract.md#relay-connection: one that is made and kept
  it('makes a certificate for itself once, and keeps it in the data dir', async () => {
    running = await Running.start();
    const { fingerprint } = relayOf(running);
    expect(await shown(running)).toBe(fingerprint);
    const file = join(running.dataDir, 'smtp-certificate.pem');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(new X509Certificate(readFileSync(file)).fingerprint256).toBe(fingerprint);
    await running.rest();
    running = await Running.startOn(running.installation);
    expect(relayOf(running).fingerprint).toBe(fingerprint);
  });

  // spec: docs/contract.md#relay-connection: its certificate: settings, and a renewed one
  it('takes KURIR_SMTP_TLS_CERT before KURIR_TLS_CERT, and a renewed one without a restart', async () => {
    const { fingerprint: _, ...http } = files('KURIR_TLS');
    const { fingerprint, ...own } = files('KURIR_SMTP_TLS');
    running = await Running.start({ ...http, ...own, KURIR_PUBLIC_URL: 'http://127.0.0.1:1' });
    expect(await shown(running)).toBe(fingerprint);
    expect(relayOf(running).fingerprint).toBeNull();
    const renewed = files('KURIR_SMTP_TLS').fingerprint;
    await until(async () => (await shown(running!)) === renewed, 200);
  });

  // spec: docs/contract.md#relay-connection: its certificate: settings, and a renewed one
  it('without one of its own it takes KURIR_TLS_CERT', async () => {
    const { fingerprint, ...http } = files('KURIR_TLS');
    running = await Running.start({ ...http, KURIR_PUBLIC_URL: 'http://127.0.0.1:1' });
    expect(await shown(running)).toBe(fingerprint);
  });

  // spec: docs/contract.md#relay-connection: `/readyz`
  it('a certificate that has ended is said by /readyz and by doctor', async () => {
    const { fingerprint: _, ...own } = files('KURIR_SMTP_TLS', -DAY);
    running = await Running.start(own);
    expect(await readiness(running)).toMatchObject({
      ready: true,
      degraded_by: [{ name: 'smtp certificate', reason: expect.stringContaining('expired 1d ago') as unknown }],
    });
  });

  it('files that are no pair end the start with one sentence', async () => {
    const own = files('KURIR_SMTP_TLS');
    writeFileSync(own['KURIR_SMTP_TLS_KEY']!, selfSigned(['a.example'], Date.now()).key);
    const { fingerprint: _, ...env } = own;
    await expect(Running.start(env)).rejects.toThrow(
      /^The certificate of the SMTP relay \(.*\) cannot be used: the key does not belong to the certificate$/,
    );
  });
});

describe('doctor looks at the relay', () => {
  const config = (env: Record<string, string> = {}) => readConfig({ ...testEnv(folder), ...env });
  const running = (smtp: number) => ({ pid: 1, version: '1', startedAt: 1, baseUrl: '', ports: { smtp } });
  const checkFiles = async (left: number) => {
    const { fingerprint: _, ...own } = files('KURIR_SMTP_TLS', left);
    return (await checkRelay(config(own), null)).map(({ status, detail }) => `${status}: ${detail}`);
  };

  // spec: docs/contract.md#relay-connection: `doctor`: the certificate's end
  it('at the files of its certificate while it does not run', async () => {
    expect(await checkFiles(YEARS)).toEqual([
      expect.stringMatching(/^ok: .*certificate valid until .*SHA-256 [0-9A-F:]{95}$/),
    ]);
    expect(await checkFiles(10 * DAY)).toEqual([expect.stringMatching(/^note: .*renew it, it expires in (10d|9d.*)$/)]);
    expect(await checkFiles(-DAY)).toEqual([expect.stringMatching(/^wrong: its certificate expired on 20/)]);
    expect(await checkRelay(config(), null)).toEqual([]);
    const gone = config({ KURIR_SMTP_TLS_CERT: join(folder, 'no'), KURIR_SMTP_TLS_KEY: join(folder, 'no') });
    expect(await checkRelay(gone, null)).toMatchObject([{ status: 'wrong' }]);
  });

  // spec: docs/contract.md#relay-connection: `doctor`: the port
  it('at its port while it runs', async () => {
    const [free = 0] = await freePorts(1);
    expect(await checkRelay(config(), running(free))).toMatchObject([{ check: 'smtp relay', status: 'wrong' }]);
  });
});
