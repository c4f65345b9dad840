import type { SubmissionPolicy } from '../protocol/policy';
import { reply } from '../protocol/reply';

/** Takes no login. */
export function createSubmissionPolicy(): SubmissionPolicy<never> {
  const refuse = async (): Promise<ReturnType<typeof reply>> => reply(454, '4.7.0', 'Logins are not taken here');
  return { login: async () => ({ refusal: await refuse() }), sender: refuse, recipient: refuse, mail: refuse };
}
