import type { Audience } from '../../domain/contacts/audience';
import { confirmationMail } from '../../email/confirmation-mail';
import { subscribeForm } from '../../email/subscribe-form';
import { knownPublicUrl } from '../installation/public-url';
import { audience, operation, workspace, type Session } from '../definition';

/** The address of the public form; its path alone while the address of the service is not known. */
export const formUrl = (session: Session, { publicToken }: Audience): string =>
  `${knownPublicUrl(session) ?? ''}/f/${publicToken}`;

/** Where the button of a preview leads. */
const NOWHERE = '#';

export const form = operation('audience.form', 'viewer', {
  summary:
    'show the public sign-up form of an audience: its link, its HTML for your own site, and the confirmation email',
  arguments: { workspace, audience },
  examples: [
    ['audience form "Toko Melati" Kabar', 'the HTML to copy'],
    ['audience form "Toko Melati" Kabar --json', 'with the confirmation email'],
  ],
  handler: async ({ workspace: { language, businessName, businessAddress, name }, audience: of }, session) => {
    const url = formUrl(session, of);
    const sender = businessName || name;
    const business = { name: sender, address: businessAddress };
    const mail = confirmationMail({ language, audience: of.name, business, link: NOWHERE });
    return {
      form_url: url,
      html: subscribeForm({ language, url, sender, redirectHost: of.redirectHosts[0] ?? null }),
      // Of single opt-in nobody is asked.
      confirmation: of.optInMode === 'double' ? { subject: mail.subject, ...mail.body } : null,
    };
  },
  text: ({ form_url: url, html, confirmation }, view) =>
    `${url}\n\n${html}${confirmation ? `${view.title('Confirmation email')}${confirmation.subject}\n\n${confirmation.text}\n` : ''}`,
});
