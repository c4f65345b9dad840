import { readAddressCommand, type AddressCommand } from './address-command';
import { authenticate } from './authenticate';
import { transactionOf, type Dialogue, type Outcome } from './dialogue';
import { MAX_MAIL, MAX_RECIPIENTS } from './limits';
import type { Envelope, Reply } from './policy';
import { REPLIES, reply, syntax } from './reply';

/** `hostname` is our own name. */
type Command = <L>(dialogue: Dialogue<L>, text: string, hostname: string) => Outcome<L>;

const NO_DOMAIN = /[\s\u0000-\u001f\u007f-\uffff]/;

const ehlo: Command = (dialogue, domain, hostname) => {
  if (domain === '' || NO_DOMAIN.test(domain)) return { reply: syntax('EHLO domain') };
  dialogue.greeted = true;
  dialogue.mail = null;
  const only = dialogue.secure ? 'AUTH PLAIN LOGIN' : 'STARTTLS';
  const offers = ['PIPELINING', `SIZE ${MAX_MAIL}`, only, 'ENHANCEDSTATUSCODES', '8BITMIME', 'SMTPUTF8'];
  return { reply: { code: 250, enhanced: null, lines: [hostname, ...offers] } };
};

const helo: Command = (dialogue, domain, hostname) => {
  if (domain === '' || NO_DOMAIN.test(domain)) return { reply: syntax('HELO domain') };
  dialogue.greeted = true;
  dialogue.mail = null;
  return { reply: reply(250, null, hostname) };
};

const startTls: Command = ({ secure }, text) => {
  if (text !== '') return { reply: syntax('STARTTLS') };
  return secure ? { reply: REPLIES.alreadySecure } : { reply: REPLIES.startTls, then: 'startTls' };
};

const auth: Command = (dialogue, text) =>
  dialogue.mail ? { reply: REPLIES.authDuringMail } : authenticate(dialogue, text);

const mail: Command = (dialogue, text) => {
  const { login, peer } = dialogue;
  if (!dialogue.greeted) return { reply: REPLIES.ehloFirst };
  if (!login) return { reply: REPLIES.loginFirst };
  if (dialogue.mail) return { reply: REPLIES.nestedMail };
  const command = readAddressCommand('FROM', text);
  if (!command) return { reply: syntax('MAIL FROM:<address> [parameters]') };
  const declared = readMailParameters(command.parameters);
  if ('code' in declared) return { reply: declared };
  const sender = { address: command.address, ...declared };
  if (!sender.smtpUtf8 && !isAscii(sender.address)) return { reply: REPLIES.notAscii };
  if ((sender.size ?? 0) > MAX_MAIL) return { reply: REPLIES.tooLarge };
  return {
    ask: async (policy) => {
      const refusal = await policy.sender(login.value, sender, peer);
      if (refusal) return refusal;
      dialogue.mail = { sender, recipients: [] };
      return REPLIES.senderTaken;
    },
  };
};

/** BODY makes no difference, nor does AUTH, which clients that log in may send (RFC 4954 section 5). */
function readMailParameters(parameters: AddressCommand['parameters']): Pick<Envelope, 'size' | 'smtpUtf8'> | Reply {
  const { SIZE = '', BODY = '7BIT', SMTPUTF8, AUTH: _, ...unknown } = Object.fromEntries(parameters);
  const isBodyKnown = /^(7BIT|8BITMIME)$/i.test(BODY ?? '');
  if (Object.keys(unknown).length > 0 || !isBodyKnown) return REPLIES.unknownParameter;
  if (SIZE === null || !/^\d{0,20}$/.test(SIZE)) return syntax('SIZE=octets');
  if (typeof SMTPUTF8 === 'string') return syntax('SMTPUTF8');
  return { size: SIZE === '' ? null : Number(SIZE), smtpUtf8: SMTPUTF8 === null };
}

const rcpt: Command = (dialogue, text) => {
  const transaction = transactionOf(dialogue);
  if (!dialogue.login) return { reply: REPLIES.loginFirst };
  if (!transaction) return { reply: REPLIES.mailFirst };
  const command = readAddressCommand('TO', text);
  if (!command) return { reply: syntax('RCPT TO:<address>') };
  if (command.parameters.size > 0) return { reply: REPLIES.unknownParameter };
  const { address } = command;
  if (!transaction.sender.smtpUtf8 && !isAscii(address)) return { reply: REPLIES.notAscii };
  if (transaction.recipients.length >= MAX_RECIPIENTS) return { reply: REPLIES.tooManyRecipients };
  return {
    ask: async (policy) => {
      const refusal = await policy.recipient(transaction, address);
      if (refusal && refusal.code >= 500) dialogue.refusedRecipients += 1;
      if (refusal) return refusal;
      dialogue.mail?.recipients.push(address);
      return REPLIES.recipientTaken;
    },
  };
};

const data: Command = (dialogue, text) => {
  if (!dialogue.login) return { reply: REPLIES.loginFirst };
  if (!dialogue.mail) return { reply: REPLIES.mailFirst };
  if (text !== '') return { reply: syntax('DATA') };
  if (dialogue.mail.recipients.length === 0) return { reply: REPLIES.noRecipients };
  return { reply: REPLIES.sendData, then: 'data' };
};

const rset: Command = (dialogue, text) => {
  if (text !== '') return { reply: syntax('RSET') };
  dialogue.mail = null;
  return { reply: REPLIES.ok };
};

const vrfy: Command = (_dialogue, text) => ({ reply: text === '' ? syntax('VRFY address') : REPLIES.cannotVerify });
const quit: Command = (_dialogue, text) =>
  text === '' ? { reply: REPLIES.bye, then: 'close' } : { reply: syntax('QUIT') };

const isAscii = (text: string): boolean => !/[^\u0000-\u007f]/.test(text);

const COMMANDS = new Map<string, Command>([
  ['EHLO', ehlo],
  ['HELO', helo],
  ['STARTTLS', startTls],
  ['AUTH', auth],
  ['MAIL', mail],
  ['RCPT', rcpt],
  ['DATA', data],
  ['RSET', rset],
  ['NOOP', () => ({ reply: REPLIES.ok })],
  ['VRFY', vrfy],
  ['EXPN', () => ({ reply: REPLIES.noExpansion })],
  ['HELP', () => ({ reply: REPLIES.help })],
  ['QUIT', quit],
]);

/** Commands that are answered before TLS; AUTH has a refusal of its own (RFC 3207 section 4, RFC 4954 section 4). */
const IN_THE_CLEAR = ['EHLO', 'HELO', 'STARTTLS', 'AUTH', 'RSET', 'NOOP', 'HELP', 'QUIT'];

/** Begins another protocol, or is the header of a mail that nothing had asked for. */
const NO_COMMAND = /:|^(GET|HEAD|POST|PUT|DELETE|OPTIONS|CONNECT|PATCH|TRACE)$/;

/** Carries out one command line, without its CRLF (RFC 5321 section 4.1). */
export function carryOut<L>(dialogue: Dialogue<L>, line: string, hostname: string): Outcome<L> {
  const [, name = '', rest = ''] = /^([^ ]*) ?(.*)$/s.exec(line) ?? [];
  const verb = name.toUpperCase();
  const command = COMMANDS.get(verb);
  if (!command) {
    return NO_COMMAND.test(verb) ? { reply: REPLIES.notACommand, then: 'close' } : { reply: REPLIES.noSuchCommand };
  }
  if (!dialogue.secure && !IN_THE_CLEAR.includes(verb)) return { reply: REPLIES.startTlsFirst };
  return command(dialogue, rest.trim(), hostname);
}
