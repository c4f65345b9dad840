import { findingsOf, type Finding } from '../finding';
import type { Content, Shown } from '../history';
import { addressOf } from '../rules';
import { recipientOf, type Message, type Run, type Workspace } from '../run';
import type { Act } from '../acts';

/**
 * A mail says what was accepted, to whom it was accepted for, and its links out of the list are those of its recipient.
 * What the history does not tell of a send or a mail is not judged.
 */
export function judgeContent(workspace: Workspace): Finding[] {
  return workspace.messages.flatMap((message) => {
    const { list, add } = findingsOf(`message ${message.id}`);
    const to = recipientOf(message);
    const accepted = acceptedOf(message, workspace);
    for (const [take, shown] of shownIn(message)) {
      const acts = [...message.sends, take];
      if (to && addressOf(shown.to) !== addressOf(to))
        add('content', `It is for ${to}, and says To: ${shown.to}.`, acts);
      const wrong = accepted && to && wrongContent(shown, accepted, to);
      if (wrong) add('content', wrong, acts);
      const lost = wrongLinks(shown, accepted !== null);
      if (lost) add('link', lost, acts);
    }
    for (const page of message.pages) {
      const wrong = to && wrongPage(page, to);
      if (wrong) add('link', wrong, [...message.sends, page]);
    }
    return list;
  });
}

/** No mail carries the link of another one, whoever that is for. */
export function judgeLinks({ messages }: Run): Finding[] {
  const owners = new Map<string, Message>();
  const takes = [...messages.values()].flatMap((message) => shownIn(message).map((seen) => ({ message, seen })));
  return takes.flatMap(({ message, seen: [take, { unsubscribe }] }) => {
    const urls = [unsubscribe.header ?? [], unsubscribe.links].flat();
    const owner = urls.map((url) => owners.get(url)).find((one) => one !== undefined && one !== message);
    for (const url of urls) owners.set(url, owners.get(url) ?? message);
    const { list, add } = findingsOf(`message ${message.id}`);
    if (owner) add('link', `It carries the unsubscribe link of message ${owner.id}.`, [...owner.attempts, take]);
    return list;
  });
}

function shownIn({ attempts }: Message): [Act<'take'>, Shown][] {
  return attempts.flatMap((act) => (act.f === 'take' && act.value.shown ? [[act, act.value.shown]] : []));
}

/** What it may say: of a journey, what any of its mails says. Null: the history does not tell. */
function acceptedOf({ sends, origin }: Message, { more }: Workspace): Content[] | null {
  const told = sends.length > 0 ? sends.map(({ value }) => value) : origin ? toldOf(origin.by) : [];
  const contents = told.flatMap(({ subject, text }) =>
    subject !== undefined && text !== undefined ? [{ subject, text }] : [],
  );
  return contents.length > 0 ? contents : null;

  function toldOf(by: NonNullable<Message['origin']>['by']): Partial<Content>[] {
    if (by.f === 'campaign') return [by.value];
    const journey = more.journey.find(({ value }) => value.journey === origin?.journey);
    return journey?.value.steps ?? [];
  }
}

function wrongContent({ subject, texts }: Shown, accepted: readonly Content[], to: string): string | null {
  const named = accepted.filter((one) => one.subject === subject);
  if (named.length === 0) return `Its subject is "${subject}", and "${accepted[0]?.subject}" was accepted.`;
  const isSaid = (text: string): boolean => texts.every((part) => part.includes(text.replaceAll('{{email}}', to)));
  if (texts.length > 0 && named.some(({ text }) => isSaid(text))) return null;
  return `It says "${texts.join('" and "')}", and "${named[0]?.text}" was accepted for ${to}.`;
}

/** `isMarketing`: it has to let its recipient go. */
function wrongLinks({ unsubscribe: { header, links } }: Shown, isMarketing: boolean): string | null {
  if (isMarketing && (header === null || links.length === 0)) return 'It has no unsubscribe link.';
  const other = links.find((link) => link !== header);
  return other === undefined || header === null ? null : `Its unsubscribe links differ: ${header} and ${other}.`;
}

function wrongPage({ answer }: Act<'page'>, to: string): string | null {
  if (!answer) return null;
  if (answer.status !== 200) return `Its unsubscribe link is answered with ${answer.status}.`;
  const isOwn = answer.names.length === 0 || answer.names.some((name) => addressOf(name) === addressOf(to));
  return isOwn ? null : `It is for ${to}, and its unsubscribe link is of ${answer.names.join(', ')}.`;
}
