import type ipaddr from 'ipaddr.js';

/** What macros stand for (RFC 7208 section 7.2), but `p`, which takes the DNS. */
export interface MacroValues {
  /** Address of MAIL FROM. */
  sender: string;
  /** Domain of the record that is evaluated. */
  domain: string;
  helo: string;
  ip: ipaddr.IPv4 | ipaddr.IPv6;
}

const NIBBLE = /[0-9a-f]/g;

function valueOf(letter: string, { sender, domain, helo, ip }: MacroValues, validated: string): string {
  const at = sender.lastIndexOf('@');
  switch (letter) {
    case 's':
      return sender;
    case 'l':
      return sender.slice(0, at);
    case 'o':
      return sender.slice(at + 1);
    case 'd':
      return domain;
    case 'i':
      return ip.kind() === 'ipv4'
        ? ip.toString()
        : (Buffer.from(ip.toByteArray()).toString('hex').match(NIBBLE) ?? []).join('.');
    case 'p':
      return validated;
    case 'v':
      return ip.kind() === 'ipv4' ? 'in-addr' : 'ip6';
    default:
      return helo;
  }
}

/** The characters that are not "unreserved" (RFC 3986 section 2.3). */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** The longest name of the DNS, in characters. */
const LONGEST = 253;

/**
 * The name that a domain-spec stands for (RFC 7208 section 7.3), without a dot at its end; of one that is too long the
 * labels on the left go. `validated` is the value of `%{p}`.
 */
export function expandMacros(spec: string, values: MacroValues, validated: string): string {
  const whole = spec.replace(/%(?:([%_-])|\{([a-z])(\d*)(r?)([^}]*)\})/gi, (_, plain, letter, count, turned, cuts) => {
    if (plain) return plain === '%' ? '%' : plain === '_' ? ' ' : '%20';
    const text = valueOf((letter as string).toLowerCase(), values, validated);
    const at = new Set((cuts as string) || '.');
    const parts = [...text].reduce<string[]>(
      (all, one) => (at.has(one) ? [...all, ''] : [...all.slice(0, -1), `${all.at(-1) ?? ''}${one}`]),
      [''],
    );
    if (turned) parts.reverse();
    const kept = (count ? parts.slice(-Number(count)) : parts).join('.');
    return letter === (letter as string).toUpperCase() ? escaped(kept) : kept;
  });
  let name = whole.replace(/\.$/, '');
  while (name.length > LONGEST && name.includes('.')) name = name.slice(name.indexOf('.') + 1);
  return name;
}

/** True for a name that the DNS can be asked for (RFC 1035 section 2.3.4). */
export const isAskable = (name: string): boolean =>
  name.length <= LONGEST && name.split('.').every((label) => label.length > 0 && label.length <= 63);
