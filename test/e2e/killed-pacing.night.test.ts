import { afterAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PORTION } from '../../domain/destinations/pace';
import { MINUTE, SECOND } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import { SmtpSink } from '../../proof/bench/smtp-sink';
import type { Installation } from '../../proof/crash/installation';
import { eventually } from '../contract/helpers';
import { describeOnEngines } from '../support/engines';
import { Caller } from '../support/running';
import { readDemo, Service } from '../support/service';

const PER_MINUTE = 300;
const [LIMITED, FREE] = [60, 12];
/** A window that is much shorter than a minute, so that a pace of twice the limit shows at once. */
const WINDOW = 5 * SECOND;
const EVERY = (MINUTE + PORTION) / PER_MINUTE;
const AT_ONCE = Math.ceil(PORTION / EVERY);
/** What the pace gives in a window: its share, and what may go at once. */
const MAX = Math.ceil(WINDOW / EVERY) + AT_ONCE;

const source = 'test';
const RULES = {
  destinations: [{ name: 'satu', title: 'Satu', domains: ['satu.test'], per_minute: PER_MINUTE, source }],
  others: { source },
  slowed_from: { per_minute: 600, source },
  replies: [],
};
const folder = mkdtempSync(join(tmpdir(), 'kurir-killed-pacing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** When messages were claimed, ms, ascending. */
async function claimsOf(installation: Installation, ids: readonly string[]): Promise<number[]> {
  const engine = await installation.open();
  try {
    const steps = await Promise.all(ids.map((id) => engine.stores.messages.history(id)));
    const claims = steps.flat().filter(({ status }) => status === 'sending');
    return claims.map(({ at }) => at).sort((a, b) => a - b);
  } finally {
    await engine.close();
  }
}

describeOnEngines('the pace of a destination', (install) => {
  it('is kept while processes are killed, and no mail is lost or doubled', async () => {
    const rules = join(folder, 'rules.json');
    writeFileSync(rules, JSON.stringify(RULES));
    const sink = new SmtpSink();
    const env = {
      KURIR_MTA_URL: `smtp://127.0.0.1:${await sink.listen()}`,
      KURIR_DEMO: 'true',
      KURIR_DESTINATION_RULES: rules,
      KURIR_DNS: 'off',
    };
    const installed = install();
    // `kurir demo` makes the demo where there is no first start, and has to know of the sending server, too.
    const installation = { ...installed, env: { ...installed.env, ...env } };
    const start = () => Service.start(installation, {});
    // One process is all that the embedded engine has; on the cluster both have all roles.
    const services = [await start()];
    const demo = await readDemo(services[0]!, installation);
    if (installation.engine === 'cluster') services.push(await start());
    const api = () => new Caller(services[0]!.baseUrl, demo.api_key);
    try {
      const to = [...Array(LIMITED).keys()].map((n) => `ana${n}@satu.test`);
      const others = [...Array(FREE).keys()].map((n) => `ana${n}@dua.test`);
      const send = (address: string) => api().send(address, demo.sending_domain_id);
      const ids = [...(await Promise.all(to.map(send))), ...(await Promise.all(others.map(send)))];
      for (let kill = 0; kill < 2; kill += 1) {
        await sleep(2 * SECOND);
        await services[kill % services.length]!.kill();
        services[kill % services.length] = await start();
      }
      const open = async () => {
        const found = await Promise.all(ids.map((id) => api().get(`/messages/${id}`)));
        return ids.filter((_, n) => found[n]!.body.status !== 'sent_to_mta');
      };
      // A mail that was on the wire at a kill may be unknown for good, and then counts by evidence alone.
      await eventually(async () => expect((await open()).length).toBeLessThanOrEqual(2 * AT_ONCE));
      const unsure = new Set(await open());
      await eventually(async () => {
        const arrived = new Set(sink.arrivals(ids).map(([id]) => id));
        expect(ids.filter((id) => !arrived.has(id) && !unsure.has(id))).toEqual([]);
      });
      expect(sink.count().duplicates).toBe(0);
      await Promise.all(services.map((service) => service.kill()));
      // What a killed process had in hand arrives together once another has it: the pace is that of the claims.
      const claims = await claimsOf(installed, ids.slice(0, LIMITED));
      const busiest = Math.max(...claims.map((from) => claims.filter((at) => at >= from && at < from + WINDOW).length));
      // What was given out just before a kill is given out by another process anew: a portion more.
      expect(busiest).toBeLessThanOrEqual(MAX + AT_ONCE);
      // The pace was in force.
      expect(claims.at(-1)! - claims[0]!).toBeGreaterThan((LIMITED / 2) * EVERY);
    } finally {
      await Promise.all(services.map((service) => service.kill()));
      await installation.remove();
      sink.close();
    }
  });
});
