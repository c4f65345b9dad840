import { acceptMessages } from '../../commands/accept/accept-messages';
import type { PreparedMessage } from '../../commands/accept/accept-request';
import { Refusal } from '../../commands/accept/refusal';
import type { Services } from '../../app/services';
import { SOME_CONTENT } from '../../test/support/message';

/** Mails of one workspace to its contacts, each under an idempotency key. */
export interface Batch {
  workspaceId: number;
  domainId: number;
  mails: { to: string; key: string; html: string }[];
}

/** Accepts the batch in one commit, as for a campaign. Returns the ids; throws when a mail is refused. */
export async function acceptBatch(services: Services, { workspaceId, domainId, mails }: Batch): Promise<string[]> {
  const { engine, keyring, clock, newId } = services;
  const { stores, log } = engine;
  const [workspace, domain] = [await stores.workspaces.get(workspaceId), await stores.domains.get(domainId)];
  if (!workspace || !domain) throw new Error('The batch has no sender.');
  const messages = mails.map(async ({ to, key, html }): Promise<PreparedMessage> => {
    const emailHash = keyring.hashAddress(to);
    const contact = await stores.contacts.ensure({ workspaceId, email: to, emailHash, name: null, at: clock.now() });
    return {
      sender: { workspace, domain },
      draft: { channel: 'app', lane: 'campaign', campaignId: 1, subject: SOME_CONTENT.subject },
      recipient: { contact },
      body: { html, text: null },
      idempotencyKey: key,
    };
  });
  const results = await acceptMessages({ stores, log, keyring, clock, newId }, await Promise.all(messages));
  return results.map((result) => {
    if (result instanceof Refusal) throw new Error(`A mail of the batch was refused: ${result.reason}`);
    return result.id;
  });
}
