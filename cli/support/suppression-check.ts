import { address } from './addresses';
import type { VerbSpec } from './command';
import { LIST_OF, readList } from './suppression-list';

/** `kurir suppress check`. */
export const checkVerb: VerbSpec = {
  name: 'check',
  summary: 'whether an address may be sent to, and what blocks it; exit code 1 when something does',
  args: [['<email>', 'address']],
  options: LIST_OF,
  examples: [['suppress check budi@example.com --workspace 3', 'the lists and the status of the contact']],
  run: (input) => {
    const email = input.arg('email', address);
    const listOf = readList(input);
    return async (session) => {
      const { workspaceId, name } = await listOf(session);
      const { suppressions, contacts } = session.stores;
      const hash = (await session.keyring()).hashAddress(email);
      // No workspace has the id 0, so only the global list counts.
      const listed = await suppressions.reason(workspaceId ?? 0, hash);
      const contact = workspaceId === null ? null : await contacts.find(workspaceId, email);
      const status = contact && contact.status !== 'subscribed' ? contact.status : null;
      const reason = listed ?? status;
      return {
        text: `${email}: ${reason === null ? 'can be sent to' : `blocked, ${reason}`}, ${name}\n`,
        json: { email, can_send: reason === null, reason },
        code: reason === null ? 0 : 1,
      };
    };
  },
};
