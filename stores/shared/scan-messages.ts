import type { Message } from '../../domain/messages/message';
import type { FoundMessages, MessagePoint, MessageSearch } from '../ports/message-finder';

/** How long one search looks, ms of real time; it ends with the step in which the time is over. */
const LOOKS_FOR = 60;

/** A step of a search: what fits among the next messages, and the last of these; null when none is left. */
export interface SearchStep {
  items: Message[];
  last: MessagePoint | null;
}

const pointOf = ({ id, createdAt }: Message): MessagePoint => ({ id, at: createdAt });

/**
 * Takes steps until the page is full, nothing is left, or the time is over, by `time` in ms
 * (docs/decisions/0070-a-search-is-timed-and-resumable.md).
 */
export async function scanMessages(
  search: MessageSearch,
  step: (after: MessagePoint | undefined, limit: number) => Promise<SearchStep> | SearchStep,
  time = () => performance.now(),
): Promise<FoundMessages> {
  const began = time();
  const items: Message[] = [];
  for (let { after } = search; ;) {
    const wanted = search.limit - items.length;
    const found = await step(after, wanted);
    items.push(...found.items.filter((message) => hasMetadata(message, search)));
    // The step may have ended within its messages: it goes on behind what it found last.
    const next = found.items.length === wanted ? pointOf(found.items.at(-1)!) : found.last;
    if (next === null || items.length >= search.limit || time() - began >= LOOKS_FOR) return { items, next };
    after = next;
  }
}

/** The drivers look for the text of metadata, which may stand elsewhere in it. */
function hasMetadata({ metadata }: Message, { metadata: wanted }: MessageSearch): boolean {
  if (!wanted) return true;
  return metadata !== null && Object.hasOwn(metadata, wanted.key) && String(metadata[wanted.key]) === wanted.value;
}

const RAW = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;

/** What the JSON of metadata with this value holds: one of these. */
export function metadataTexts({ key, value }: NonNullable<MessageSearch['metadata']>): string[] {
  const name = `${JSON.stringify(key)}:`;
  return [name + JSON.stringify(value), ...(RAW.test(value) ? [`${name}${value},`, `${name}${value}}`] : [])];
}
