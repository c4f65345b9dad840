import { afterAll, describe, expect, test } from '@jest/globals';
import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Caller, temporaryDir } from '../support/running';
import { readFirstRun, Service } from '../support/service';
import { giveUpAt } from '../support/limits';

const dir = temporaryDir();
const started: Service[] = [];
afterAll(async () => {
  for (const service of started) await service.kill();
  rmSync(dir, { recursive: true, force: true });
});

interface Line extends Record<string, unknown> {
  level: number;
  msg: string;
}
const linesOf = (service: Service): Line[] => service.logged;

async function start(env: Record<string, string>): Promise<Service> {
  const service = await Service.start(dir, env);
  started.push(service);
  return service;
}

/** The lines of a kind once one of them fits. */
async function untilLogged(service: Service, fits: (line: Line) => boolean): Promise<Line> {
  for (const end = giveUpAt(); performance.now() < end;) {
    const line = linesOf(service).find(fits);
    if (line) return line;
    await sleep(50);
  }
  throw new Error(`not logged: ${service.printed}`);
}

/** GET under another Host, which fetch would not send. */
function getAs(host: string, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (res) => {
      res.resume();
      resolve(res.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('The log of a running service', () => {
  // spec: docs/contract.md#answers: every answer has an id, under which the log has it
  test('at debug: the request and every step of a message, each under its id', async () => {
    const service = await start({ KURIR_LOG_LEVEL: 'debug' });
    const { api_key: key, sending_domain_id: domainId, base_url: baseUrl } = readFirstRun(dir);
    const answer = await fetch(`${baseUrl}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: 'siti@x.example', subject: 'Halo', html: '<p>Halo</p>', sending_domain_id: domainId }),
    });
    const { message_id: messageId } = (await answer.json()) as { message_id: string };
    const requestId = answer.headers.get('x-request-id');
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    const line = await untilLogged(service, (each) => each['requestId'] === requestId);
    expect(line).toMatchObject({ level: 20, msg: 'request', method: 'POST', path: '/v1/messages', status: 201 });
    await untilLogged(service, (each) => each['messageId'] === messageId && each['status'] === 'delivered');
    const steps = linesOf(service).filter((each) => each['messageId'] === messageId);
    const named = steps.map((each) => each['status'] ?? (each['fenced'] === true ? 'fenced' : each.msg));
    expect(named).toEqual(['message queued', 'message claimed', 'fenced', 'sent_to_mta', 'delivered']);
    expect(steps.map((each) => JSON.stringify(each)).join()).not.toContain('siti@');
    expect((await service.terminate()).code).toBe(0);
    expect(
      linesOf(service)
        .slice(-2)
        .map(({ msg }) => msg),
    ).toEqual(['kurir is stopping', 'kurir stopped']);
  });

  test('a 429 is a warning with the id of its request; a host that is not served is named once', async () => {
    const service = await start({ KURIR_API_RATE_PER_MINUTE: '3' });
    const caller = new Caller(`${service.baseUrl}`, readFirstRun(dir).api_key);
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await caller.get('/account')).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refusals = (): Line[] => linesOf(service).filter((each) => each['status'] === 429);
    await untilLogged(service, () => refusals().length === 2);
    const refused = refusals();
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ level: 40, path: '/v1/account', requestId: expect.any(String) });
    for (let n = 0; n < 3; n += 1) expect(await getAs('mail.toko.example', `${service.baseUrl}/account`)).toBe(404);
    const line = await untilLogged(service, (each) => each['host'] === 'mail.toko.example');
    expect(line.msg).toMatch(/KURIR_PUBLIC_URL.*KURIR_HOSTS/);
    expect(linesOf(service).filter((each) => each['host'] === 'mail.toko.example')).toHaveLength(1);
  });
});
