import { OWN_REASONS, type SuppressionReason } from '../../domain/contacts/suppression';
import { reasonsOf, type Reason } from '../../lib/reason';
import { EMAIL_NAMES } from './contact-row';
import { canonicalAddress, isEmailAddress } from '../rules/email-address';
import { validationMessage } from '../rules/validation-messages';
import { reasonOf, saysDead, type OwnReason } from './suppression-reasons';

/**
 * The columns of a file of suppressions, each with its other names: those of the lists that Mailgun, SendGrid,
 * Postmark, Amazon SES, Resend, Brevo, SparkPost, Mandrill and Mailchimp hand out (docs/cli.md#kurir-suppress-import).
 * `email` must be there; a line without one has the hash. `status` and `detail` are what a server answered.
 */
export const SUPPRESSION_COLUMNS = {
  email: [...EMAIL_NAMES, 'address', 'recipient', 'destination'],
  address_hash: [],
  reason: ['suppression reason', 'reason code', 'bounce reason', 'alasan'],
  source: ['origin', 'suppression source'],
  type: ['bounce type', 'suppression type'],
  status: ['code', 'smtp code', 'smtp status'],
  detail: ['error', 'description', 'smtp response', 'diagnostic'],
  cleaned_at: ['clean_time'],
  unsubscribed_at: ['unsub_time'],
} as const;
export type SuppressionColumn = keyof typeof SUPPRESSION_COLUMNS;

/** A line of such a file. The address is in its canonical spelling. */
export type SuppressionRow = { reason: SuppressionReason } & ({ email: string } | { addressHash: string });

/** Which list a line is for, and the reason of lines that give none that is known. */
export interface ListReasons {
  global: boolean;
  otherwise?: OwnReason | undefined;
}

type Cells = Readonly<Partial<Record<SuppressionColumn, string>>>;

const refused = reasonsOf({
  temporary: [
    'The bounce was temporary, so the address is not suppressed.',
    'Bounce ini sementara, jadi tidak memblokir apa pun.',
  ],
  reason: ['The reason must be one of {valids}.', 'reason harus salah satu dari {valids}.'],
  hash: ['The address_hash does not come from an export.', 'address_hash ini bukan dari sebuah ekspor.'],
});
const HASH = /^[\w-]{22}$/;

/**
 * Checks the cells of a line for a workspace's list or the global one. Returns what is wrong in one sentence otherwise.
 */
export function checkSuppressionRow(cells: Cells, list: ListReasons): SuppressionRow | Reason {
  const [email = '', hash = ''] = [cells.email, cells.address_hash].map((cell) => cell?.trim());
  const reason = readReason(cells, list);
  if (reason === 'temporary') return refused('temporary');
  if (reason === undefined) return refused('reason', { valids: list.global ? 'global' : OWN_REASONS });
  if (email === '' && hash === '') return validationMessage('any.required', 'email');
  if (email === '') return HASH.test(hash) ? { reason, addressHash: hash } : refused('hash');
  if (!isEmailAddress(email)) return validationMessage('email.invalid', 'email');
  return { reason, email: canonicalAddress(email) };
}

function readReason(cells: Cells, { global, otherwise }: ListReasons): SuppressionReason | 'temporary' | undefined {
  if (!global) return ownReason(cells, otherwise);
  const word = cells.reason?.trim().toLowerCase() ?? '';
  const own = word === '' || word === 'global' ? 'manual' : ownReason(cells, otherwise);
  return own === undefined || own === 'temporary' ? own : 'global';
}

/** A word for a reason counts, then what a server said of the address, then what is said of the file. */
function ownReason(cells: Cells, otherwise: OwnReason | undefined): OwnReason | 'temporary' | undefined {
  const texts = [cells.reason, cells.source, cells.type].map((cell) => cell?.trim() ?? '');
  const [known] = texts.flatMap((text) => reasonOf(text) ?? []);
  if (known !== undefined) return known;
  const said = [cells.status, cells.reason, cells.detail]
    .map((cell) => cell?.trim() ?? '')
    .filter((text) => text !== '');
  if (saysDead(said.join(' '))) return 'hard_bounce';
  if (cells.cleaned_at?.trim()) return 'hard_bounce';
  if (otherwise !== undefined) return otherwise;
  return said.length === 0 ? 'manual' : undefined;
}
