import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { EnrolledContact, JourneyRef } from '../../../stores/ports/journey-runs';
import { FINAL } from '../caller';
import { CommandLine } from '../campaigns/command-line';
import { killMeanwhile } from '../stage/kill-meanwhile';
import { playScene, withDifferences, type Scene, type SceneEnd, type SceneOptions } from '../stage/play-scene';
import { allMessages } from '../verdict';
import { actAll, enrollAll } from './acts';
import { defineJourney } from './definition';
import { Hook } from './hook';
import { judgeJourney, readEnrolled, type JourneyVerdict } from './judge';
import { numberOf, traveller, type Traveller } from './people';

export interface JourneysOptions extends SceneOptions {
  contacts: number;
  /** Seconds between kills, on average. */
  every: number;
  /** It is not killed more often; a crowded machine gets on between two kills hardly at all. Default: no limit. */
  mostKills?: number;
}

export type JourneysResult = JourneyVerdict & SceneEnd;

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
  const { contacts, every, mostKills, program } = options;
  const hook = new Hook();
  const url = await hook.listen();
  const act = async (scene: Scene): Promise<{ play: Play; acted: Set<number> }> => {
    const { stage, sender, random } = scene;
    const { folder, installation } = stage;
    const journey = await defineJourney(new CommandLine(program, installation), sender, { folder, hook: url });
    const play = new Play(scene, journey, contacts);
    const acted = await killMeanwhile(stage, { random, every: every * SECOND, mostKills }, () => play.travel());
    await play.end();
    return { play, acted };
  };
  const look = async ({ stage, sender }: Scene, { play, acted }: Awaited<ReturnType<typeof act>>) => {
    const { installation, journal } = stage;
    const { people, journey } = play;
    const verdict = await judgeJourney({ installation, journal, sender, journey, people, acted, posted: hook.seen });
    return { ...verdict, faults: [...play.faults, ...verdict.faults] };
  };
  try {
    const cast = { workspaces: 1, coins: contacts * COINS_EACH };
    return withDifferences(await playScene({ ...options, env: ENV }, cast, { act, look }));
  } finally {
    hook.close();
  }
}

class Play {
  readonly people = new Map<number, Traveller>();
  readonly faults: string[] = [];

  constructor(
    private readonly scene: Scene,
    readonly journey: JourneyRef,
    private readonly contacts: number,
  ) {}

  /** Until every mail is final and nothing is pending. */
  async end(): Promise<void> {
    this.scene.progress(`all have ended after ${this.scene.stage.kills} kills`);
    await this.until((messages) => messages.every(({ status }) => FINAL.has(status)), DAY);
    await this.scene.stage.untilIdle();
  }

  /** From the first enrollment to the last end. Returns the numbers of those who acted. */
  async travel(): Promise<Set<number>> {
    const { stage, sender, caller, progress } = this.scene;
    this.faults.push(...(await enrollAll(caller, sender, this.journey.id, this.contacts)));
    for (const { contactId, email } of await this.rows()) this.people.set(contactId, traveller(numberOf(email ?? '')));
    progress(`${this.people.size} contacts entered`);
    await this.untilRows(
      (rows) => rows.every(({ steps, status }) => steps.length > 0 || status !== 'active'),
      20 * SECOND,
    );
    // A mail that a kill left without an answer waits for days, and the others do not wait for it.
    await this.until((messages) => messages.every(({ status }) => FINAL.has(status)), 10 * MINUTE, STILL);
    // Who clicks at the moment of the delivery would be taken for a machine.
    await stage.advance(HOUR);
    const delivered = await this.deliveredMails();
    const acting = (await this.rows()).flatMap((row) => {
      const person = this.people.get(row.contactId);
      return person?.act && delivered.has(row.steps[0]?.messageId ?? '') ? [{ person, row }] : [];
    });
    await actAll(stage, caller, sender, acting);
    const acted = new Set(acting.map(({ person }) => person.n));
    progress(`${acted.size} contacts clicked, unsubscribed or were deleted`);
    if (acted.size === 0)
      this.faults.push('no mail arrived in time for a contact to click, to unsubscribe or to be deleted');
    const isActing = ({ contactId }: EnrolledContact): boolean => acted.has(this.people.get(contactId)?.n ?? -1);
    await this.untilRows((rows) => rows.every((row) => row.status !== 'active' || !isActing(row)), 10 * SECOND);
    await this.untilRows((rows) => rows.every(({ status }) => status !== 'active'), 6 * HOUR);
    return acted;
  }

  private rows(): Promise<EnrolledContact[]> {
    return readEnrolled(this.scene.stage.installation, this.journey);
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
      if (performance.now() - changed > BUSY || (await this.scene.stage.isIdle())) await this.scene.stage.advance(step);
    }
    this.faults.push('the journey does not go on');
  }

  private async messages(): Promise<{ id: string; status: string }[]> {
    const engine = await this.scene.stage.installation.open();
    const messages = [];
    try {
      for await (const { id, status } of allMessages(engine.stores, this.scene.sender.workspaceId)) {
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
}
