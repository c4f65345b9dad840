const MINUTE = 60_000;

/** What a provider takes, which it tells nobody. */
export interface ProviderLimits {
  domain: string;
  perMinute: number;
  /** Mails of a stranger are refused until its first one is so old, ms. */
  greylistFor: number;
  /** Refusals of a minute after which it refuses everything, and for how long, ms. */
  blockAfter: number;
  blockFor: number;
}

/** What the providers saw. */
export interface ProviderCounts {
  taken: number;
  refused: number;
  blocks: number;
}

interface Provider {
  limits: ProviderLimits;
  firstAt: number | null;
  takenAt: number[];
  refusedAt: number[];
  blockedUntil: number;
}

/** Providers with hidden limits behind one sending server, which passes their refusals on. */
export class Providers {
  readonly counts: ProviderCounts = { taken: 0, refused: 0, blocks: 0 };
  private readonly providers: ReadonlyMap<string, Provider>;

  constructor(limits: readonly ProviderLimits[]) {
    const provider = (of: ProviderLimits): Provider => ({
      ...{ limits: of, firstAt: null, takenAt: [], refusedAt: [], blockedUntil: 0 },
    });
    this.providers = new Map(limits.map((of) => [of.domain, provider(of)]));
  }

  /** The refusal of a mail at a time, ms; null when it is taken. Mail to other domains is always taken. */
  refusal(recipient: string, now: number): string | null {
    const provider = this.providers.get(recipient.slice(recipient.lastIndexOf('@') + 1));
    const refusal = provider ? this.judge(provider, now) : null;
    if (refusal === null) this.counts.taken += 1;
    else this.counts.refused += 1;
    return refusal;
  }

  private judge(provider: Provider, now: number): string | null {
    const { limits, takenAt, refusedAt } = provider;
    provider.firstAt ??= now;
    if (now < provider.blockedUntil) return '421 4.7.0 blocked for now, go away';
    if (now < provider.firstAt + limits.greylistFor) return '451 4.7.1 Greylisted, try again later';
    forget(takenAt, now);
    forget(refusedAt, now);
    if (takenAt.length < limits.perMinute) {
      takenAt.push(now);
      return null;
    }
    refusedAt.push(now);
    if (refusedAt.length >= limits.blockAfter) {
      provider.blockedUntil = now + limits.blockFor;
      this.counts.blocks += 1;
    }
    return '450 4.7.1 too many mails, slow down';
  }
}

function forget(times: number[], now: number): void {
  let old = 0;
  while (old < times.length && times[old]! <= now - MINUTE) old += 1;
  if (old > 0) times.splice(0, old);
}
