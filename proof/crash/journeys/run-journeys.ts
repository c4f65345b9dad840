import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { EnrolledContact, JourneyRef } from '../../../stores/ports/journey-runs';
import { auditData } from '../audit-data';
import { ApiCaller, FINAL } from '../caller';
import { CommandLine } from '../campaigns/command-line';
import { seededRandom } from '../random';
import { seedWorkspaces, type Sender } from '../seed';
import { allMessages } from '../verdict';
import type { StartSubject, Subject } from '../webhooks/subject';
import { actAll, enrollAll } from './acts';
import { defineJourney } from './definition';
import { Hook } from './hook';
import { judgeJourney, readEnrolled, type JourneyVerdict } from './judge';
import { numberOf, traveller, type Traveller } from './people';

export interface JourneysOptions {
  program: string;
  start: StartSubject;
  seed: number;
  contacts: number;
  /** Seconds between kills, on average. */
  every: number;
  /** It is not killed more often; a crowded machine gets on between two kills hardly at all. Default: no limit. */
  mostKills?: number;
  progress: (text: string) => void;
}

export interface JourneysResult extends JourneyVerdict {
  kills: number;
  /** From the first enrollment to the last end, ms. */
  took: number;
}

/** Premium accounts send faster than any machine. */
const ENV = { KURIR_PREMIUM_PER_MINUTE: '10000000' };
/** Two mails, and a penalty. */
const COINS_EACH = 6;
const LOOK = 400;
/** Real time without any change after which the rest is lost, ms. */
const SILENCE = 120_000;
/** Real time without a change after which only days can end a mail, ms. */
const STILL = 60_000;
/** Real time without a change after which nothing but the clock can go on, ms. */
const BUSY = 3_000;

/**
 * The proof of journeys: contacts enter one of six steps, click, unsubscribe, bounce, complain and get deleted on the
 * way, while the service is killed again and again and days pass. Then what was stored is compared with what they did
 * and with what the sink and the endpoint of the webhook step received.
 */
export async function runJourneys(options: JourneysOptions): Promise<JourneysResult> {
  let sender: Sender | null = null;
  const seed = async (installation: Subject['installation']): Promise<void> => {
    [sender = null] = await seedWorkspaces(installation, 1, options.contacts * COINS_EACH);
  };
  const hook = new Hook();
  const url = await hook.listen();
  const subject = await options.start(options.program, seed, ENV);
  try {
    const { folder, installation } = subject;
    const journey = await defineJourney(new CommandLine(options.program, installation), sender!, { folder, hook: url });
    return await new Play(options, { subject, sender: sender!, journey, hook }).run();
  } finally {
    await subject.close();
    hook.close();
  }
}

interface Ground {
  subject: Subject;
  sender: Sender;
  journey: JourneyRef;
  hook: Hook;
}

class Play {
  private readonly caller: ApiCaller;
  private readonly people = new Map<number, Traveller>();
  private readonly faults: string[] = [];

  constructor(
    private readonly options: JourneysOptions,
    private readonly ground: Ground,
  ) {
    this.caller = new ApiCaller(ground.subject.origins.map((origin) => `${origin}/v1`));
  }

  async run(): Promise<JourneysResult> {
    const { subject, journey, hook, sender } = this.ground;
    const began = performance.now();
    const over = new AbortController();
    const kills = this.killMeanwhile(over.signal);
    let acted: Set<number>;
    try {
      acted = await this.travel();
    } finally {
      over.abort();
      await kills;
    }
    const took = performance.now() - began;
    this.options.progress(`all have ended after ${subject.kills} kills`);
    await this.until((messages) => messages.every(({ status }) => FINAL.has(status)), DAY);
    await this.untilIdle();
    this.faults.push(...(await subject.stop()));
    const { installation, journal } = subject;
    const { people } = this;
    const verdict = await judgeJourney({ installation, journal, sender, journey, people, acted, posted: hook.seen });
    const faults = [...this.faults, ...verdict.faults, ...(await auditData(installation))];
    return { ...verdict, faults, kills: subject.kills, took };
  }

