import { cpSync } from 'node:fs';
import { withData, type Installation } from '../../../proof/crash/installation';
import { CRASH_POINTS, type Activity, type CrashPoint } from '../../../proof/crash/points';
import { connectByTls } from '../../../proof/crash/relay-kills';
import { closeScene, doneOf, judgeScene, openScene, wrongOf, type Scene } from '../../../proof/crash/stage/play';
import type { Stage } from '../../../proof/crash/stage/stage';
import { workOff } from '../../../proof/crash/stage/work-off';
import { readAll } from '../../../proof/world/exports';
import { FINAL, leftIn } from '../../../proof/world/unfinished-work';
import { bodyOf } from '../../../proof/world/mail-body';
import { linksOf } from '../../../proof/world/reader';
import { RelayCaller } from '../../../proof/world/relay-caller';
import { ask } from '../../../proof/world/request';
import type { Account, Filled } from '../../../proof/world/template';
import type { Message } from '../../../domain/messages/message';
import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import { makeJourney, Marketing } from './marketing';
import { Sale } from './sale';
import { WebhookEndpoint } from './webhook-endpoint';

/** Time that is passed for a message that waits, one after the other: its retries, then the wait for evidence. */
const WAITS = [SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 12 * MINUTE, HOUR, ...Array.from({ length: 6 }, () => DAY)];
/** A crowded machine is slow; nobody waits for it otherwise. */
const PATIENCE = 180_000;

/** Activities that make several messages in one commit. */
const SEVERAL: readonly Activity[] = ['send batch', 'relay send'];
/** Messages of a batch, recipients of a mail. */
const BATCH = 3;

/** What was seen at one crash point. */
export interface Death {
  /** True when the process was killed, which here only itself does. */
  reached: boolean;
  /** The status on the disk at the moment of death; of the first mail of a batch. */
  found: string | null;
  /** True when all of a batch was on the disk at that moment, or none of it. */
  whole: boolean;
  /** Everything that is wrong in the end: lost, doubled, coins, audit. */
  wrong: string[];
  /** Booked penalties of a forced send; 0 for every other activity. */
  penalties: number;
  /** Opens that are counted. */
  opens: number;
}

/** Where the service dies: on a copy of a seeded data dir, or on a seeded installation of its own. */
export type Place = { filled: Filled } & ({ seeded: string } | { installation: Installation });

/** Lets the service die at the point, starts it again, and has the judge look at how it all ends. */
export async function dieAt(point: CrashPoint, place: Place, program: string): Promise<Death> {
  const own = 'installation' in place ? { installation: place.installation } : {};
  const seed = async ({ dataDir }: Stage): Promise<Filled> => {
    if ('seeded' in place) cpSync(place.seeded, dataDir, { recursive: true });
    // The activity changes what it has of its account.
    return { ...place.filled, accounts: place.filled.accounts.map((account) => ({ ...account })) };
  };
  const options = { program, seed: 1, progress: () => undefined, ...own };
  const scene = await openScene(options, seed, { profile: { slowest: 200, odd: 0 } });
  const { stage } = scene;
  const endpoint = point.attempts.length > 0 ? await WebhookEndpoint.open(scene, point) : null;
  try {
    if (point.activity === 'journey') await makeJourney(scene);
    const activity = new ActivityRun(scene, point, endpoint);
    const first = CRASH_POINTS.find(({ name }) => name === point.first);
    if (first) await activity.runUntilDeath(first);
    const reached = await activity.runUntilDeath(point);
    const onDisk = await activity.statuses();
    const found = onDisk[0] ?? null;
    const whole = onDisk.every((status) => (status === null) === (found === null));
    await stage.start();
    const opens = await activity.runToTheEnd();
    const undelivered = (await endpoint?.wrong(activity.ids[0] ?? '', point)) ?? [];
    await activity.sale?.repeat();
    await readAll(scene.outside);
    const isDone = activity.ids.length > 0 || point.activity === 'forced send';
    const faults = [...(isDone ? [] : ['the activity never finished']), ...undelivered];
    const rows = doneOf(scene, 'final').flatMap(({ answer }) => answer.ledger);
    const penalties = rows.filter(({ kind, message }) => kind === 'penalty' && message === null).length;
    return { reached, found, whole, wrong: wrongOf(await judgeScene(scene, faults)), penalties, opens };
  } finally {
    endpoint?.close();
    await closeScene(scene);
  }
}

