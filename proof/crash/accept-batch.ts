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
  const domain = await stores.domains.get(domainId);
  const messages = mails.map(async ({ to, key, html }): Promise<PreparedMessage> => {
    const emailHash = keyring.hashAddress(to);
    const contact = await stores.contacts.ensure({ workspaceId, email: to, emailHash, name: null, at: clock.now() });
    return {
      ...SOME_CONTENT,
      workspaceId,
      domainId,
      channel: 'app',
      lane: 'campaign',
      campaignId: 1,
      recipient: { contact },
      fromEmail: `no-reply@${domain?.domain}`,
      body: { html, text: null },
      attachments: [],
      idempotencyKey: key,
    };
  });
  const results = await acceptMessages({ stores, log, keyring, clock, newId }, await Promise.all(messages));
  return results.map((result) => {
    if (result instanceof Refusal) throw new Error(`A mail of the batch was refused: ${result.reason}`);
    return result.id;
  });
}
