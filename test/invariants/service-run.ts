import { PREMIUM_PER_MINUTE } from '../../domain/queue/send-rate';
import { Activity } from '../../lib/activity';
import { join } from 'node:path';
import type { AdvancingClock } from '../../app/core/advancing-clock';
import { recoveryPart } from '../../app/engines/recovery';
import { soleProcessLease } from '../../app/core/process-lease';
import { makeNewId } from '../../app/services';
import { createCoinsConsumer } from '../../consumers/coins';
import { createWebhooksConsumer } from '../../consumers/webhooks';
import { deliverWork } from '../../consumers/webhooks/deliver-work';
import type { Consumer } from '../../consumers/consumer';
import { createDispatchConsumer } from '../../consumers/dispatch';
import { DueRunner } from '../../consumers/due-work/due-runner';
import { Lanes } from '../../consumers/due-work/lanes';
import { DUE_WORK } from '../../consumers/due-work/table';
import { createFeedbackConsumer } from '../../consumers/mta-feedback';
import { Pacer } from '../../consumers/throttle/pacer';
import { Shards } from '../../consumers/throttle/shards';
import { createTimers } from '../../consumers/timers';
import { WEBHOOK_WORK } from '../../domain/webhooks/webhook-delivery';
import { poolComposer } from '../../email/composing/composer';
import { faultyTransport } from '../../email/transports/faulty-transport';
import { openEmbedded } from '../../stores/embedded/open';
import type { Engine } from '../../stores/ports/engine';
import { UnavailableError } from '../../lib/errors';
import { Faults } from '../../stores/wrappers/faults';
import { faultyEngine } from '../../stores/wrappers/faulty-engine';
import { DAY } from '../../lib/clock';
import { TEST_KEYRING } from '../support/builders';
import { AttemptClient } from '../../commands/webhooks/attempt-client';
import type { WebhookSender } from '../../commands/webhooks/client/webhook-sender';
import { GroupReader } from './group-reader';
import type { Hooks } from './hooks';
import type { Mta } from './mta';
import { noReport } from '../support/due-work';

export const EVIDENCE_WAIT = 4 * DAY;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** What the service sends to. */
interface Outside {
  mta: Mta;
  hooks: Hooks;
}

/** One run of the service, from its start to its crash or stop: all its parts, driven step by step, behind faults. */
export class ServiceRun {
  readonly faults: Faults;
  /** Resolves when a crash happens; from then on this run returns nothing more. */
  readonly died: Promise<'died'>;
  readonly engine: Engine;
  readonly newId: () => string;
  readonly groups: Record<'dispatch' | 'feedback' | 'coins' | 'webhooks', GroupReader>;
  private readonly hookSender: WebhookSender;
  private isDead = false;
  private readonly shards: Shards;
  private readonly pacer: Pacer;

  private constructor(
    /** The engine without faults, for the checks. */
    readonly raw: Engine,
    private readonly clock: AdvancingClock,
    { mta, hooks }: Outside,
  ) {
    let die: (end: 'died') => void = () => undefined;
    this.died = new Promise((resolve) => (die = resolve));
    this.faults = new Faults([], {
      crash: () => {
        this.isDead = true;
        die('died');
      },
      error: (operation) => new UnavailableError(`${operation} fails in this test`),
      pause: async () => undefined,
    });
    this.engine = faultyEngine(raw, this.faults);
    const { stores } = this.engine;
    const { newToken, isLeaseValid } = soleProcessLease('embedded');
    this.newId = makeNewId(clock);
    const transport = faultyTransport(mta, this.faults);
    const common = { stores, clock, keyring: TEST_KEYRING, evidenceWait: EVIDENCE_WAIT, logger: silent };
    const sizes = { concurrency: 8, mailMemory: 1_000_000, maxMail: 30_000_000 };
    const limits = { ...sizes, activity: new Activity(), unmarkedHosts: [] };
    const sending = { transport, composer: poolComposer, publicUrl: () => 'https://k.test', ...limits };
    const dispatch = { ...common, ...sending, newToken, isLeaseValid };
    this.groups = {
      dispatch: this.reader(createDispatchConsumer(dispatch)),
      feedback: this.reader(createFeedbackConsumer({ ...common, flagsAtDelivery: false })),
      coins: this.reader(createCoinsConsumer({ stores })),
      webhooks: this.reader(createWebhooksConsumer({ stores, clock, wake: () => undefined })),
    };
    this.hookSender = hooks.sender(() => this.isDead);
    this.shards = new Shards({ leases: stores.leases, owner: 'embedded', clock, shardOf: () => 0 });
    this.shards.want([0]);
    this.pacer = new Pacer(stores, this.shards, clock, PREMIUM_PER_MINUTE);
  }

  /** Opens the data and recovers, as the program does at start. */
  static async start(dir: string, clock: AdvancingClock, others: Outside): Promise<ServiceRun> {
    const service = new ServiceRun(await openEmbedded({ file: join(dir, 'kurir.sqlite'), clock }), clock, others);
    const config = { postfixLog: null, evidenceWait: EVIDENCE_WAIT };
    await recoveryPart({ engine: service.engine, clock, config, logger: silent }).start();
    await service.shards.maintain();
    return service;
  }

  /** Claims as much as a few turns of the throttle. */
  async claim(workspaceId: number): Promise<void> {
    await this.shards.maintain(true);
    for (let turns = 0; turns < 3; turns++) {
      if ((await this.pacer.turn(workspaceId, 10)).nextCheck !== 'now') return;
    }
  }

  /** Runs the timers once over everything that is due. */
  async tick(): Promise<void> {
    const { stores, log } = this.engine;
    const activity = new Activity();
    const timers = createTimers({
      stores,
      log,
      clock: this.clock,
      activity,
      evidenceWait: EVIDENCE_WAIT,
      deliveriesKept: 30 * DAY,
      logger: silent,
      work: noReport,
    });
    timers.start();
    await timers.stop();
  }

  /** Delivers every webhook that is due now. Ends early when a store fails. */
  async deliver(): Promise<void> {
    const { stores } = this.engine;
    const activity = new Activity();
    const ended = new AbortController();
    const logger = { warn: () => undefined, error: () => ended.abort() };
    const client = new AttemptClient({ keyring: TEST_KEYRING, sender: this.hookSender, clock: this.clock });
    const lanes = new Lanes({ perEndpoint: 3, perWorkspace: 5, inAll: 8 });
    const work = deliverWork({ stores, client, lanes, logger });
    const deps = { stores, clock: this.clock, activity, logger, work: noReport, isTravelling: () => false };
    const deliverer = new DueRunner(deps, WEBHOOK_WORK, DUE_WORK[WEBHOOK_WORK], work);
    // A run that died does not stop it.
    void this.died.then(() => deliverer.stop());
    deliverer.start();
    try {
      do await activity.quiet(ended.signal);
      while (!ended.signal.aborted && !((await deliverer.isIdle()) && activity.isQuiet));
    } finally {
      await deliverer.stop();
    }
  }

  /** Closes the file and every connection, as the end of the process does. */
  async close(): Promise<void> {
    this.isDead = true;
    await this.hookSender.close();
    await this.raw.close();
  }

  private reader(consumer: Consumer): GroupReader {
    return new GroupReader(this.engine.log, this.raw.log, consumer);
  }
}
