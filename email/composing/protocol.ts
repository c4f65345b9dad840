import type { KeyObject } from 'node:crypto';
import type { Attachment, MessageBody } from '../../domain/message';
import type { MessageLinks } from '../../domain/message-tokens';
import { coded, FieldList, nested, plain, type Values } from '../../lib/fields';
import type { MailFacts } from '../mail-headers';
import type { ComposeJob } from './composer';

/** The jobs of one turn of the caller's event loop. */
export interface ComposeBatch {
  /** Keys that the worker has not seen, by the number under which the jobs name them. */
  keys: (readonly [number: number, key: KeyObject])[];
  /** Numbers of keys that no job names any more. */
  forget: number[];
  jobs: JobRow[];
}

/** A mail, its bytes in an ArrayBuffer of their own, or why there is none. */
export type ComposeResult =
  readonly [id: number, raw: Uint8Array, destinations: string[]] | readonly [id: number, raw: null, error: string];

/** A ComposeJob as it passes between threads: the values without their names, and apart what does not pass as it is. */
export type JobRow = readonly [
  id: number,
  key: number,
  values: Values<JobValues>,
  attachments: readonly TransferredAttachment[],
];

type JobValues = Omit<ComposeJob, 'key' | 'attachments'>;
type TransferredAttachment = Omit<Attachment, 'content'> & { content: Uint8Array<ArrayBuffer> };

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
    }),
  ),
  to: plain,
  contactName: plain,
  body: coded<MessageBody, [html: string, text: string | null]>(
    ({ html, text }) => [html, text],
    ([html, text]) => ({ html, text }),
  ),
  business: coded<ComposeJob['business'], [name: string, address: string]>(
    ({ name, address }) => [name, address],
    ([name, address]) => ({ name, address }),
  ),
  trackConversions: plain,
  links: coded<MessageLinks, [clicks: string, open: string, unsubscribe: string]>(
    ({ clicks, open, unsubscribe }) => [clicks, open, unsubscribe],
    ([clicks, open, unsubscribe]) => ({ clicks, open, unsubscribe }),
  ),
  sendingDomain: plain,
  now: plain,
  selector: plain,
});

/** The row of a job; `key` is the number of its key. */
export const toJobRow = (id: number, key: number, job: ComposeJob): JobRow => [
  id,
  key,
  JOB.encode(job),
  job.attachments.map(toTransferred),
];

/** The job of a row, whose key is `key`. */
export const toJob = ([, , values, attachments]: JobRow, key: KeyObject): ComposeJob => ({
  ...JOB.decode(values),
  attachments: attachments.map(fromTransferred),
  key,
});

/** The bytes that go to the other thread with a row, and are gone here. */
export const transferredBytes = ([, , , attachments]: JobRow): ArrayBuffer[] =>
  attachments.map(({ content }) => content.buffer);

/** Bytes that share their ArrayBuffer with others must not take those along. */
function toTransferred(attachment: Attachment): TransferredAttachment {
  const { content } = attachment;
  const isAlone = content.length > 0 && content.length === content.buffer.byteLength;
  return { ...attachment, content: isAlone ? (content as Uint8Array<ArrayBuffer>) : new Uint8Array(content) };
}

const fromTransferred = ({ content, ...rest }: TransferredAttachment): Attachment => ({
  ...rest,
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
});
