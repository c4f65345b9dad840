import { asciiDomain } from './ascii-domain';
import { unquoteLocal } from './local-part';

/** How a provider reads its addresses, beside the tag after a plus sign, which is read everywhere. */
interface Provider {
  /** All of them lead to the same mailbox of a name. */
  domains: readonly string[];
  /** Characters of a name that make no difference. */
  ignored?: RegExp;
  /** Characters of a name that are the same as a dash. */
  asDash?: RegExp;
  /** `anything@name.domain` is `name@domain`. */
  subdomains?: true;
  /** Names are `base-tag`, and nobody has a dash in a name of his own. */
  dashTags?: true;
}

/** Domains where a name may be another person's each. */
const each = (domains: readonly string[], rule: Omit<Provider, 'domains'>): Provider[] =>
  domains.map((domain) => ({ domains: [domain], ...rule }));

/**
 * What providers say of their own addresses. Others have no line where a spelling may be somebody else's: at
 * Outlook.com and Zoho dots count, and a name may be two people's at outlook.com and hotmail.com. What a company hosts
 * with a provider is not known by its name.
 */
const PROVIDERS: readonly Provider[] = [
  // https://support.google.com/mail/answer/7436150 (dots), https://support.google.com/mail/answer/10313
  // (googlemail.com)
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  // https://support.apple.com/118230
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  // https://proton.me/support/addresses-and-aliases, and canonicalizeEmail in https://github.com/ProtonMail/WebClients
  { domains: ['proton.me', 'protonmail.com', 'pm.me', 'protonmail.ch'], ignored: /[._-]/g },
  // https://yandex.com/support/yandex-360/customers/mail/en/web/preferences/about-sender/additional-addresses
  // (domains), https://yandex.com/support/yandex-360/customers/mail/en/web/security/strange-letters.html (a dot is a
  // hyphen)
  { domains: ['yandex.com', 'yandex.ru', 'yandex.by', 'yandex.kz', 'ya.ru'], asDash: /\./g },
  // https://www.fastmail.help/hc/en-us/articles/360060591053; a name at fastmail.fm may be somebody else's.
  ...each(['fastmail.com', 'fastmail.fm'], { subdomains: true }),
  // Disposable addresses: https://help.yahoo.com/kb/SLN28815.html. A base name is another one than that of the account.
  ...each(['yahoo.com', 'yahoo.co.id', 'ymail.com', 'rocketmail.com'], { dashTags: true }),
];

const BY_DOMAIN = new Map(PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider])));

/**
 * The mailbox that an address belongs to, as its provider reads it: by this is counted whatever protects a mailbox from
 * mail that strangers cause (docs/contract.md#mailboxes). A text to compare, in lower case, and no address to send to.
 * Money, suppressions and contacts go by the exact address.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const local = unquoteLocal(address.slice(0, at)).normalize('NFC').toLowerCase();
  const written = address.slice(at + 1).replace(/[.。．｡]+$/u, '');
  const domain = (asciiDomain(written) ?? written).toLowerCase();
  const [name, host] = withoutSubdomain(local, domain);
  const provider = BY_DOMAIN.get(host);
  return provider ? `${nameAt(provider, withoutTag(name))}@${provider.domains[0]}` : `${withoutTag(name)}@${host}`;
}

/** Anyone may choose the tag freely. A name that begins with a plus sign has none. */
const withoutTag = (name: string): string => name.replace(/^([^+]+)\+.*$/su, '$1');

function withoutSubdomain(local: string, domain: string): [name: string, host: string] {
  const [, name = '', host = ''] = /^([^.]+)\.(.+)$/.exec(domain) ?? [];
  return BY_DOMAIN.get(host)?.subdomains ? [name, host] : [local, domain];
}

/** A name of nothing but what is ignored stays as it is. */
function nameAt({ ignored, asDash, dashTags }: Provider, name: string): string {
  const plain = (ignored && name.replace(ignored, '')) || name;
  const dashed = asDash ? plain.replace(asDash, '-') : plain;
  return dashTags ? dashed.replace(/^([^-]+-).*$/su, '$1') : dashed;
}