/** One caller with one thing to do, over all lives of the service. */
class ActivityRun {
  /** The ids of its messages, once they are known: one, or those of a batch. */
  ids: string[] = [];
  readonly sale: Sale | null;
  private readonly marketing: Marketing | null;
  private readonly stage: Stage;
  private readonly sender: Account;
  private readonly to: string[];

  constructor(
    private readonly scene: Scene,
    private readonly point: CrashPoint,
    private readonly endpoint: WebhookEndpoint | null,
  ) {
    [this.stage, this.sender] = [scene.stage, scene.senders[0]!];
    const count = SEVERAL.includes(point.activity) ? BATCH : 1;
    this.to = Array.from({ length: count }, (_, n) => `${point.recipient}+${n + 1}@pelanggan.test`);
    this.marketing = Marketing.of(scene, point.activity, this.to[0]!);
    this.sale = Sale.of(scene, () => this.ids[0] ?? '', point.activity);
  }

  /** True when the service was killed, on its way or in its start. */
  async runUntilDeath(point: CrashPoint): Promise<boolean> {
    const { stage } = this;
    const serves = await stage.start(point.name);
    const given = new AbortController();
    if (serves) await Promise.race([stage.service.ended, this.run(given.signal), sleep(PATIENCE, given.signal)]);
    // What is written behind the message's back, such as a cursor, may come after its end: on a cluster the records go
    // to the new process only when the killed one counts as silent, ten seconds later.
    await Promise.race([stage.service.ended, this.untilHandled(given.signal), sleep(PATIENCE, given.signal)]);
    await Promise.race([stage.service.ended, sleep(2 * SECOND, given.signal)]);
    given.abort();
    const { signal } = await stage.service.terminate();
    return signal === 'SIGKILL';
  }

  /** Answers the opens that are counted. */
  async runToTheEnd(): Promise<number> {
    const given = new AbortController();
    await Promise.race([this.run(given.signal), sleep(PATIENCE, given.signal)]);
    given.abort();
    for (let quiet = 0, looks = 0; quiet < 2 && looks < 50; looks++) {
      quiet = (await this.stage.isIdle()) ? quiet + 1 : 0;
      await sleep(50);
    }
    const [id] = this.ids;
    if (id === undefined) return 0;
    const signals = await withData(this.stage.installation, ({ stores }) => stores.signals.ofMessage(id));
    return signals.length;
  }

