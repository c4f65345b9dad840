import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock';
import type { BounceClass } from '../../domain/bounces/bounce-class';
import type { FeedbackKind } from '../../domain/messages/feedback';
import type { Fault } from '../../stores/wrappers/faults';

/** What the sending server does with one mail. Values above the line never reach the fence. */
export const MTA_BEHAVIOURS = [
  'no connection',
  'not now',
  'never',
  // ---
  'cut in the body',
  'not now after all',
  'taken',
  'taken, no answer',
  'lost, no answer',
] as const;
export type MtaBehaviour = (typeof MTA_BEHAVIOURS)[number];

/** What the endpoint of a webhook does with one request. */
export const HOOK_BEHAVIOURS = ['taken', 'error', 'redirect', 'cut'] as const;
export type HookBehaviour = (typeof HOOK_BEHAVIOURS)[number];
/** The addresses that DNS answers for the host of a webhook. */
export const HOOK_DNS = ['public', 'private', 'public and private'] as const;
export type HookDns = (typeof HOOK_DNS)[number];

/** One operation as plain data, which fast-check prints and shrinks. */
export type Operation =
  | { do: 'accept'; workspace: number; to: number; key: number | null; attachment: boolean }
  | { do: 'forced send'; workspace: number }
  | { do: 'claim'; workspace: number }
  | { do: 'dispatch'; records: number; commit: boolean; mta: MtaBehaviour[] }
  | { do: 'consume'; group: 'feedback' | 'coins' | 'webhooks'; records: number; commit: boolean }
  | { do: 'report'; mail: number; kind: FeedbackKind; class: BounceClass; trusted: boolean }
  | { do: 'advance'; ms: number }
  | { do: 'timers' }
  | { do: 'block'; how: 'suppression' | 'unsubscribe' | 'deleted contact'; workspace: number; to: number }
  | { do: 'webhook'; how: 'create' | 'delete' | 'disable' | 'enable'; workspace: number; which: number }
  | { do: 'open'; mail: number }
  | { do: 'deliver'; answers: HookBehaviour[]; dns: HookDns }
  | { do: 'top up'; workspace: number; coins: number }
  | { do: 'fault'; operation: string; nth: number; fault: Fault }
  | { do: 'restart' };

export const WORKSPACES = 2;
export const ADDRESSES = 4;

const workspace = fc.nat(WORKSPACES - 1);
const to = fc.nat(ADDRESSES - 1);
const records = fc.integer({ min: 1, max: 6 });
const commit = fc.boolean();
const when = fc.constantFrom('before' as const, 'after' as const);

/** Operations that a network or a retrying client may repeat; ports guarantee the others once. */
const REPEATABLE = [
  'log.publish',
  'log.dispatch.poll',
  'log.mta-feedback.poll',
  'log.coins.poll',
  'log.webhooks.poll',
  'deliveries.fanOut',
  'deliveries.finish',
  'messages.change',
  'coins.post',
  'suppressions.add',
  'contacts.raiseStatus',
  'leases.renew',
];

const nth = fc.integer({ min: 1, max: 12 });
const fault: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    do: fc.constant('fault' as const),
    operation: fc.constant('*'),
    nth,
    fault: fc.record({ kind: fc.constantFrom('crash' as const, 'error' as const), when }),
  }),
  fc.record({
    do: fc.constant('fault' as const),
    operation: fc.constantFrom(...REPEATABLE),
    nth: fc.constantFrom(1, 2),
    fault: fc.constant({ kind: 'twice' as const }),
  }),
);

const weighted: { weight: number; arbitrary: fc.Arbitrary<Operation> }[] = [
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('accept' as const),
      workspace,
      to,
      key: fc.oneof(fc.constant(null), fc.nat(3)),
      attachment: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forced send' as const), workspace }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('claim' as const), workspace }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('dispatch' as const),
      records,
      commit,
      mta: fc.array(fc.constantFrom(...MTA_BEHAVIOURS), { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('consume' as const),
      group: fc.constantFrom('feedback' as const, 'coins' as const, 'webhooks' as const, 'webhooks' as const),
      records,
      commit,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      mail: fc.nat(20),
      kind: fc.constantFrom<FeedbackKind>('delivered', 'bounced', 'expired', 'delayed', 'complaint'),
      class: fc.constantFrom<BounceClass>('address_unknown', 'mailbox_full', 'sender_blocked'),
      trusted: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.constantFrom(SECOND, 30 * SECOND, MINUTE, 13 * MINUTE, HOUR, DAY, 4 * DAY),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Operation>({ do: 'timers' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('block' as const),
      how: fc.constantFrom('suppression' as const, 'unsubscribe' as const, 'deleted contact' as const),
      workspace,
      to,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('webhook' as const),
      how: fc.constantFrom(
        'create' as const,
        'create' as const,
        'delete' as const,
        'disable' as const,
        'enable' as const,
      ),
      workspace,
      which: fc.nat(3),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('open' as const), mail: fc.nat(20) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      answers: fc.array(fc.constantFrom(...HOOK_BEHAVIOURS), { maxLength: 6 }),
      dns: fc.constantFrom('public' as const, 'public' as const, 'public' as const, ...HOOK_DNS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('top up' as const), workspace, coins: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 6, arbitrary: fault },
  { weight: 1, arbitrary: fc.constant<Operation>({ do: 'restart' }) },
];

/** One test run: the operations in order, and the warm-up cap of the platform. */
export interface Schedule {
  cap: number | null;
  operations: Operation[];
}

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  cap: fc.constantFrom(null, null, 6),
  operations: fc.array(fc.oneof(...weighted), { minLength: 10, maxLength: 90, size: 'max' }),
});
