import { SECOND } from '../../lib/clock';
import { MACHINE_REASONS, type MachineReason } from './machine-reason';
import { SIGNAL_KINDS } from './signal';

export type { MachineReason };

/** What the public pages record. A hit on the link that no person sees is stored, but is no signal and no event. */
export const HIT_KINDS = [...SIGNAL_KINDS, 'hidden'] as const;
export type HitKind = (typeof HIT_KINDS)[number];

/**
 * What a known agent or network is: a scanner follows links, a prefetcher loads images that nobody looks at yet, and a
 * proxy loads an image at the moment a person opens the mail.
 */
export const CLIENT_CLASSES = ['scanner', 'prefetch', 'proxy'] as const;
export type ClientClass = (typeof CLIENT_CLASSES)[number];

/** Methods of the requests that pages record. */
export const HIT_METHODS = ['GET', 'HEAD', 'POST'] as const;

/** What the page noted of the request. Never an address or a user agent (docs/machine-signals.md#privacy). */
export interface HitFacts {
  method: (typeof HIT_METHODS)[number];
  /** Of the user agent, or `prefetch` where the request says that nobody asked for it. */
  agent: ClientClass | null;
  network: ClientClass | null;
  /** Tells the clients of one message apart, see clientMark; null when it is not known, and behind a shared proxy. */
  client: string | null;
}

/** A stored hit, as the rules about its neighbours see it. */
export interface PlacedHit {
  id: string;
  kind: HitKind;
  /** ms */
  at: number;
  /** Clicks only: the place of the destination. */
  link: number | null;
  client: string | null;
  machine: MachineReason | null;
}

/** How near the delivery report a hit is too fast for a person, ms. */
export const AT_DELIVERY = 2 * SECOND;
/** Clicks on so many different links in so short a time are no person's. */
const BURST_LINKS = 3;
const BURST = SECOND;
/** How far from a hit on the hidden link the same client counts as a machine, ms, before and after. */
const AROUND_HIDDEN = 10 * SECOND;

/** True for the hits that may be flagged, and that are counted. */
export const isActivity = (kind: HitKind): kind is 'open' | 'click' => kind === 'open' || kind === 'click';

/** The stronger of two reasons, so that the order in which they are found does not matter. */
export function strongest(a: MachineReason | null, b: MachineReason | null): MachineReason | null {
  if (a === null || b === null) return a ?? b;
  return MACHINE_REASONS.indexOf(a) <= MACHINE_REASONS.indexOf(b) ? a : b;
}

/** What the request itself tells; null: nothing against a person. */
export function reasonOfRequest(kind: HitKind, { method, agent, network }: HitFacts): MachineReason | null {
  if (kind === 'hidden') return 'hidden_link';
  if (kind === 'unsubscribe') return null;
  if (method === 'HEAD') return 'head';
  if (agent === 'scanner') return 'agent';
  if (network === 'scanner') return 'network';
  return agent === 'prefetch' || network === 'prefetch' ? 'prefetch' : null;
}

/** True when a hit comes so near the delivery report that no person can have read the mail. */
export const isAtDelivery = (at: number, deliveredAt: number): boolean => Math.abs(at - deliveredAt) <= AT_DELIVERY;

/** Hits of one kind and message in a time that includes both ends. */
export interface HitWindow {
  kind: HitKind;
  from: number;
  to: number;
}

/** Where the neighbours lie with which a new hit may become a machine's, or may show that they are. */
export function windowsAround({ kind, at }: Pick<PlacedHit, 'kind' | 'at'>): HitWindow[] {
  const near = (wanted: HitKind, ms: number): HitWindow => ({ kind: wanted, from: at - ms, to: at + ms });
  if (kind === 'unsubscribe') return [];
  if (kind === 'hidden') return [near('open', AROUND_HIDDEN), near('click', AROUND_HIDDEN)];
  return [...(kind === 'click' ? [near('click', BURST)] : []), near('hidden', AROUND_HIDDEN)];
}

/**
 * The hits of one message whose neighbours show a machine, with the reason; only those that get a new or a stronger
 * one. More hits never take a reason back, so any order of arrival ends alike.
 */
export function reasonsOfNeighbours(hits: readonly PlacedHit[]): Map<string, MachineReason> {
  const bursts = burstsOf(hits.filter(({ kind }) => kind === 'click'));
  const hidden = hits.filter(({ kind }) => kind === 'hidden');
  const followed = ({ client, at }: PlacedHit): boolean =>
    client !== null && hidden.some((other) => other.client === client && Math.abs(other.at - at) <= AROUND_HIDDEN);
  const found = new Map<string, MachineReason>();
  for (const hit of hits) {
    if (!isActivity(hit.kind)) continue;
    const reason = strongest(followed(hit) ? 'hidden_link' : null, bursts.has(hit.id) ? 'burst' : null);
    const kept = strongest(hit.machine, reason);
    if (kept !== null && kept !== hit.machine) found.set(hit.id, kept);
  }
  return found;
}

/** The ids of all clicks in a second in which so many different links were clicked. */
function burstsOf(clicks: readonly PlacedHit[]): Set<string> {
  const sorted = [...clicks].sort((a, b) => a.at - b.at);
  const found = new Set<string>();
  for (let first = 0, end = 0, flagged = 0; first < sorted.length; first += 1) {
    while (end < sorted.length && sorted[end]!.at - sorted[first]!.at <= BURST) end += 1;
    const links = new Set<number>();
    for (let n = first; n < end && links.size < BURST_LINKS; n += 1) {
      const { link } = sorted[n]!;
      if (link !== null) links.add(link);
    }
    if (links.size < BURST_LINKS) continue;
    for (flagged = Math.max(flagged, first); flagged < end; flagged += 1) found.add(sorted[flagged]!.id);
  }
  return found;
}
