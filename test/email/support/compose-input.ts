import type { MessageFacts } from '../../../domain/messages/message';
import type { ComposeInput } from '../../../email/compose';
import type { MailLinks } from '../../../email/mail-links';
import { TEST_START } from '../../support/clock';
import { SOME_FACTS } from '../../support/message';

export const MESSAGE_ID = '01890000-0000-7000-8000-0000000000aa';

/** Links that are easy to read in a test. */
export const LINKS: MailLinks = {
  clicks: 'https://t.kurir.test/c/',
  open: 'https://t.kurir.test/o/1.gif',
  unsubscribe: 'https://t.kurir.test/u/1',
  browser: null,
};

const FEEDBACK = { id: 'api:w1:transactional:kurir0189000000', address: 'b-1@bounce.demo.kurir.test' };

const FACTS: MessageFacts = {
  ...SOME_FACTS,
  id: MESSAGE_ID,
  contactId: 7,
  subject: 'Pesanan Anda',
  fromEmail: 'no-reply@demo.kurir.test',
  fromName: 'Toko Kita',
};

/** A plain mail; what is given replaces its part. */
export function composeInput(
  change: Partial<Omit<ComposeInput, 'message'>> & { message?: Partial<MessageFacts> } = {},
): ComposeInput {
  const { message, ...rest } = change;
  return {
    message: { ...FACTS, ...message },
    to: 'Budi@Example.com',
    contactName: 'Budi Santoso',
    body: { html: '<p>Halo</p>', text: null },
    attachments: [],
    business: { name: 'Toko Kita', address: 'Jl. Sudirman 1, Jakarta' },
    language: 'id',
    marketing: true,
    trackConversions: false,
    unmarkedHosts: [],
    links: LINKS,
    feedback: FEEDBACK,
    preheader: null,
    sendingDomain: 'demo.kurir.test',
    now: TEST_START,
    ...rest,
  };
}
