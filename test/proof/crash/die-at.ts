import { cpSync } from 'node:fs';
import { auditData } from '../../../proof/crash/audit-data';
import { ApiCaller, FINAL, type Offer } from '../../../proof/crash/caller';
import type { CampaignOrder } from '../../../proof/crash/campaigns';
import type { Installation } from '../../../proof/crash/installation';
import { CRASH_POINTS, type Activity, type CrashPoint } from '../../../proof/crash/points';
import { takeByRelay } from '../../../proof/crash/relay-client';
import type { Sender } from '../../../proof/crash/seed';
import { Stage } from '../../../proof/crash/stage/stage';
import { judge } from '../../../proof/crash/verdict';
import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { plain, Sale } from './sale';
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
export type Place = { sender: Sender } & ({ seeded: string } | { installation: Installation });

/** Lets the service die at the point, starts it again, and looks at how it all ends. */
export async function dieAt(point: CrashPoint, place: Place, program: string): Promise<Death> {
  const { sender } = place;
  const own = 'installation' in place ? { installation: place.installation } : {};
  const stage = await Stage.open({ program, sinkInProcess: true, sink: { slowWait: 200 }, ...own });
  const endpoint = point.attempts.length > 0 ? await WebhookEndpoint.open(point) : null;
  try {
    if ('seeded' in place) cpSync(place.seeded, stage.dataDir, { recursive: true });
    const activity = new ActivityRun(stage, sender, point, endpoint);
    const first = CRASH_POINTS.find(({ name }) => name === point.first);
    if (first) await activity.runUntilDeath(first);
    const reached = await activity.runUntilDeath(point);
    const onDisk = await activity.statuses();
    const found = onDisk[0] ?? null;
    const whole = onDisk.every((status) => (status === null) === (found === null));
    await stage.start();
    const opens = await activity.runToTheEnd();
    const unsold = await activity.wrongSales();
    const undelivered = await endpoint?.wrong(stage, activity.offers[0]?.id ?? '', point);
    await stage.stop();
    const offers = activity.offers.filter(({ id }) => id !== null);
    const penalties = await forcedSendPenalties(stage.installation, sender);
    const senders = [{ ...sender, coins: sender.coins - 4 * penalties }];
    const { installation, journal } = stage;
    const verdict = await judge({ installation, journal, senders, offers });
    const isDone = offers.length > 0 || point.activity === 'forced send';
    const wrong = [
      ...(isDone ? [] : ['the activity never finished']),
      ...unsold,
      ...(undelivered ?? []),
      ...verdict.lost,
      ...verdict.doubled,
      ...verdict.coinsWrong,
      ...(await auditData(installation)),
    ];
    return { reached, found, whole, wrong, penalties, opens };
  } finally {
    endpoint?.close();
    await stage.close();
  }
}

/** One caller with one thing to do, over all lives of the service. */
class ActivityRun {
  /** One, or those of a batch. */
  readonly offers: Offer[];
  private readonly caller: ApiCaller;
  private readonly sale: Sale | null;

  constructor(
    private readonly stage: Stage,
    private readonly sender: Sender,
    private readonly point: CrashPoint,
    private readonly endpoint: WebhookEndpoint | null,
  ) {
    const kind = point.recipient;
    this.offers = Array.from({ length: SEVERAL.includes(point.activity) ? BATCH : 1 }, (_, n) => ({
      sender,
      kind,
      key: `activity ${n + 1}`,
      to: `${kind}+${n + 1}@pelanggan.test`,
      id: null,
    }));
    this.caller = new ApiCaller([stage.baseUrl]);
    this.sale = Sale.of(stage, this.caller, this.offers[0]!, point.activity);
  }

  /** True when the service was killed, on its way or in its start. */
  async runUntilDeath(point: CrashPoint): Promise<boolean> {
    const { stage } = this;
    const serves = await stage.start(point.name);
    const given = new AbortController();
    if (serves) await Promise.race([stage.service.ended, this.run(given.signal), limit(PATIENCE, given.signal)]);
    // What is written behind the message's back, such as a cursor, may come after its end: on a cluster the records go
    // to the new process only when the killed one counts as silent, ten seconds later.
    await Promise.race([stage.service.ended, this.untilHandled(given.signal), limit(PATIENCE, given.signal)]);
    await Promise.race([stage.service.ended, limit(2 * SECOND, given.signal)]);
    given.abort();
    const { signal } = await stage.service.terminate();
    return signal === 'SIGKILL';
  }

  /** Answers the opens that are counted. */
  async runToTheEnd(): Promise<number> {
    const given = new AbortController();
    await Promise.race([this.run(given.signal), limit(PATIENCE, given.signal)]);
    given.abort();
    for (let quiet = 0, looks = 0; quiet < 2 && looks < 50; looks++) {
      quiet = (await this.stage.isIdle()) ? quiet + 1 : 0;
      await timeout(50);
    }
    const [id = null] = this.offers.map((offer) => offer.id);
    return id === null ? 0 : this.stage.service.call('signals', id);
  }

