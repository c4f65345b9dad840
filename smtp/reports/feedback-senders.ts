/** Where complaints come from that have no feedback part: data for smtp/reports/complaint-at-address.ts. */

/** Domains of feedback loops, with those below them: whatever comes from there is a complaint. */
const LOOPS = [
  'arf.mail.yahoo.com',
  'fbl.returnpath.net',
  'feedback.comcast.net',
  'reports.spamcop.net',
  'senderscore.net',
  'signal-spam.fr',
];
/** Providers, which write complaints from an address of their own beside all other mail. */
const PROVIDERS = new Set([
  ...['aol.com', 'aol.net', 'comcast.net', 'cox.net', 'earthlink.net', 'fastmail.com', 'gmx.net', 'hotmail.com'],
  ...['icloud.com', 'laposte.net', 'libero.it', 'live.com', 'mail.ru', 'corp.mail.ru', 'microsoft.com', 'naver.com'],
  ...['orange.fr', 'outlook.com', 'qq.com', 'rackspace.com', 'rogers.com', 'seznam.cz', 'synacor.com', 't-online.de'],
  ...['telstra.com', 'terra.com.br', 'uol.com.br', 'usa.net', 'web.de', 'wp.pl', 'yahoo.com', 'yandex.ru', 'zoho.com'],
]);
const WRITES_COMPLAINTS = /^(?:staff|scomp|fbl|feedback|feedback-?loop|complaints?|spam-?reports?)(?:[-+.][\w.+-]*)?$/;

/** True for an address from which a provider writes complaints about mail to its users. */
export function isFeedbackSender(address: string): boolean {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf('@');
  const domain = lower.slice(at + 1);
  if (LOOPS.some((loop) => domain === loop || domain.endsWith(`.${loop}`))) return true;
  return PROVIDERS.has(domain) && WRITES_COMPLAINTS.test(lower.slice(0, at));
}
