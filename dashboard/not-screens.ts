/** The operations that no screen performs, with the reason. Every other operation is performed by one. */
export const NOT_SCREENS: Readonly<Record<string, string>> = {
  'domain.doctor': 'what blocks mail is among the warnings of a campaign; the whole list is for whoever keeps the DNS',
  'domain.dmarc': 'a table for whoever keeps the DNS; the page of a domain has the records that it needs',
  'domain.tls': 'the same, of sessions with other servers',
  'domain.dns': 'sets what the DNS records of all domains say, with the sending server, before there is a domain',
  'warmup.show': 'warmup.cap shows the cap where it sets it',
  'warmup.off': 'warmup.cap with the cap "off" does the same',
  'destination.resume':
    'ends what protects the name of the installation, for whoever reads the words of the server first',
  'alarm.list': 'health answers those that stand, and its screen shows them',
  'bounce.list': 'shows refusals that no rule reads, to whoever writes rules into a file of the machine',
  'sandbox.inbox': 'the sandbox has its inbox at /sandbox/inbox',
  'sandbox.hooks': 'the sandbox has its hooks at /sandbox/hooks',
  'sandbox.reset': 'deletes what the sandbox received, of all workspaces, for a script that begins anew',
};