  /** Until every record of the log is handled and committed. */
  private async untilHandled(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.stage.isIdle())) await timeout(50);
  }

  /** What is wrong with the sale in the end, if there is one. */
  async wrongSales(): Promise<string[]> {
    return (await this.sale?.wrong()) ?? [];
  }

  /** The statuses of its messages on the disk, null for one that is not there, while nothing runs. */
  async statuses(): Promise<(string | null)[]> {
    const engine = await this.stage.installation.open();
    const { items } = await engine.stores.messages.list(this.sender.workspaceId, { offset: 0, limit: 100 });
    await engine.close();
    return this.offers.map((offer) => items.find(({ to }) => to === offer.to)?.status ?? null);
  }

  private async run(signal: AbortSignal): Promise<void> {
    if (this.point.activity === 'forced send') return this.forceSend();
    await this.endpoint?.register(this.caller, this.sender, signal);
    await this.send(signal);
    if (this.point.activity === 'campaign') await this.untilCompleted('isCampaignDone', signal);
    if (this.point.activity === 'journey') await this.untilCompleted('isJourneyDone', signal);
    if (this.point.activity === 'opt-in') await this.untilCompleted('isOptInDone', signal);
    if (this.point.activity === 'open') await this.open(signal);
    await this.sale?.play(signal);
    await this.endpoint?.untilDelivered(this.stage, this.offers[0]?.id ?? '', signal);
  }

  private async forceSend(): Promise<void> {
    const mail = { to: 'no address', subject: 'x', html: 'x', sending_domain_id: this.sender.domainId };
    await this.caller.request(this.sender.apiKey, '/messages', mail);
  }

  private async send(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.handIn())) await timeout(20);
    const waits = [...WAITS];
    for (let looks = 1; !signal.aborted; looks++) {
      const ids = this.offers.map(({ id }) => id ?? '');
      const statuses = await this.caller.statuses(this.sender.apiKey, ids);
      if (ids.every((id) => FINAL.has(statuses?.get(id) ?? ''))) return;
      await timeout(30);
      // Nothing waits before an event is delivered. Its lease must not end while it is under way.
      if (looks % 8 === 0 && !this.endpoint) await this.stage.advance(waits.shift() ?? 0);
    }
  }

  /** One try; true once everything is accepted. */
  private async handIn(): Promise<boolean> {
    const [offer] = this.offers;
    if (this.point.activity === 'send batch') return this.handInBatch();
    if (this.point.activity === 'campaign') {
      offer!.id = await this.stage.service.call('orderCampaign', this.order).catch(() => null);
      return offer!.id !== null;
    }
    if (this.point.activity === 'journey') {
      offer!.id = await this.stage.service.call('orderJourney', this.order).catch(() => null);
      if (offer!.id === null) await this.stage.advance(MINUTE / 4).catch(() => undefined);
      return offer!.id !== null;
    }
    if (this.point.activity === 'opt-in') {
      offer!.id = await this.stage.service.call('orderOptIn', this.order).catch(() => null);
      return offer!.id !== null;
    }
    if (this.point.activity === 'relay send') return takeByRelay(this.stage.smtpsPort, this.offers);
    if (this.point.activity !== 'due send') return this.caller.submit(offer!, this.sale ? {} : { html: LONG_HTML });
    const { workspaceId, domainId } = this.sender;
    const send = { workspaceId, domainId, recipient: this.point.recipient, key: offer!.key };
    offer!.id = await this.stage.service.call('scheduleSend', send).catch(() => null);
    return offer!.id !== null;
  }

  private get order(): CampaignOrder {
    const { workspaceId, domainId } = this.sender;
    const { to, key } = this.offers[0]!;
    return { workspaceId, domainId, to, key };
  }

  private async untilCompleted(
    done: 'isCampaignDone' | 'isJourneyDone' | 'isOptInDone',
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      await timeout(50);
      if (await this.stage.service.call(done, this.order).catch(() => false)) return;
      if (done === 'isJourneyDone') await this.stage.advance(MINUTE / 4).catch(() => undefined);
    }
  }

  private async handInBatch(): Promise<boolean> {
    const { offers, sender, stage } = this;
    const { workspaceId, domainId } = sender;
    const mails = offers.map(({ to, key }) => ({ to, key, html: '<p>Halo</p>' }));
    const ids = await stage.service.call('acceptBatch', { workspaceId, domainId, mails }).catch(() => null);
    offers.forEach((offer, n) => (offer.id = ids?.[n] ?? null));
    return ids !== null;
  }

  /** As a mail program shows the picture at the end of the mail. */
  private async open(signal: AbortSignal): Promise<void> {
    const mail = plain(await this.stage.sink.lastMail());
    const path = /\/t\/o\/[\w-]+\.gif/.exec(mail)?.[0] ?? '';
    const url = new URL(path, this.stage.baseUrl);
    for (let ok = false; !ok && !signal.aborted;) {
      ok = await fetch(url).then(
        (response) => response.ok,
        () => false,
      );
    }
  }
}

/** Long enough for a body that goes out in pieces. */
const LONG_HTML = `<p>Halo</p>${'<p>Pesanan Anda sedang dikirim ke alamat Anda.</p>'.repeat(4_000)}`;

async function forcedSendPenalties(installation: Installation, { workspaceId }: Sender): Promise<number> {
  const engine = await installation.open();
  const rows = await engine.stores.coins.rows(workspaceId, 0, 1_000);
  await engine.close();
  return rows.filter(({ kind, messageId }) => kind === 'penalty' && messageId === null).length;
}

const timeout = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** The same, for a race: until the signal at most. */
const limit = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
