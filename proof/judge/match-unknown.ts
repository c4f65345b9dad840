import type { Act } from './acts';
import { makersTold } from './match-origins';
import { addressOf } from './rules';
import { recipientOf, subjectOf, type Message, type Workspace } from './run';

/** Sends without a certain answer that may each have made one message. */
interface Candidate {
  /** One, or all that came with one key. */
  sends: Act<'send'>[];
  workspace: number;
  isUsed: boolean;
}

/**
 * Finds the unknown send behind every message that no answer named: the history says to whom it went, and no two sends
 * go to one address without saying so. Each explains one message at most, and none what a campaign or journey is told
 * to have made.
 */
export function matchUnknown(workspaces: readonly Workspace[], messages: readonly Message[]): void {
  matchRepeats(workspaces, messages);
  const byAddress = new Map<string, Candidate[]>();
  const blocked: Candidate[] = [];
  for (const workspace of workspaces) {
    const isBlocked = new Set(workspace.blocks.map(({ value }) => addressOf(value.to)));
    for (const candidate of candidatesOf(workspace)) {
      const to = addressOf(candidate.sends[0]?.value.to ?? '');
      byAddress.set(to, [...(byAddress.get(to) ?? []), candidate]);
      if (isBlocked.has(to)) blocked.push(candidate);
    }
  }
  const told = makersTold(workspaces);
  for (const message of messages) {
    if (message.sends.length > 0 || told.has(message.id)) continue;
    // The address is gone with its contact.
    const to = recipientOf(message);
    const found = explanationOf(message, (to ? byAddress.get(addressOf(to)) : blocked) ?? []);
    if (!found) continue;
    found.isUsed = true;
    message.sends.push(...found.sends);
    message.workspace ??= found.workspace;
  }
}

/** A send without an answer belongs to the message that a repeat with its key was answered with. */
function matchRepeats(workspaces: readonly Workspace[], messages: readonly Message[]): void {
  const byKey = new Map<string, Message>();
  for (const message of messages) {
    for (const { value } of message.sends)
      if (value.key !== null) byKey.set(`${value.workspace} ${value.key}`, message);
  }
  for (const { id, sends } of workspaces) {
    for (const send of sends) {
      const message = send.result === 'info' ? byKey.get(`${id} ${send.value.key}`) : undefined;
      message?.sends.push(send);
    }
  }
  for (const { sends } of messages) sends.sort((a, b) => a.at - b.at);
}

/** What explains a message, and says what it says, where several do. */
function explanationOf(message: Message, candidates: readonly Candidate[]): Candidate | undefined {
  const possible = candidates.filter((candidate) => explains(candidate, message));
  const subject = subjectOf(message);
  return possible.find(({ sends }) => sends[0]?.value.subject === subject) ?? possible[0];
}

const explains = ({ isUsed, workspace, sends }: Candidate, message: Message): boolean =>
  !isUsed &&
  (message.workspace === null || message.workspace === workspace) &&
  (sends[0]?.at ?? 0) <= (message.attempts[0]?.at ?? Infinity);

function candidatesOf({ id, sends }: Workspace): Candidate[] {
  const answered = new Set(sends.flatMap(({ result, value }) => (result === 'ok' && value.key ? [value.key] : [])));
  const keyed = new Map<string, Candidate>();
  const candidates: Candidate[] = [];
  for (const send of sends) {
    const { key } = send.value;
    if (send.result !== 'info' || (key !== null && answered.has(key))) continue;
    const known = key === null ? undefined : keyed.get(key);
    if (known) known.sends.push(send);
    else {
      const candidate = { sends: [send], workspace: id, isUsed: false };
      candidates.push(candidate);
      if (key !== null) keyed.set(key, candidate);
    }
  }
  return candidates;
}
