/** Who runs the recipients' mail, for counts of blocked mail. */
interface Provider {
  name: string;
  /** Domains of recipients; one that ends with a dot stands for all of its countries. */
  domains: readonly string[];
  /** Words that only its servers say. */
  marks: readonly string[];
  /** Where it says what a blocked sender can do. */
  link: string;
}

const PROVIDERS: readonly Provider[] = [
  {
    name: 'Google',
    domains: ['gmail.com', 'googlemail.com'],
    marks: ['support.google.com', '- gsmtp', 'google.com/mail'],
    link: 'https://support.google.com/mail/answer/81126',
  },
  {
    name: 'Microsoft',
    domains: ['outlook.', 'hotmail.', 'live.', 'msn.com', 'passport.com'],
    marks: ['outlook.com', 'office.com', 'live.com', '(s3140)', '(s3150)'],
    link: 'https://sendersupport.olc.protection.outlook.com/pm/troubleshooting',
  },
  {
    name: 'Yahoo',
    domains: ['yahoo.', 'ymail.com', 'rocketmail.com', 'aol.', 'aim.com'],
    marks: ['postmaster.yahooinc.com', 'postmaster.yahoo.com', '[tss0', '[bl2', 'postmaster.aol.com', 'info.aol.com'],
    link: 'https://senders.yahooinc.com/',
  },
  {
    name: 'Apple',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    marks: ['support.apple.com'],
    link: 'https://support.apple.com/en-us/102322',
  },
  {
    name: 'GMX and WEB.DE',
    domains: ['gmx.', 'web.de', 'mail.com'],
    marks: ['postmaster.gmx', 'postmaster.web.de', 'postmaster.1und1'],
    link: 'https://postmaster.gmx.net/',
  },
  {
    name: 'Mail.ru',
    domains: ['mail.ru', 'bk.ru', 'inbox.ru', 'list.ru'],
    marks: ['help.mail.ru'],
    link: 'https://postmaster.mail.ru/',
  },
  {
    name: 'Yandex',
    domains: ['yandex.', 'ya.ru'],
    marks: ['ya.cc/'],
    link: 'https://yandex.com/support/mail/spam.html',
  },
  { name: 'Proofpoint', domains: [], marks: ['ipcheck.proofpoint.com'], link: 'https://ipcheck.proofpoint.com/' },
  { name: 'Mimecast', domains: [], marks: ['mimecast.com'], link: 'https://community.mimecast.com/' },
  {
    name: 'Barracuda',
    domains: [],
    marks: ['barracudacentral', 'barracudanetworks'],
    link: 'https://www.barracudacentral.org/lookups',
  },
];

const LINK = /https?:\/\/[^\s<>"')\]]{3,300}/i;

/** Who refused, and where to look. */
export interface Refuser {
  name: string;
  /** From its own words, or else the provider's page; null when neither is known. */
  link: string | null;
}

/** The provider behind a refusal: by its words, or else the recipient's domain. `to` is null for a deleted contact. */
export function refuserOf(words: string, to: string | null): Refuser {
  const lower = words.toLowerCase();
  const domain = to?.slice(to.lastIndexOf('@') + 1) ?? '';
  const found =
    PROVIDERS.find(({ marks }) => marks.some((mark) => lower.includes(mark))) ??
    PROVIDERS.find(({ domains }) =>
      domains.some((one) => (one.endsWith('.') ? domain.startsWith(one) : domain === one)),
    );
  const link = LINK.exec(words)?.[0].replace(/[.,;]+$/, '') ?? found?.link ?? null;
  return { name: found?.name ?? (domain || 'unknown'), link };
}
