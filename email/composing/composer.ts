import { sign, type KeyObject } from 'node:crypto';
import type { FilledSize } from '../../domain/messages/mail-size';
import { draftMail, type ComposedMail, type ComposeInput } from '../compose';
import { signable } from '../dkim';

/** Everything needed to write one mail. */
export interface ComposeJob extends ComposeInput {
  selector: string;
  /** The key of the sending domain, from `loadDkimKey`. */
  key: KeyObject;
  /** Bytes that the mail may have with its tags filled, and that it may take with the destinations of its links. */
  largest: number;
  room: number;
}

/** A mail ready for hand-off to a sending server. */
export interface SignedMail {
  raw: Buffer;
  /** Destinations of the tracked links, by number. */
  destinations: string[];
}

/** A mail that was not filled: it would be larger than its job allows. */
export interface Unfilled {
  size: FilledSize;
}

/**
 * The attachments of a job were lost with the worker that should have composed it. A new job, made from the stored
 * message, can be composed.
 */
export class AttachmentsGoneError extends Error {
  override readonly name = 'AttachmentsGoneError';
}

/**
 * Composes and signs mails. This is most of the processor time of a mail and nearly all of a large one, so it never
 * runs on the thread that serves requests.
 */
export interface Composer {
  /**
   * Rejects when the mail cannot be built or its key cannot sign, and with AttachmentsGoneError; never returns an
   * unsigned mail. The caller must not use the attachments of the job afterwards. Owners, such as workspaces, whose
   * mails wait here are served in turn.
   */
  compose(job: ComposeJob, owner: number): Promise<SignedMail | Unfilled>;
  close(): Promise<void>;
}

/** Composes in the caller's thread and signs on libuv's pool. */
export const poolComposer: Composer = {
  compose: async (job) => {
    const draft = draftMail(job);
    if (!fits(draft.size, job)) return { size: draft.size };
    const { data, finish } = unsigned(draft.fill(), job);
    return new Promise((resolve, reject) => {
      sign('sha256', data, job.key, (error, signature) => (error ? reject(error) : resolve(finish(signature))));
    });
  },
  close: async () => undefined,
};

/** Composes and signs in the caller's thread. Throws instead of rejecting. */
export function composeSync(job: ComposeJob): SignedMail | Unfilled {
  const draft = draftMail(job);
  if (!fits(draft.size, job)) return { size: draft.size };
  const { data, finish } = unsigned(draft.fill(), job);
  return finish(sign('sha256', data, job.key));
}

const fits = ({ mail, links }: FilledSize, { largest, room }: ComposeJob): boolean =>
  mail <= largest && mail + links <= room;

/** The data to sign, and a function that finishes the mail with the signature. */
function unsigned(mail: ComposedMail, job: ComposeJob): { data: Buffer; finish: (signature: Buffer) => SignedMail } {
  const { data, signedWith } = signable(mail, {
    domain: job.sendingDomain,
    selector: job.selector,
    now: job.now,
  });
  const { destinations } = mail;
  const finish = (signature: Buffer): SignedMail => ({ raw: signedWith(signature.toString('base64')), destinations });
  return { data: Buffer.from(data, 'utf8'), finish };
}
