import type { ComposeJob, Composer, SignedMail } from '../../../email/composing/composer';

/** A mail may be of any size. */
export const NO_LIMITS = { largest: Infinity, room: Infinity };

/** The mail of a job; throws when it was not filled. */
export async function composedBy(
  composer: Pick<Composer, 'compose'>,
  job: Omit<ComposeJob, keyof typeof NO_LIMITS>,
  owner = 1,
): Promise<SignedMail> {
  const mail = await composer.compose({ ...NO_LIMITS, ...job }, owner);
  if ('raw' in mail) return mail;
  throw new Error(`not filled: ${JSON.stringify(mail.size)}`);
}
