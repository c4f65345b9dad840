import type { RouterContext } from '@koa/router';
import type { Keyring } from '../../domain/keyring';
import { browserLink, readLinkToken } from '../../domain/messages/message-tokens';
import { mergeValues } from '../../email/merge-values';
import { browserHtml } from '../../email/template-cache';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import { answerPage, keepPrivate } from './answer';
import { pagesFor } from './pages';

export interface BrowserPageDeps {
  stores: { messages: Pick<Stores['messages'], 'job'>; workspaces: Pick<Stores['workspaces'], 'get'> };
  keyring: Keyring;
  clock: Clock;
  publicUrl: () => string;
}

/**
 * What the mail may do in a browser: show images and its own styles, and open links. It comes from the operator, and a
 * script or form in it must not act in the name of the service.
 */
const POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  'img-src https: http: data:',
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * `GET /m/<token>`: the mail of a campaign as its recipient got it, for a browser (docs/contract.md#browser-page).
 * Nothing is recorded. Not found: a link that was changed, mail without a campaign, a recipient or content that was
 * deleted.
 */
export function browserPage(deps: BrowserPageDeps): (ctx: RouterContext) => Promise<void> {
  const { stores, keyring } = deps;

  const htmlOf = async (messageId: string): Promise<string | null> => {
    const job = await stores.messages.job(messageId);
    if (!job?.body || !job.contact || job.message.campaignId === null) return null;
    const { message, contact, body, preheader } = job;
    const to = message.toText;
    const workspace = await stores.workspaces.get(message.workspaceId);
    if (to === null || !workspace) return null;
    const values = mergeValues({
      to,
      contactName: contact.name,
      business: { name: workspace.businessName, address: workspace.businessAddress },
      unsubscribeUrl: '',
      browserUrl: browserLink(keyring, deps.publicUrl(), messageId),
      preheader,
      subject: message.subject,
      now: deps.clock.now(),
    });
    return browserHtml(body.html).render(values);
  };

  return async function showMail(ctx) {
    const messageId = readLinkToken(keyring, 'browser', ctx.params['token'] ?? '');
    const html = messageId && (await htmlOf(messageId));
    if (!html) {
      answerPage(ctx, pagesFor(ctx).notFound);
      return;
    }
    keepPrivate(ctx);
    ctx.set({ 'Content-Security-Policy': POLICY, 'X-Frame-Options': 'DENY' });
    ctx.type = 'html';
    ctx.body = html;
  };
}