  /** Until every record of the log is handled and committed. */
  private async untilHandled(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.stage.isIdle())) await sleep(50);
  }

  /** The statuses of its messages on the disk, null for one that is not there, while nothing runs. */
  async statuses(): Promise<(string | null)[]> {
    return (await this.messages()).map((message) => message?.status ?? null);
  }

  /** The first message to each of its recipients. */
  private async messages(): Promise<(Message | undefined)[]> {
    const list = { offset: 0, limit: 100 };
    const { items } = await withData(this.stage.installation, ({ stores }) =>
      stores.messages.list(this.sender.workspaceId, list),
    );
    return this.to.map((one) => items.findLast(({ to }) => to === one));
  }

  private async run(signal: AbortSignal): Promise<void> {
    if (this.point.activity === 'forced send') return this.forceSend();
    await this.endpoint?.register(signal);
    await this.send(signal);
    if (this.marketing) await this.untilOver(this.marketing, signal);
    if (this.point.activity === 'open') await this.open(signal);
    await this.sale?.play(signal);
    await this.endpoint?.untilDelivered(this.ids[0] ?? '', signal);
  }

  /** Moves time on until nothing waits any more that comes of the activity. */
  private async untilOver(marketing: Marketing, signal: AbortSignal): Promise<void> {
    this.ids = (await this.messages()).flatMap((message) => message?.id ?? []);
    await Promise.race([marketing.goOn(), sleep(PATIENCE, signal)]);
    await withData(this.stage.installation, ({ stores }) =>
      workOff(
        this.stage,
        () => leftIn(stores),
        () => HOUR,
        { over: signal },
      ),
    );
  }

  private async forceSend(): Promise<void> {
    const { ports, recorder } = this.scene.outside;
    const { workspaceId: workspace, apiKey: key, domainId } = this.sender;
    const to = 'no address';
    const act = recorder.begin('caller', 'send', { workspace, key: null, to, again: true });
    const body = { to, subject: 'x', html: 'x', sending_domain_id: domainId };
    const answer = await ask(ports.http, '/v1/messages', { key, body });
    if (answer?.status === 422) act.fail(422, String(answer.body['message']));
    else act.info('no answer');
  }

  private async send(signal: AbortSignal): Promise<void> {
    if (this.marketing) await Promise.race([this.marketing.begin(), sleep(PATIENCE, signal)]);
    else while (!signal.aborted && !(await this.handIn())) await sleep(20);
    const waits = [...WAITS];
    for (let looks = 1; !signal.aborted; looks++) {
      if ((await this.statuses()).every((status) => FINAL.has(status ?? ''))) return;
      await sleep(30);
      // Nothing waits before an event is delivered. Its lease must not end while it is under way.
      if (looks % 8 === 0 && !this.endpoint && (await this.stage.rest()) !== null)
        await this.stage.advance(waits.shift() ?? 0);
    }
  }

  /** One try, which is a send of each mail for the judge; true once everything is accepted. */
  private async handIn(): Promise<boolean> {
    const { outside } = this.scene;
    const { sender, to } = this;
    const mail = { account: sender, messageId: '<activity@toko.example>', to };
    if (this.point.activity === 'relay send') {
      const isTaken = await new RelayCaller(outside, { connect: connectByTls }).take('caller', mail);
      this.ids = doneOf(this.scene, 'send').map(({ answer }) => answer.message);
      return isTaken;
    }
    const key = (n: number): string => `activity ${n + 1}`;
    const value = { workspace: sender.workspaceId };
    const acts = to.map((one, n) => outside.recorder.begin('caller', 'send', { ...value, key: key(n), to: one }));
    const status = this.ids.length === 0 ? 201 : 200;
    const ids = await this.ask(key).catch(() => null);
    for (const [n, act] of acts.entries()) {
      if (ids) act.ok({ status, message: ids[n]!, state: 'queued' });
      else act.info('no answer');
    }
    if (ids) this.ids = ids;
    return ids !== null;
  }

  /** Asks for the mails; their ids once they are there. */
  private async ask(key: (n: number) => string): Promise<string[] | null> {
    const { sender, to, point } = this;
    const { ports } = this.scene.outside;
    if (point.activity === 'due send') {
      const { workspaceId, domainId } = sender;
      const order = { workspaceId, domainId, recipient: point.recipient, key: key(0) };
      const id = await this.stage.service.call('scheduleSend', order);
      return id === null ? null : [id];
    }
    const html = this.sale ? '<p>Halo, <a href="https://toko.example/pesanan">pesanan</a>.</p>' : LONG_HTML;
    const mails = to.map((one) => ({ to: one, subject: 'Halo', html, sending_domain_id: sender.domainId }));
    const asked = { key: sender.apiKey, headers: { 'idempotency-key': key(0) } };
    if (point.activity === 'send batch') {
      const answer = await ask(ports.http, '/v1/messages/batch', { ...asked, body: { messages: mails } });
      return answer?.status === 200
        ? (answer.body['data'] as { message_id: string }[]).map((one) => one.message_id)
        : null;
    }
    const answer = await ask(ports.http, '/v1/messages', { ...asked, body: mails[0]! });
    return answer && answer.status < 300 ? [String(answer.body['message_id'])] : null;
  }

  /** As a mail program shows the picture at the end of the mail. */
  private async open(signal: AbortSignal): Promise<void> {
    const { server, recorder, ports } = this.scene.outside;
    const { pixel } = linksOf(bodyOf(server.mails.at(-1)?.source ?? ''));
    for (let isOpen = false; !isOpen && !signal.aborted;) {
      const act = recorder.begin('person', 'open', { message: this.ids[0] ?? '' });
      const answer = await ask(ports.http, pixel ?? '', {});
      isOpen = answer?.status === 200;
      if (answer) act.ok({ status: answer.status });
      else act.info('no answer');
    }
  }
}

/** Long enough for a body that goes out in pieces. */
const LONG_HTML = `<p>Halo</p>${'<p>Pesanan Anda sedang dikirim ke alamat Anda.</p>'.repeat(4_000)}`;
