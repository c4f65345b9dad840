import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from '../../proof/crash/installation';
import type { FirstRun } from '../../operations/installation/first-run';
import { auditOf } from '../support/auditing';
import { describeOnEngines } from '../support/engines';
import { limitFor } from '../support/limits';
import { Caller } from '../support/running';
import { kurir, readDemo, Service } from '../support/service';
import { Turnstile } from '../support/turnstile';

const MAILS = 40;
/** Both the wait for evidence and, since it is shorter than a quarter of an hour, that before mail is sent again. */
const WAIT = '8s';

describeOnEngines('a process that is killed during hand-offs', (install) => {
  let server: Turnstile;
  let installation: Installation;
  let service: Service;
  let demo: FirstRun;
  beforeAll(async () => {
    server = await Turnstile.start(10);
    const installed = install();
    const env = { KURIR_MTA_URL: server.url, KURIR_DEMO: 'true', KURIR_EVIDENCE_WAIT: WAIT };
    installation = { ...installed, env: { ...installed.env, ...env } };
    service = await Service.start(installation, {});
    demo = await readDemo(service, installation);
  });
  afterAll(async () => {
    await server.stop();
    await service.terminate();
    await installation.remove();
  });

  /** Sends mails, kills the process while the server has some and answers none, and starts it again. */
  async function killDuring(name: string): Promise<{ ids: Map<string, string>; unsure: Set<string> }> {
    const api = new Caller(service.baseUrl, demo.api_key);
    server.hold();
    const from = server.arrived.length;
    const ids = new Map<string, string>();
    for (let n = 0; n < MAILS; n += 1) {
      const to = `${name}${n}@x.test`;
      ids.set(to, await api.send(to, demo.sending_domain_id));
    }
    await server.until('mails without an answer', (arrived) => arrived.length - from >= 20);
    await pause(200);
    await service.kill();
    const unsure = new Set(server.arrived.slice(from));
    server.open();
    service = await Service.start(installation, {});
    return { ids, unsure };
  }

  const attemptsOf = async (ids: Iterable<string>) => {
    const engine = await installation.open();
    try {
      const { messages, coins } = engine.stores;
      const facts = async (id: string) => {
        const { workspaceId } = (await messages.get(id))!;
        const rows = await coins.ofMessage(workspaceId, id);
        const outcomes = (await messages.attempts(id)).map(({ outcome }) => outcome);
        return { outcomes, rows: rows.map((row) => row.id.replace(`:${id}`, '')) };
      };
      return await Promise.all([...ids].map(facts));
    } finally {
      await engine.close();
    }
  };

  it(
    'loses what nothing tells of, as before, and doubles none',
    async () => {
      const { ids, unsure } = await killDuring('satu');
      const rest = [...ids.keys()].filter((to) => !unsure.has(to));
      await server.until('the rest', (arrived) => rest.every((to) => arrived.includes(to)));
      await pause(12_000);
      const twice = server.arrived.filter((to, n) => server.arrived.indexOf(to) !== n);
      expect(twice).toEqual([]);
    },
    limitFor(2),
  );

  it(
    'sends it again where its workspace wants that: each at least once, twice only what was in doubt',
    async () => {
      await kurir(installation, ['workspace', 'profile', 'Demo', '--unconfirmed', 'resend']);
      const from = server.arrived.length;
      const { ids, unsure } = await killDuring('dua');
      await server.until('all, and what was in doubt twice', (arrived) => {
        const since = arrived.slice(from);
        const times = (to: string): number => since.filter((one) => one === to).length;
        return [...ids.keys()].every((to) => times(to) >= (unsure.has(to) ? 2 : 1));
      });
      await pause(3_000);
      const since = server.arrived.slice(from);
      const times = new Map([...ids.keys()].map((to) => [to, since.filter((one) => one === to).length]));
      expect([...times].filter(([to, count]) => count > (unsure.has(to) ? 2 : 1))).toEqual([]);
      const [first] = [...unsure].map((to) => ids.get(to)!);
      const [facts] = await attemptsOf([first!]);
      expect(facts!.outcomes).toEqual(['unconfirmed', 'sent']);
      expect(facts!.rows.slice(0, 3)).toEqual(['debit:1', 'refund:1', 'debit:2']);
      await service.terminate();
      expect((await auditOf(installation)).found).toEqual([]);
      service = await Service.start(installation, {});
    },
    limitFor(2),
  );
});
