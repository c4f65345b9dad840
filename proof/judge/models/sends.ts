import type { Act } from '../acts';
import { findingsOf, type Finding } from '../finding';
import { addressOf } from '../rules';
import { recipientOf, sentAt, type Message, type Run, type Workspace } from '../run';

/** Every acknowledged send is one message, a key is one message, and nothing exists that nobody sent. */
export function judgeSends(workspace: Workspace): Finding[] {
  const findings = [...judgeKeys(workspace), ...judgeFinals(workspace)];
  for (const message of workspace.messages) findings.push(...judgeMessage(message, workspace));
  return findings;
}

/** Messages that belong to no workspace: nobody sent them, and no final read has them. */
export function judgeStrangers({ messages }: Run): Finding[] {
  const findings: Finding[] = [];
  for (const { id, workspace, attempts } of messages.values()) {
    if (workspace !== null || attempts.length === 0) continue;
    const { list, add } = findingsOf(`message ${id}`);
    add('unsent', 'The sending server got a mail that nobody sent.', attempts);
    findings.push(...list);
  }
  return findings;
}

function judgeFinals({ id, accounts, sends, finals }: Workspace): Finding[] {
  const { list, add } = findingsOf(`workspace ${id}`);
  if (!finals.some(({ answer }) => answer)) add('final', 'Nobody read the workspace in the end.', accounts);
  if (finals.length > 1) add('history', 'The workspace was read more than once in the end.', finals);
  if (accounts.length !== 1)
    add('history', 'The history has not exactly one account of it.', [...accounts, ...sends.slice(0, 1)]);
  return list;
}

function judgeMessage(message: Message, { finals }: Workspace): Finding[] {
  const { sends, origin, final, attempts } = message;
  const { list, add } = findingsOf(`message ${message.id}`);
  if (sends.length === 0 && !origin) add('unsent', 'The message exists, and nobody sent it.', [...attempts, ...finals]);
  const answered = sends.filter(({ answer }) => answer);
  if (!final && answered.length > 0 && finals.some(({ answer }) => answer)) {
    add('lost', 'The send was acknowledged, and the message is not there in the end.', [...answered, ...attempts]);
  }
  const to = recipientOf(message);
  // A contact that was deleted has no address any more.
  if (final?.to && to && addressOf(final.to) !== addressOf(to)) {
    add('address', `It was sent to ${to}, and is to ${final.to} in the end.`, [...sends, ...finals]);
  }
  if (
    new Set(sends.map(({ value }) => value.key)).size > 1 ||
    sends.filter(({ value }) => value.key === null).length > 1
  ) {
    add('shared', 'Sends without a common key were answered with one message.', sends);
  }
  for (const send of answered) {
    const wrong = wrongAnswer(send);
    if (wrong) add('answer', wrong, [send]);
  }
  if (attempts.some(({ at }) => at < sentAt(message)))
    add('unsent', 'It was handed over before it was sent.', [...sends, ...attempts]);
  return list;
}

function wrongAnswer({ value, answer }: Act<'send'>): string | null {
  if (value.relay) return answer?.status === 250 ? null : `The relay took a mail with ${answer?.status}.`;
  if (answer?.status === 201) return answer.state === 'queued' ? null : `A new message is ${answer.state}, not queued.`;
  if (answer?.status !== 200) return `A send was acknowledged with ${answer?.status}.`;
  return value.key === null ? 'A send without a key was answered as a repeat.' : null;
}

function judgeKeys({ id, sends }: Workspace): Finding[] {
  const keys = new Map<string, Act<'send'>[]>();
  for (const send of sends) {
    if (send.value.key === null || send.result === 'fail') continue;
    const known = keys.get(send.value.key);
    if (known) known.push(send);
    else keys.set(send.value.key, [send]);
  }
  const { list, add } = findingsOf(`workspace ${id}`);
  for (const [key, repeats] of keys) {
    const answered = repeats.filter(({ answer }) => answer);
    const messages = new Set(answered.map(({ answer }) => answer?.message));
    if (messages.size > 1) add('key', `The key ${key} was answered with ${messages.size} messages.`, answered);
    const wrong = wrongOrder(answered, repeats);
    if (wrong) add('repeat', `The key ${key}: ${wrong}`, repeats);
  }
  return list;
}

/** One 201 comes first, as far as its answer was seen; then 200. */
function wrongOrder(answered: readonly Act<'send'>[], repeats: readonly Act<'send'>[]): string | null {
  const first = answered.filter(({ answer }) => answer?.status === 201);
  if (first.length > 1) return `it was answered with 201 ${first.length} times.`;
  const again = answered.filter(({ answer }) => answer?.status === 200);
  if (first[0] && again.some(({ end }) => end < (first[0]?.at ?? 0))) return 'a 200 came before its 201.';
  const unknown = repeats.some(({ result, at }) => result === 'info' && again.every(({ end }) => at <= end));
  return again.length > 0 && !first[0] && !unknown ? 'a 200 came without a first send.' : null;
}
