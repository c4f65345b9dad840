import { dkimValue } from './domain-records';
import type { CheckedRecord } from './check-domain';
import type { PendingDkimKey } from '../../domain/settings/dkim-rotation';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import { dropPendingKey, signWithPending } from './change-domain';
import { lookUp, refuseUnseen, resolver } from './domain-check';
import { checkTable, presentCheck, recordBlocks, withRecords } from './domain-view';
import { domain, flag, operation, OperationError, type Session, UsageError, why } from '../definition';

/** What became of the rotation: the new key waits for its record, signs, or is dropped. */
type State = 'pending' | 'activated' | 'cancelled';

interface Rotated {
  of: SendingDomain;
  state: State;
  /** What was looked up. */
  looked?: CheckedRecord[];
}

const BOTH = { one: '--force', two: '--resolver', label: '--activate' };

const changed = (): OperationError => new OperationError(why('keys_changed'), 'See kurir domain show <domain>.');

function pendingOf({ dkimPending }: SendingDomain): PendingDkimKey {
  if (dkimPending) return dkimPending;
  throw new OperationError(why('no_pending_key'), 'Create one: kurir domain rotate <domain>');
}

/** A second call finds the key of the first one. */
async function begin(session: Session, of: SendingDomain): Promise<Rotated> {
  if (of.dkimPending) return { of, state: 'pending' };
  const accounts = await session.accounts();
  await session.note('domain rotate', `${of.domain}: a new key`, of.workspaceId);
  const made = (await accounts.createPendingKey(of)) ?? (await session.stores.domains.get(of.id));
  if (!made?.dkimPending) throw changed();
  return { of: made, state: 'pending' };
}

async function activate(session: Session, of: SendingDomain, looked: CheckedRecord[]): Promise<Rotated> {
  const pending = pendingOf(of);
  if (looked.some(({ status }) => status !== 'ok')) return { of, state: 'pending', looked };
  const value = dkimValue(of, of.dkimKeySealed, await session.keyring());
  await session.note('domain rotate', `${of.domain}: signs with ${pending.selector}`, of.workspaceId);
  const after = await signWithPending(session.stores.domains, of, pending, value, session.clock.now());
  if (!after) throw changed();
  return { of: after, state: 'activated', looked };
}

async function cancel(session: Session, of: SendingDomain): Promise<Rotated> {
  const { selector } = pendingOf(of);
  await session.note('domain rotate', `${of.domain}: ${selector} cancelled`, of.workspaceId);
  const after = await dropPendingKey(session.stores.domains, of);
  if (!after) throw changed();
  return { of: after, state: 'cancelled' };
}

const TEXTS: Record<State, string> = {
  pending: 'waits for the DNS record of its new key, and signs with the old key until then',
  activated: 'signs with the new key; keep the DNS record of the old key published for now',
  cancelled: 'keeps its key; you can remove the DNS record of the new one',
};

/** `kurir domain rotate`. */
export const rotate = operation('domain.rotate', 'developer', {
  irreversible: ({ activate: isLast, cancel: isDropped }) => isLast || isDropped,
  summary:
    'rotate the DKIM key of a domain: create a key, publish its record, then activate it; email is signed throughout',
  arguments: { domain },
  options: {
    activate: flag('sign with the new key, if its record is published'),
    force: flag('with --activate: skip the DNS check, for the sandbox'),
    resolver,
    cancel: flag('drop the new key, which signs nothing yet'),
  },
  examples: [
    ['domain rotate tokomelati.example', 'creates a key and prints its record'],
    ['domain rotate tokomelati.example --activate', 'once it is published; exit code 1 if it is not found'],
    ['domain rotate tokomelati.example --cancel', 'the old key is kept'],
  ],
  notes:
    'The old key signs until --activate; then the new one does, in every process within 5 seconds. Keep the record of the old ' +
    'key published for another 7 days, to verify email still on its way. Its private key is deleted immediately.',
  check: (given) => {
    if (given.cancel && given.activate)
      throw new UsageError(why('given_with', { label: '--cancel', other: '--activate' }), 'Choose one.');
    if (given.activate || (!given.force && given.resolver === undefined)) return;
    throw new UsageError(why('both_for', BOTH), 'Use it together with --activate.');
  },
  handler: async (input, session): Promise<Rotated & { shown: Awaited<ReturnType<typeof withRecords>> }> => {
    const of = input.domain;
    refuseUnseen(session, input);
    const looks = input.activate && !input.force;
    const step = async (): Promise<Rotated> => {
      if (input.cancel) return cancel(session, of);
      if (!input.activate) return begin(session, of);
      return activate(session, of, looks ? await lookUp(session, of, input.resolver, 'dkim_pending') : []);
    };
    const done = await step();
    return { ...done, shown: await withRecords(session, done.of) };
  },
  json: ({ of, state, looked = [], shown }) => ({
    ...shown,
    rotation: state,
    records: presentCheck(of, looked).records,
  }),
  code: ({ state, looked }) => (state === 'pending' && looked ? 1 : 0),
  text: ({ of, state, looked = [], shown }, view) => {
    const keys = shown.dns.filter(({ purpose }) => purpose.startsWith('dkim_'));
    const found = looked.length > 0 ? `${checkTable(view, presentCheck(of, looked))}\n` : '';
    return `${found}${of.domain} ${TEXTS[state]}\n${keys.length > 0 ? `\n${recordBlocks(view, keys)}` : ''}`;
  },
});
