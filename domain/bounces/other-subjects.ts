/**
 * Words by which a refusal speaks of something else than the recipient, in lower case. Beside one of them no phrase and
 * no general code makes an address or a domain unknown: the refusal is of another class, and soft.
 */
const OTHERS: readonly string[] = [
  // The sender.
  ...['sender address', 'sender domain', 'sender is', 'sender was', 'sender does', 'sender not', 'sender unknown'],
  ...['sender rejected', 'sender denied', 'sender blocked', 'sender verif', 'sender name', 'sender host', "sender's"],
  ...['verify sender', 'verify the sender', 'invalid sender', 'unknown sender', 'bad sender', 'no such sender'],
  ...['of sender', 'of the sender', 'for sender', 'your sender', 'sending domain', 'sending address', 'sending server'],
  ...['sending host', 'sending ip', 'sending mta', 'sending user', 'envelope sender', 'envelope from', 'envelope-from'],
  ...['from address', 'from domain', 'mail from:', 'mailfrom', 'mail from command', 'return path', 'return-path'],
  ...['reverse-path', 'reverse path', 'originator', 'originating', 'from header', 'header from'],
  ...['your account', 'your domain', 'your host', 'your server', 'your mail server', 'your mta', 'your ip'],
  ...['expéditeur', 'expediteur', 'absender', 'remitente', 'remetente'],
  ...['mittente', 'pengirim', 'afzender', 'отправител', '送信者', '送信元', '发件人', '寄件', 'gönderen'],
  // Who may send, and by which way.
  ...['authenticat', 'authori', 'credentials', 'permission', 'not permitted', 'only members', 'members only'],
  ...['subscribers', 'moderat', 'relay access', 'relaying', 'to relay', 'relay mail', 'relay for', 'relay denied'],
  ...[
    'not relay',
    'no relay',
    'relay not',
    'relay is',
    'rcpthosts',
    'whitelist',
    'white list',
    'allow list',
    'allowlist',
  ],
  ...['otentikasi', 'autentikasi', 'authentifi', 'autentic', 'berechtig', 'autoris'],
  // Rules, reputation, content.
  ...[
    ' spf',
    '(spf',
    'dkim',
    'dmarc',
    ' arc ',
    'policy',
    'policies',
    'kebijakan',
    'richtlinie',
    'politique',
    'política',
  ],
  ...['politica', 'politik ', 'security', 'reputation', 'blacklist', 'black list', 'black-list', 'blocklist'],
  ...['block list', 'block-list', 'blocked', 'blocking', 'denylist', 'banned', 'spam', 'junk', 'unsolicited'],
  ...['unwanted', 'bulk mail', 'bulk email', 'virus', 'malware', 'phish', 'content', 'attachment', 'suspicious'],
  ...['greylist', 'graylist', 'diblokir', 'bloqué', 'bloque ', 'bloqueado', 'gesperrte ip', 'administrative'],
  ...['rate limit', 'too many', 'quota', 'preferences', 'ip address', 'hop count'],
  // The server itself, or its room.
  ...['database', 'ldap', 'callback', 'in cache', 'the acl', 'capacity', 'penuh', 'kuota', 'sibuk', 'pemeliharaan'],
  ...['melebihi', 'dari domain anda', 'encrypt', 'not secure', 'the limit', 'limit reached', 'size exceeded'],
  // For now.
  ...['temporar', 'try again later', 'try later', 'retry later', 'at this time', 'sementara', 'vorübergehend'],
  ...['temporair', 'timed out', 'timeout', 'time out', 'still being', 'in progress', 'maintenance'],
];

/** Of names and their look-up: a domain is unknown by them, an address is not. */
const NAMES: readonly string[] = [
  ...[
    ' dns',
    'no mx',
    'valid mx',
    'mx record',
    'mx entry',
    'mx or',
    'ptr',
    'reverse',
    'helo',
    'ehlo',
    'hostname',
    'name server',
    'nameserver',
  ],
  ...[
    't resolve',
    'to resolve',
    'resolvable',
    'resolution',
    'lookup',
    'name service',
    'host lookup',
    'resource record',
  ],
];
/** Of a look-up that gave no answer. */
const NO_ANSWER: readonly string[] = [
  ...['servfail', 'serverfail', 'server failure', 'malformed', 'no answer', 'not responding', 'try again', 'refused'],
  ...['unreachable', 'unavailable', 'dnssec', 'helo', 'ehlo', 'ptr', 'reverse', 'local', 'this server', 'loops back'],
];

export const BESIDE_ADDRESS: readonly string[] = [...OTHERS, ...NAMES];
export const BESIDE_DOMAIN: readonly string[] = [...OTHERS, ...NO_ANSWER];

/** Standard wordings that have one of the words above in them and speak of the recipient all the same. */
export const HARMLESS: readonly string[] = [
  'relay recipient table',
  'relay_recipient_maps',
  'content-type',
  'by smtp address lookup',
  'spam folder',
  // Postfix, of a domain without a server.
  'primary relay for',
  // Cyrus says it of every mailbox that does not exist.
  'or you do not have authorization to see it',
];
