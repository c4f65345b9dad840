import { describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { createWebhookSender } from '../../operations/webhooks/client/sender';
import { listAlarms, listNotices } from '../../operations/alarms/list-alarms';
import { alarmEvaluations } from '../../consumers/timers/alarms/evaluate-alarms';
import { noticeWork } from '../../consumers/timers/alarms/notice-work';
import type { AlarmSource, Evaluation, Unknown } from '../../consumers/timers/alarms/source';
import { alarmTarget } from '../../operations/webhooks/webhook-targets';
import type { Trouble } from '../../domain/alarms/alarm';
import type { AlarmSettings } from '../../domain/alarms/alarm-settings';
import { DAY, HOUR, MINUTE } from '../../lib/clock';
import { silentLogger } from '../../lib/logger';
import { createSender, messageId, TEST_KEYRING } from '../support/builders';
import { runDue } from '../support/due-work';
import { onEveryDriver } from './drivers';
import { freshEngine, type OpenEngine } from './harness';

const SECRET = 'a secret of the operator';

/** An operator's receiver: keeps what it took, and answers a status. */
class Receiver {
  readonly taken: { id: string; type: string; data: Record<string, unknown> }[] = [];
  status = 204;
  asked = 0;
  private readonly server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        this.asked += 1;
        const body = Buffer.concat(chunks).toString();
        // Checked as a receiver does, but for the time, which is that of a test.
        const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
        const [id, at] = [req.headers['webhook-id'], req.headers['webhook-timestamp']].map(String) as [string, string];
        const wanted = new Webhook(SECRET, { format: 'raw' }).sign(id, new Date(Number(at) * 1_000), body);
        expect(req.headers['webhook-signature']).toBe(wanted);
        if (this.status < 300) this.taken.push({ id, type, data });
        res.writeHead(this.status).end();
      });
  });

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/alarms?team=mail`;
  }

  close(): void {
    this.server.close();
  }

  get types(): string[] {
    return this.taken.map(({ type }) => type);
  }
}

const LISTED: Trouble = {
  kind: 'blocklist',
  subject: '203.0.113.7 list.test',
  workspaceId: null,
  text: 'It is listed.',
};
const UNKNOWN: Unknown = { kind: 'blocklist', subject: LISTED.subject, unknown: true };

function describeAlarms(open: OpenEngine): void {
  describe('alarms', () => {
    const subject = freshEngine(open);

    /** Processes with a source of their own that finds what `finds` says, and the work that tells of it. */
    async function scene(settings: Partial<AlarmSettings> = {}) {
      const receiver = new Receiver();
      const post = { url: await receiver.listen(), secret: SECRET };
      const alarms: AlarmSettings = { post, mail: null, ...settings };
      const state: {
        found: readonly (Trouble | Unknown)[] | Error;
        evaluations: number;
        rounds: Pick<Evaluation, 'from' | 'active'>[];
      } = { found: [], evaluations: 0, rounds: [] };
      const source: AlarmSource = {
        name: 'blocklists',
        kinds: ['blocklist'],
        every: 5 * MINUTE,
        evaluate: async ({ from, active }) => {
          state.evaluations += 1;
          state.rounds.push({ from, active });
          if (state.found instanceof Error) throw state.found;
          return { found: state.found, next: from + 1 };
        },
      };
      const process = () => alarmEvaluations({ stores: subject.stores, logger: silentLogger }, [source]);
      const known = () => listAlarms(subject.stores.records, subject.clock.now());
      const failing = async () =>
        (await listNotices(subject.stores.records, subject.clock.now())).map(({ body }) => body.failing);
      const sender = createWebhookSender({ targets: alarmTarget({ alarms }) });
      const tell = () => {
        const { stores, log, clock } = subject;
        const deps = {
          stores,
          log,
          clock,
          keyring: TEST_KEYRING,
          newId: () => messageId(),
          alarms,
          alarmSender: sender,
        };
        const more = { installationId: 'test', dashboardUrl: () => 'https://kurir.test', logger: silentLogger };
        return runDue({ stores, clock }, 'alarm-notice', noticeWork({ ...deps, ...more }));
      };
      const look = async (processes: ReturnType<typeof process>[]) => {
        const now = subject.clock.now();
        await Promise.all(processes.flat().map((task) => task.run(now)));
        await tell();
      };
      const end = async () => {
        receiver.close();
        await sender.close();
      };
      return { receiver, state, known, failing, process, look, tell, end };
    }

    it('are raised once by two processes and after a restart, said again after a day, and ended', async () => {
      const { receiver, state, known, process, look, end } = await scene();
      const [one, other] = [process(), process()];
      state.found = [LISTED];
      await look([one, other]);
      expect(state.evaluations).toBe(1);
      expect(receiver.taken).toMatchObject([
        {
          type: 'alarm.raised',
          data: { kind: 'blocklist', text: 'It is listed.', ended_at: null, installation_id: 'test' },
        },
      ]);
      subject.clock.advance(5 * MINUTE);
      await subject.crash();
      const [third, fourth] = [process(), process()];
      await look([third, fourth]);
      expect([state.evaluations, receiver.types]).toEqual([2, ['alarm.raised']]);
      subject.clock.advance(DAY);
      await look([third]);
      expect(receiver.types).toEqual(['alarm.raised', 'alarm.repeated']);
      state.found = [];
      subject.clock.advance(HOUR);
      await look([fourth]);
      expect(receiver.types).toEqual(['alarm.raised', 'alarm.repeated', 'alarm.ended']);
      expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(3);
      expect(await known()).toMatchObject([{ body: { kind: 'blocklist', endedAt: subject.clock.now() } }]);
      subject.clock.advance(HOUR);
      await look([third, fourth]);
      expect(receiver.taken).toHaveLength(3);
      await end();
    });

    it('are raised once each, however many stand, and a source goes on where it was, in any process', async () => {
      const { receiver, state, process, look, end } = await scene();
      state.found = Array.from({ length: 210 }, (_, n) => ({ ...LISTED, subject: `${n} list.test` }));
      await look([process()]);
      subject.clock.advance(5 * MINUTE);
      await look([process()]);
      expect(state.rounds.map(({ from, active }) => [from, active.length])).toEqual([
        [0, 0],
        [1, 210],
      ]);
      expect(receiver.taken).toHaveLength(210);
      await end();
    });

    it('stay as they are while nothing is known', async () => {
      const { receiver, state, process, look, end } = await scene();
      state.found = [UNKNOWN];
      const own = [process()];
      await look(own);
      expect(receiver.types).toEqual([]);
      state.found = [LISTED];
      subject.clock.advance(5 * MINUTE);
      await look(own);
      for (const nothing of [[UNKNOWN], new Error('no answer')]) {
        state.found = nothing;
        subject.clock.advance(3 * HOUR);
        await look(own);
      }
      expect(receiver.types).toEqual(['alarm.raised']);
      await end();
    });

    it('that do not arrive are tried again with the same id, say why, and are given up after a day', async () => {
      const { receiver, state, failing, process, look, tell, end } = await scene();
      state.found = [LISTED];
      receiver.status = 503;
      await look([process()]);
      expect(await failing()).toEqual([{ url: 'The endpoint answered 503.' }]);
      subject.clock.advance(MINUTE);
      await tell();
      expect(receiver.asked).toBe(2);
      receiver.status = 204;
      subject.clock.advance(5 * MINUTE);
      await tell();
      expect([receiver.types, await failing()]).toEqual([['alarm.raised'], [{}]]);

      receiver.status = 500;
      subject.clock.advance(DAY);
      await look([process()]);
      for (let hour = 0; hour < 30; hour += 1) {
        subject.clock.advance(HOUR);
        await tell();
      }
      expect(receiver.asked).toBe(3 + 24);
      const given = await subject.stores.dueTasks.givenUp('alarm-notice', null, 100);
      expect(given).toMatchObject([{ reason: 'The endpoint answered 500.' }]);
      await end();
    });

    it('go out as one mail of a sending domain, which its workspace pays', async () => {
      const sender = await createSender(subject.stores);
      const mail = { to: 'ops@perusahaan.test', sender: sender.domain.domain };
      const { state, process, look, end } = await scene({ post: null, mail });
      state.found = [{ ...LISTED, text: 'The server {{name}} <b>is listed</b>.' }];
      await look([process(), process()]);
      subject.clock.advance(5 * MINUTE);
      await look([process()]);
      const { items } = await subject.stores.messages.list(sender.workspace.id, { offset: 0, limit: 10 });
      const [message, ...others] = items;
      expect(others).toEqual([]);
      expect(message).toMatchObject({ to: 'ops@perusahaan.test', lane: 'transactional', category: 'transactional' });
      expect(message?.subject).toMatch(/^\[Kurir\] Alarm: blocklist 203\.0\.113\.7 list\.test/);
      const body = (await subject.stores.messages.job(message!.id))?.body;
      expect(JSON.stringify(body)).toContain('&lt;b&gt;is listed');
      expect(JSON.stringify(body)).not.toContain('{{');
      await end();
    });

    it('without an address to mail from say so', async () => {
      const mail = { to: 'ops@perusahaan.test', sender: 'nobody.test' };
      const { state, failing, process, look, end } = await scene({ post: null, mail });
      state.found = [LISTED];
      await look([process()]);
      expect((await failing())[0]?.mail).toMatch(/^nobody\.test is not an active sending domain/);
      await end();
    });
  });
}

onEveryDriver(describeAlarms);
