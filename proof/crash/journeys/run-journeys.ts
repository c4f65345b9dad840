import { HOUR, MINUTE } from '../../../lib/clock';
import { bodyOf } from '../../world/mail-body';
import { linksOf } from '../../world/reader';
import { withData } from '../installation';
import { forEach } from '../load';
import type { Sender } from '../seed';
import { raiseRate } from '../seed';
import { killMeanwhile, type Kills } from '../stage/kill-meanwhile';
import { doneOf, play, untilFinal, type Played, type PlayOptions, type Scene } from '../stage/play';
import { workOff } from '../stage/work-off';
import { defineJourney } from './definition';
import { Hook } from './hook';

export interface JourneysOptions extends PlayOptions, Kills {
  contacts: number;
}

export interface JourneysResult extends Played {
  /** Contacts by how they ended. */
  ends: Record<string, number>;
  /** Steps that were done. */
  steps: number;
}

/** Of twenty contacts, those that do not just go to the end, and what they do after their first mail. */
const ACTS: Readonly<Record<number, 'click' | 'unsubscribe' | 'delete'>> = {
  1: 'click',
  4: 'unsubscribe',
  10: 'delete',
};
const KINDS: Readonly<Record<number, string>> = { 7: 'hardbounce', 13: 'complaint', 16: 'reject' };
const EVERY = 20;
/** Premium accounts send faster than any machine. */
const PREMIUM = 10_000_000;
/** Two mails, and a penalty. */
const COINS_EACH = 6;
/** How long first mails are waited for: one that a kill left without an answer takes days; ms. */
const FIRST_MAILS = HOUR;
const UNSUBSCRIBE = /^list-unsubscribe:.*?<https?:\/\/[^/>]+(\/[^>]+)>/ims;

/**
 * The proof of journeys: contacts enter one of seven steps, click, unsubscribe, bounce, complain and get deleted on the
 * way, while the service is killed again and again and days pass.
 */
export async function runJourneys(options: JourneysOptions): Promise<JourneysResult> {
  const { contacts } = options;
  const hook = new Hook();
  const url = await hook.listen();
  const given = { ...options, slack: { premium: PREMIUM } };
  const act = async (scene: Scene): Promise<object> => {
    const { stage, senders, outside, progress } = scene;
    const [sender] = senders as [Sender];
    const journey = await defineJourney(stage.commandLine, sender, { folder: stage.folder, hook: url });
    sender.journeys = [journey];
    outside.recorder.begin('operator', 'journey', { workspace: sender.workspaceId, ...journey });
    const people = Array.from({ length: contacts }, (_, n) => ({
      n,
      to: `${KINDS[n % EVERY] ?? 'delivered'}+${n}@pelanggan.test`,
    }));
    await killMeanwhile(scene, options, async () => {
      const enter = ({ to }: { to: string }, name: string): Promise<unknown> =>
        outside.insist('enroll', {
          name,
          value: { workspace: sender.workspaceId, journey: journey.journey, to },
          path: `/v1/journeys/${journey.journey}/enroll`,
          asked: { key: sender.apiKey, body: { email: to, consent: true } },
          said: ({ status }) => ({ status }),
          isStubborn: true,
        });
      await forEach(people, enter);
      await forEach(
        people.filter(({ n }) => n % 10 === 0),
        enter,
      );
      progress(`${contacts} contacts entered`);
      await untilFirstMails(scene, contacts);
      await forEach(people, ({ n, to }, name) => goOwnWay(scene, { act: ACTS[n % EVERY], to, name }));
      progress('contacts clicked, unsubscribed or were deleted');
      await untilFinal(scene);
    });
    return {};
  };
  const tell = (scene: Scene) => {
    const travellers = doneOf(scene, 'export')[0]?.answer.journeys.flatMap((one) => one.contacts) ?? [];
    const ends: Record<string, number> = {};
    for (const { state, reason } of travellers) {
      const end = state === 'left' ? `left: ${reason}` : state;
      ends[end] = (ends[end] ?? 0) + 1;
    }
    const steps = travellers.flatMap((one) => one.steps);
    const posts = steps.filter(({ type }) => type === 'webhook').length;
    const faults = [
      ...(posts === hook.seen.size ? [] : [`${hook.seen.size} posts of webhook steps arrived, not ${posts}`]),
      ...(doneOf(scene, 'click').length > 0 ? [] : ['no mail arrived in time for a contact to click']),
    ];
    return { ends, steps: steps.length, faults };
  };
  try {
    return await play(given, { workspaces: 1, coins: contacts * COINS_EACH, prepare: raiseRate(PREMIUM) }, act, tell);
  } finally {
    hook.close();
  }
}

/** Moves time on until as many mails as contacts were handed over, or refused, and an hour more for their reports. */
async function untilFirstMails({ stage, outside }: Scene, contacts: number): Promise<void> {
  const end = stage.now() + FIRST_MAILS;
  const isOver = (): boolean =>
    stage.now() >= end && (outside.server.mails.length >= contacts / 2 || stage.now() >= end + FIRST_MAILS);
  await workOff(
    stage,
    async () => (isOver() ? '' : 'first mails'),
    () => 10 * MINUTE,
  );
}

/** Lets a contact act that does, by the links of its first mail or by the API, until that is answered. */
async function goOwnWay(
  { outside, senders, stage }: Scene,
  { act, to, name }: { act: 'click' | 'unsubscribe' | 'delete' | undefined; to: string; name: string },
): Promise<void> {
  const [{ workspaceId: workspace, apiKey: key }] = senders as [Sender];
  const mail = outside.server.mails.find((one) => one.to === to);
  if (!mail || !act) return;
  const said = ({ status }: { status: number }): { status: number } => ({ status });
  const common = { name, said, isStubborn: true };
  if (act === 'click') {
    const { message, source } = mail;
    const path = linksOf(bodyOf(source)).clicks[0] ?? '';
    await outside.insist('click', { ...common, value: { message, link: 0 }, path, asked: {} });
    return;
  }
  const value = { workspace, to, leaves: true as const };
  if (act === 'unsubscribe') {
    const path = UNSUBSCRIBE.exec(mail.source.replace(/\r\n[ \t]+/g, ''))?.[1] ?? '';
    await outside.insist('block', { ...common, value, path, asked: { method: 'POST' } });
    return;
  }
  const contact = await withData(stage.installation, ({ stores }) => stores.contacts.find(workspace, to));
  await outside.insist('block', {
    ...common,
    value,
    path: `/v1/contacts/${contact?.id}`,
    asked: { key, method: 'DELETE' },
  });
}
