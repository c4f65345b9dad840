import { RETURNED } from './wordings';

/** What a report in prose says about some recipients. */
export interface RefusalBlock {
  /** In lower case; empty when none is named. */
  recipients: readonly string[];
  text: string;
}

const ADDRESS = /[^\s<>()[\]{},;:"'|]{1,128}@[\p{L}\p{N}.-]{1,253}/gu;
/** A line that names a recipient first: `<ana@toko.example>:`, `ana@toko.example on 3.1.2026`. */
const NAMES_RECIPIENT =
  /^[\s*•-]{0,20}(?:(?:recipient|final-recipient|to|address|user|e-mail|mail)\s?:\s{0,8})?["'<(]{0,2}[^\s<>()[\]{},;:"'|]{1,128}@[\p{L}\p{N}.-]{1,253}/iu;
/** Fields with which a returned mail begins, when nothing announces it. */
const FIELD = /^(?:return-path|received|dkim-signature|message-id|mime-version):\s/i;
const MAX_LINES = 400;
const MAX_BLOCKS = 20;

/** The text without the mail that it returns. */
export function withoutReturned(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).slice(0, MAX_LINES);
  const end = lines.findIndex((line, n) => {
    const lower = line.toLowerCase();
    return FIELD.test(line) || (n > 0 && lower.length < 200 && RETURNED.some((words) => lower.includes(words)));
  });
  return (end < 0 ? lines : lines.slice(0, end)).join('\n');
}

/**
 * The parts of a report by recipient, one for each however often it is named; one part for all when it names none at
 * the beginning of a line.
 */
export function refusalBlocks(text: string): RefusalBlock[] {
  const blocks = new Map<string, { recipients: readonly string[]; lines: string[] }>();
  let lines: string[] | undefined;
  for (const line of text.split('\n')) {
    if (NAMES_RECIPIENT.test(line)) {
      const recipients = addressesIn(line);
      const name = recipients[0] ?? '';
      if (!blocks.has(name) && blocks.size < MAX_BLOCKS) blocks.set(name, { recipients, lines: [] });
      lines = blocks.get(name)?.lines ?? lines;
    }
    lines?.push(line);
  }
  if (blocks.size === 0) return [{ recipients: addressesIn(text), text }];
  return [...blocks.values()].map(({ recipients, lines }) => ({ recipients, text: lines.join('\n') }));
}

const addressesIn = (text: string): string[] => [
  ...new Set((text.match(ADDRESS) ?? []).slice(0, MAX_BLOCKS).map((address) => address.toLowerCase())),
];
