import type { LeaveReason } from '../../../domain/journeys/enrollment';
import type { Kind } from '../sink/behaviour';

/** What a contact does after its first mail was delivered. */
export type Act = 'click' | 'unsubscribe' | 'delete';

/** A contact of the proof. */
export interface Traveller {
  n: number;
  email: string;
  /** What the sink does with its mails. */
  kind: Kind;
  act: Act | null;
  /** Why it leaves the journey; null: it does all steps. */
  leaves: LeaveReason | null;
}

/** Of twenty contacts, those that do not just go to the end. */
const ODD: Readonly<Record<number, Pick<Traveller, 'kind' | 'act' | 'leaves'>>> = {
  1: { kind: 'delivered', act: 'click', leaves: 'goal' },
  4: { kind: 'delivered', act: 'unsubscribe', leaves: 'unsubscribed' },
  7: { kind: 'hardbounce', act: null, leaves: 'bounced' },
  10: { kind: 'delivered', act: 'delete', leaves: 'deleted' },
  13: { kind: 'complaint', act: null, leaves: 'complained' },
  16: { kind: 'reject', act: null, leaves: null },
};
const EVEN = { kind: 'delivered', act: null, leaves: null } as const;

/** Contact `n` of the proof, from 0. */
export function traveller(n: number): Traveller {
  const odd = ODD[n % 20] ?? EVEN;
  return { ...odd, n, email: `${odd.kind}+${n}@pelanggan.test` };
}

/** The number of the contact with this address. */
export const numberOf = (email: string): number => Number(/\+(\d+)@/.exec(email)?.[1] ?? NaN);
