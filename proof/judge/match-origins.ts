import { addressOf } from './rules';
import { recipientOf, type Message, type Origin, type Workspace } from './run';

/** An origin explains one message. */
interface Candidate {
  origin: Origin;
  workspace: number;
  isUsed: boolean;
}

/**
 * Finds the campaign, journey or form behind every message that was not sent by itself: each may write once to an
 * address, a journey once for each of its mails, a form once each time that it is filled in.
 */
export function matchOrigins(workspaces: readonly Workspace[], messages: readonly Message[]): void {
  const byAddress = candidatesByAddress(workspaces);
  if (byAddress.size === 0) return;
  const told = makersTold(workspaces);
  for (const message of messages) {
    if (message.sends.length > 0) continue;
    const maker = told.get(message.id) ?? null;
    const possible = byAddress.get(addressOf(recipientOf(message) ?? ''))?.filter((one) => explains(one, message));
    const found = possible?.find(({ origin }) => makerOf(origin) === maker) ?? possible?.[0];
    if (!found) continue;
    found.isUsed = true;
    message.origin = found.origin;
    message.workspace ??= found.workspace;
  }
}

/** Who may have written to each address, in order of time. */
function candidatesByAddress(workspaces: readonly Workspace[]): Map<string, Candidate[]> {
  const byAddress = new Map<string, Candidate[]>();
  for (const workspace of workspaces) {
    for (const origin of originsOf(workspace)) {
      const to = addressOf(origin.to);
      const known = byAddress.get(to);
      const candidate = { origin, workspace: workspace.id, isUsed: false };
      if (known) known.push(candidate);
      else byAddress.set(to, [candidate]);
    }
  }
  for (const candidates of byAddress.values()) candidates.sort((a, b) => a.origin.at - b.origin.at);
  return byAddress;
}

/** Which campaign or journey is told to have made a message, by its id. */
export function makersTold(workspaces: readonly Workspace[]): Map<string, string> {
  const told = new Map<string, string>();
  const note = (maker: string, made: readonly { message: string | null }[]): void => {
    for (const { message } of made) if (message !== null) told.set(message, maker);
  };
  for (const { more } of workspaces) {
    const { campaigns = [], journeys = [] } = more.export[0]?.answer ?? {};
    for (const { campaign, recipients } of campaigns) note(`campaign ${campaign}`, recipients);
    for (const { journey, contacts } of journeys) contacts.forEach(({ steps }) => note(`journey ${journey}`, steps));
  }
  return told;
}

function makerOf({ by, journey }: Origin): string | null {
  if (by.f === 'campaign') return `campaign ${by.value.campaign}`;
  return journey === null ? null : `journey ${journey}`;
}

const explains = ({ isUsed, workspace, origin }: Candidate, message: Message): boolean =>
  !isUsed &&
  (message.workspace === null || message.workspace === workspace) &&
  origin.at <= (message.attempts[0]?.at ?? Infinity);

function originsOf({ more }: Workspace): Origin[] {
  const joins = more.join.filter(isPossible);
  return [...ofCampaigns(), ...ofForms(), ...ofJourneys()];

  /** A campaign that was asked for several times runs once. */
  function ofCampaigns(): Origin[] {
    return [...firstBy(more.campaign.filter(isPossible), ({ value }) => value.campaign).values()].flatMap((by) => {
      const members = joins.filter(({ value }) => value.audience === by.value.audience);
      return [...new Set(members.map(({ value }) => value.to))].map((to) => ({ at: by.at, to, by, journey: null }));
    });
  }

  function ofForms(): Origin[] {
    return joins.filter(({ value }) => value.double).map((by) => ({ at: by.at, to: by.value.to, by, journey: null }));
  }

  function ofJourneys(): Origin[] {
    return more.journey.flatMap(({ value: { journey, audience, steps } }) => {
      const mails = steps.filter(({ type }) => type === 'email').length;
      const enrolled = more.enroll.filter(({ value }) => value.journey === journey);
      const confirmed = more.confirm.filter(({ value }) => value.audience === audience);
      const entries = [...enrolled, ...confirmed].filter(isPossible);
      // Each contact enters once, when it is asked for first.
      const first = firstBy(entries, ({ value }) => addressOf(value.to));
      return [...first.values()].flatMap((by) =>
        Array<Origin>(mails).fill({ at: by.at, to: by.value.to, by, journey }),
      );
    });
  }
}

const isPossible = ({ result }: { result: string }): boolean => result !== 'fail';

/** The first of each key. */
function firstBy<T, K>(list: readonly T[], keyOf: (item: T) => K): Map<K, T> {
  const first = new Map<K, T>();
  for (const item of list) if (!first.has(keyOf(item))) first.set(keyOf(item), item);
  return first;
}
