import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { FirstRun } from '../../operations/installation/first-run';
import type { Installation } from '../../proof/crash/installation';
import { describeOnEngines } from '../support/engines';
import { Caller, temporaryDir } from '../support/running';
import { kurir as kurirOn, readDemo, Service } from '../support/service';

describeOnEngines('kurir beside the running service', (install) => {
  let installation: Installation;
  let service: Service;
  let demo: FirstRun;
  let api: Caller;
  beforeAll(async () => {
    installation = install();
    service = await Service.start(installation, {});
    demo = await readDemo(service, installation);
    api = new Caller(demo.base_url, demo.api_key);
  });
  afterAll(async () => {
    await service.kill();
    await installation.remove();
  });

  const kurir = (args: string[], env: Record<string, string> = {}): Promise<{ stdout: string }> =>
    kurirOn(installation, args, env);

  describe('kurir switch', () => {
    // spec: docs/contract.md#error-statuses: 503: REST API switched off by the operator
    it('api off: every endpoint answers 503 at once, until it is on again', async () => {
      expect((await kurir(['switch', 'api', 'off'])).stdout).toBe('api is off\n');
      expect((await api.get('/account')).status).toBe(503);
      await kurir(['switch', 'api', 'on']);
      expect((await api.get('/account')).status).toBe(200);
    });

    // spec: docs/contract.md#authentication-failures: 403: email module closed temporarily by the operator
    it('module off: 403 `Modul Email Marketing sedang tidak tersedia.`', async () => {
      await kurir(['switch', 'module', 'off']);
      const { status, body } = await api.get('/domains');
      expect({ status, message: body.message }).toEqual({
        status: 403,
        message: 'Modul Email Marketing sedang tidak tersedia.',
      });
      await kurir(['switch', 'module', 'on']);
      expect((await api.get('/domains')).status).toBe(200);
    });

    it('names a wrong argument, exit code 2', async () => {
      await expect(kurir(['switch', 'mail', 'on'])).rejects.toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('<what> must be one of api, module') as unknown,
      });
    });
  });

  describe('kurir, many at once', () => {
    it('20 processes book coins while mail is accepted: every one, once, and no request is lost', async () => {
      const before = JSON.parse((await kurir(['coins', 'balance', 'Demo', '--json'])).stdout) as { balance: number };
      const done = new AbortController();
      const accepted: string[] = [];
      const mail = (async () => {
        while (!done.signal.aborted)
          accepted.push(await api.send(`norecord+${accepted.length}@example.test`, demo.sending_domain_id));
      })();
      const grants = Array.from({ length: 20 }, async (_, n) => {
        const reference = `at-once-${n}`;
        const { stdout } = await kurir(['coins', 'grant', 'Demo', String(n + 1), '--reference', reference, '--json']);
        return (JSON.parse(stdout) as { booked: boolean }).booked;
      });
      const outcomes = await Promise.allSettled(grants);
      done.abort();
      await mail;
      expect(outcomes).toEqual(Array(20).fill({ status: 'fulfilled', value: true }));
      expect(accepted.length).toBeGreaterThan(0);
      const { data } = JSON.parse((await kurir(['coins', 'ledger', 'Demo', '--limit', '1000', '--json'])).stdout) as {
        data: { id: string; coins: number; kind: string }[];
      };
      const booked = data.filter(({ kind }) => kind === 'grant').map(({ coins }) => coins);
      expect(booked.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
      const statuses = await Promise.all(accepted.map(async (id) => (await api.get(`/messages/${id}`)).status));
      expect(statuses).toEqual(accepted.map(() => 200));
      expect(before.balance).toBeGreaterThan(0);
    });

    it('demo answers the same again and again - as first-run.json, where there is one - also when the service is down', async () => {
      const ports = {
        KURIR_HTTP_PORT: new URL(demo.base_url).port,
        KURIR_SMTP_PORT: String(demo.smtp.port),
        KURIR_SMTPS_PORT: String(demo.smtp.tls_port),
      };
      const again = async (): Promise<unknown> => JSON.parse((await kurir(['demo', '--json'], ports)).stdout);
      expect(await again()).toEqual(demo);
      await service.kill();
      expect(await again()).toEqual(demo);
    });
  });
});

describe('kurir where there is no data', () => {
  it('names the data dir, exit code 1', async () => {
    await expect(kurirOn(join(temporaryDir(), 'nowhere'), ['switch', 'api', 'on'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('KURIR_DATA_DIR') as unknown,
    });
  });
});
