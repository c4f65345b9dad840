/** The extensions a server offers, as far as we use them. */
export interface SmtpExtensions {
  /** RFC 2920: commands need not wait for the reply to the previous one. */
  pipelining: boolean;
  /** RFC 3461: delivery reports on request. */
  dsn: boolean;
  /** RFC 6152. */
  eightBitMime: boolean;
  /** RFC 6531. */
  smtpUtf8: boolean;
  /** RFC 1870: the size of a mail may be declared. */
  size: boolean;
  /** The largest mail it accepts, bytes; null when it does not say. */
  largest: number | null;
}

/** Reads the reply to EHLO, or to HELO, which offers nothing (RFC 5321 section 4.1.1.1). */
export function smtpExtensions(reply: string): SmtpExtensions {
  const [, ...lines] = reply.split(/\r?\n/);
  const offers = new Map(lines.map((line) => keywordAndValue(line)));
  const largest = Number(/^\d+$/.exec(offers.get('SIZE') ?? '')?.[0] ?? 0);
  return {
    pipelining: offers.has('PIPELINING'),
    dsn: offers.has('DSN'),
    eightBitMime: offers.has('8BITMIME'),
    smtpUtf8: offers.has('SMTPUTF8'),
    size: offers.has('SIZE'),
    largest: largest > 0 ? largest : null,
  };
}

function keywordAndValue(line: string): [keyword: string, value: string] {
  const [keyword = '', value = ''] = line
    .slice(4)
    .trim()
    .split(/[ \t]+/, 2);
  return [keyword.toUpperCase(), value];
}
