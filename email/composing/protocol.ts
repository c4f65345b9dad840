import type { KeyObject } from 'node:crypto';
import type { FilledSize } from '../../domain/messages/mail-size';
import type { Attachment, MessageBody, Variables } from '../../domain/messages/message';
import { coded, FieldList, nested, plain, type Values } from '../../lib/fields';
import type { FeedbackLoop, MailFacts } from '../mail-headers';
import type { MailLinks } from '../mail-links';
import type { ComposeJob } from './composer';

/** The content of many mails. */
export type SharedContent = readonly [html: string, text: string | null];

/** The jobs of one turn of the caller's event loop. */
export interface ComposeBatch {
  /** Keys and shared contents that are new to the worker, with the number under which the jobs refer to them. */
  keys: (readonly [number: number, key: KeyObject])[];
  contents: (readonly [number: number, content: SharedContent])[];
  /** Numbers that no job refers to any more. */
  forget: number[];
  jobs: JobRow[];
}

/** A mail, its bytes in their own ArrayBuffer; or the size for which there was no room; or the error. */
export type ComposeResult =
  | readonly [id: number, raw: Uint8Array, destinations: string[]]
  | readonly [id: number, raw: null, rest: FilledSize | string];

/**
 * A ComposeJob on its way between threads: the values without their names, and the attachments separately, since their
 * bytes are transferred.
 */
export type JobRow = readonly [
  id: number,
  key: number,
  values: Values<JobValues>,
  attachments: readonly TransferredAttachment[],
  /** The number of the shared content; null: the content is among the values. */
  content: number | null,
];

type JobValues = Omit<ComposeJob, 'key' | 'attachments'>;
type TransferredAttachment = Omit<Attachment, 'content'> & { content: Uint8Array<ArrayBuffer> };

/** Of a shared body, which is sent apart and once. */
const NOT_HERE: [string, null, null] = ['', null, null];

const JOB = new FieldList<JobValues>({
  message: nested(
    new FieldList<MailFacts>({
      id: plain,
      contactId: plain,
      campaignId: plain,
      subject: plain,
      fromEmail: plain,
      fromName: plain,
      replyTo: plain,
      thread: plain,
    }),
  ),
  to: plain,
  contactName: plain,
  body: coded<MessageBody, [html: string, text: string | null, variables: Variables | null]>(
    ({ html, text, variables, isShared }) => (isShared ? NOT_HERE : [html, text, variables ?? null]),
    ([html, text, variables]) => ({ html, text, ...(variables && { variables }) }),
  ),
  business: coded<ComposeJob['business'], [name: string, address: string]>(
    ({ name, address }) => [name, address],
    ([name, address]) => ({ name, address }),
  ),
  language: plain,
  marketing: plain,
  trackConversions: plain,
  unmarkedHosts: plain,
  links: coded<MailLinks, [clicks: string | null, open: string | null, unsubscribe: string, browser: string | null]>(
    ({ clicks, open, unsubscribe, browser }) => [clicks, open, unsubscribe, browser],
    ([clicks, open, unsubscribe, browser]) => ({ clicks, open, unsubscribe, browser }),
  ),
  feedback: coded<FeedbackLoop | null, [id: string, address: string] | null>(
    (of) => of && [of.id, of.address],
    (row) => row && { id: row[0], address: row[1] },
  ),
  preheader: plain,
  sendingDomain: plain,
  now: plain,
  selector: plain,
  largest: plain,
  room: plain,
});

/** The row of a job; `key` and `content` are the numbers of its key and of its content if that is shared. */
export const toJobRow = (id: number, key: number, job: ComposeJob, content: number | null): JobRow => [
  id,
  key,
  JOB.encode(job),
  job.attachments.map(toTransferred),
  content,
];

/** Decodes a row; `key` is the key it refers to, `content` its shared content, if it has one. */
export function toJob([, , values, attachments]: JobRow, key: KeyObject, content: SharedContent | null): ComposeJob {
  const job = { ...JOB.decode(values), attachments: attachments.map(fromTransferred), key };
  if (content) job.body = { html: content[0], text: content[1] };
  return job;
}

/** The bytes that are transferred to the other thread with a row and are then unusable here. */
export const transferredBytes = ([, , , attachments]: JobRow): ArrayBuffer[] =>
  attachments.map(({ content }) => content.buffer);

/** Copies bytes that share their ArrayBuffer with others, so that those are not transferred along. */
function toTransferred(attachment: Attachment): TransferredAttachment {
  const { content } = attachment;
  const isAlone = content.length > 0 && content.length === content.buffer.byteLength;
  return { ...attachment, content: isAlone ? (content as Uint8Array<ArrayBuffer>) : new Uint8Array(content) };
}

const fromTransferred = ({ content, ...rest }: TransferredAttachment): Attachment => ({
  ...rest,
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
});
