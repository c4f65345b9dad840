/** Operations without a screen, and why. Every other operation has one. */
export const NOT_SCREENS: Readonly<Record<string, string>> = {
  'domain.doctor': 'the warnings of a campaign include what blocks email; the full list is for DNS administrators',
  'domain.dmarc': 'a table for DNS administrators; the page of a domain shows the records to add',
  'domain.tls': 'like domain.dmarc, for TLS sessions with other servers',
  'domain.dns': 'sets the DNS values of all domains, before the first domain is added',
  'warmup.show': 'warmup.cap shows the limit where it is set',
  'warmup.off': 'warmup.cap with "off" does the same',
  'destination.resume': 'lifts a protection of the sender reputation; read the server responses first',
  'alarm.list': 'the health screen shows active alarms',
  'bounce.list': 'lists unclassified refusals, for bounce rules that are written in a file',
  'sandbox.inbox': 'the sandbox has its own inbox at /sandbox/inbox',
  'sandbox.hooks': 'the sandbox has its own webhook inbox at /sandbox/hooks',
  'sandbox.reset': 'deletes what the sandbox received for all workspaces; meant for scripts',
};