  /** From the first enrollment to the last end. Returns the numbers of those who acted. */
  private async travel(): Promise<Set<number>> {
    const { subject, sender, journey } = this.ground;
    const { contacts, progress } = this.options;
    this.faults.push(...(await enrollAll(this.caller, sender, journey.id, contacts)));
    for (const { contactId, email } of await this.rows()) this.people.set(contactId, traveller(numberOf(email ?? '')));
    progress(`${this.people.size} contacts entered`);
    await this.untilRows(
      (rows) => rows.every(({ steps, status }) => steps.length > 0 || status !== 'active'),
      20 * SECOND,
    );
    // A mail that a kill left without an answer waits for days, and the others do not wait for it.
    await this.until((messages) => messages.every(({ status }) => FINAL.has(status)), 10 * MINUTE, STILL);
    // Who clicks at the moment of the delivery would be taken for a machine.
    await subject.advance(HOUR);
    const delivered = await this.deliveredMails();
    const acting = (await this.rows()).flatMap((row) => {
      const person = this.people.get(row.contactId);
      return person?.act && delivered.has(row.steps[0]?.messageId ?? '') ? [{ person, row }] : [];
    });
    await actAll(subject, this.caller, sender, acting);
    const acted = new Set(acting.map(({ person }) => person.n));
    progress(`${acted.size} contacts clicked, unsubscribed or were deleted`);
    if (acted.size === 0)
      this.faults.push('no mail arrived in time for a contact to click, to unsubscribe or to be deleted');
    const isActing = ({ contactId }: EnrolledContact): boolean => acted.has(this.people.get(contactId)?.n ?? -1);
    await this.untilRows((rows) => rows.every((row) => row.status !== 'active' || !isActing(row)), 10 * SECOND);
    await this.untilRows((rows) => rows.every(({ status }) => status !== 'active'), 6 * HOUR);
    return acted;
  }

  private async killMeanwhile(over: AbortSignal): Promise<void> {
    const { seed, every, mostKills = Infinity } = this.options;
    const random = seededRandom(seed);
    while (this.ground.subject.kills < mostKills) {
      await sleep(every * 1_000 * (0.25 + 1.5 * random()), over);
      if (over.aborted) return;
      await this.ground.subject.kill();
    }
  }

  private rows(): Promise<EnrolledContact[]> {
    return readEnrolled(this.ground.subject.installation, this.ground.journey);
  }

  /** Advances the clock by `step` ms after each look, until that holds for the contacts of the journey. */
  private untilRows(holds: (rows: EnrolledContact[]) => boolean, step: number): Promise<void> {
    return this.look(async () => {
      const rows = await this.rows();
      return [holds(rows), rows.map(({ status, steps }) => status + steps.length).join()];
    }, step);
  }

  /** The same for all messages. */
  private until(
    holds: (messages: { id: string; status: string }[]) => boolean,
    step: number,
    still = Infinity,
  ): Promise<void> {
    const read = async (): Promise<[boolean, string]> => {
      const messages = await this.messages();
      return [holds(messages), messages.map(({ status }) => status).join()];
    };
    return this.look(read, step, still);
  }

  /** After `still` ms without a change it goes on all the same. */
  private async look(
    read: () => Promise<[isDone: boolean, state: string]>,
    step: number,
    still = Infinity,
  ): Promise<void> {
    let before = '';
    for (let changed = performance.now(); performance.now() - changed < SILENCE; await sleep(LOOK)) {
      const [isDone, state] = await read();
      if (isDone || (state === before && performance.now() - changed > still)) return;
      if (state !== before) [before, changed] = [state, performance.now()];
      // Leaps while mails are handed over would only show what leaps do to leases.
      if (performance.now() - changed > BUSY || (await this.isAtRest())) await this.ground.subject.advance(step);
    }
    this.faults.push('the journey does not go on');
  }

  private async messages(): Promise<{ id: string; status: string }[]> {
    const engine = await this.ground.subject.installation.open();
    const messages = [];
    try {
      for await (const { id, status } of allMessages(engine.stores, this.ground.sender.workspaceId)) {
        messages.push({ id, status });
      }
      return messages;
    } finally {
      await engine.close();
    }
  }

  private async deliveredMails(): Promise<Set<string>> {
    return new Set((await this.messages()).flatMap(({ id, status }) => (status === 'delivered' ? [id] : [])));
  }

  /** Waits until the service is idle and the sink has no report left, three times in a row. */
  private async untilIdle(): Promise<void> {
    const end = performance.now() + SILENCE;
    for (let times = 0; times < 3 && performance.now() < end; await sleep(LOOK)) {
      times = (await this.isAtRest()) ? times + 1 : 0;
    }
  }

  private async isAtRest(): Promise<boolean> {
    const { subject } = this.ground;
    return (await subject.isIdle()) && (await subject.pendingReports()) === 0;
  }
}
