import { html, type Html } from '../kit/html';
import { count } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { wordOf } from '../texts/word-of';
import type { Overview } from './range';

/** Coins that are few: what a free account starts the day with is soon gone. */
const FEW_COINS = 100;

/** What waits for somebody: nothing is sent, or soon nothing will be, or nobody is told. */
export function needs({ t, base, language, user }: Visit, { of, asked, webhooks }: Overview): Html[] {
  const notice = (text: string, href: string | null = null): Html =>
    html`<li class="notice warn">${href === null ? text : html`<a href="${href}">${text}</a>`}</li>`;
  return [
    ...(of.status === 'suspended' ? [notice(t.overviewSuspended)] : []),
    ...(of.email_module ? [] : [notice(t.overviewModule)]),
    ...(of.coins < FEW_COINS
      ? [notice(filled(t.overviewCoins, { n: count(of.coins, language) }), `${base}/coins`)]
      : []),
    ...(of.domains.length === 0 ? [notice(t.overviewNoDomain, `${base}/domains`)] : []),
    ...of.domains
      .filter(({ status }) => status !== 'active')
      .map(({ id, domain, status }) =>
        notice(filled(t.overviewDomain, { domain, status: wordOf(t, status) }), `${base}/domains/${id}`),
      ),
    ...asked.map(({ id, subject }) => notice(filled(t.approvalWaits, { subject }), `${base}/campaigns/${id}`)),
    ...webhooks
      .filter(({ is_active: isActive, failures }) => !isActive || failures > 0)
      .map(({ id, url, is_active: isActive, failures: n }) =>
        notice(filled(isActive ? t.overviewWebhookFails : t.overviewWebhookOff, { url, n }), `${base}/webhooks/${id}`),
      ),
    ...(user.body.totp === null && user.body.password !== null ? [notice(t.overviewFactor, '/app/me')] : []),
  ];
}
