import type { Thread } from '../../../domain/messages/message';
import type { HeaderFields } from './header-fields';

/** A line has 998 octets, and an id cannot be folded: it has a line of its own, behind a space. */
const LONGEST_ID = 997;
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOTTED = `${ATOM}(?:\\.${ATOM})*`;
/** msg-id of RFC 5322 section 3.6.4, without its obsolete forms. */
const WELL_FORMED = new RegExp(`^<${DOTTED}@(?:${DOTTED}|\\[[!-Z^-~]*\\])>$`);
/** Any id, as programs write them: it must be sent back as it came. */
const ANY_ID = /<[!-;=?-~]+>/g;
/** The first of a thread and its last are what programs look for; a list has at most so many ids, and octets. */
const MAX_IDS = 100;
const MAX_OCTETS = 16 * 1024;

/**
 * What a mail says of its thread: its Message-ID when that is one, and well-formed; the ids of In-Reply-To and
 * References, each once, without anything else that stands there. Of long lists the first id and the last ones. Null
 * when there is nothing. Linear in the length; never throws.
 */
export function readThread(fields: HeaderFields): Thread | null {
  const thread = {
    messageId: ownId(fields.get('message-id') ?? []),
    inReplyTo: idsOf(fields.get('in-reply-to') ?? []),
    references: idsOf(fields.get('references') ?? []),
  };
  return thread.messageId !== null || thread.inReplyTo.length > 0 || thread.references.length > 0 ? thread : null;
}

function ownId([field = '', ...others]: readonly string[]): string | null {
  const id = field.replace(/\([^()]*\)/g, '').trim();
  return others.length === 0 && id.length <= LONGEST_ID && WELL_FORMED.test(id) ? id : null;
}

function idsOf(fields: readonly string[]): string[] {
  const ids = [...new Set(fields.flatMap((field) => field.match(ANY_ID) ?? []))].filter(
    ({ length }) => length <= LONGEST_ID,
  );
  const [first, ...rest] = ids;
  if (first === undefined) return [];
  let octets = first.length;
  const last = rest.slice(1 - MAX_IDS).reverse();
  const end = last.findIndex((id) => (octets += id.length + 1) > MAX_OCTETS);
  return [first, ...(end < 0 ? last : last.slice(0, end)).reverse()];
}
