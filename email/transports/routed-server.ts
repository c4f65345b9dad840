import { MINUTE, SECOND } from '../../lib/clock';
import { isOfServer, type Envelope, type HandOffOutcome, type Transport } from './transport';

/**
 * How long a server that opens no session or is silent in it is left alone at first and at most, ms of real time. The
 * wait doubles with each mail that tries it in vain.
 */
const AVOIDED_FOR = 10 * SECOND;
const AVOIDED_AT_MOST = 3 * MINUTE;
/** A failure that took no longer than this holds up no other mail, ms. */
const QUICK = SECOND;

export interface NamedTransport {
  name: string;
  transport: Transport;
}

export interface RoutedHandOff {
  envelope: Envelope;
  raw: Buffer;
  fence: (server?: string) => Promise<boolean>;
}

/** How a hand-off to one server ended. `isTried`: false when the server was left alone. */
interface Tried {
  outcome: HandOffOutcome;
  isFenceAsked: boolean;
  isTried: boolean;
}

/** `isProbed`: a mail tries the server now. */
interface Failing {
  why: string;
  isQuick: boolean;
  wait: number;
  until: number;
  isProbed: boolean;
}

/** One of several sending servers. While it opens no session or is silent in it, one mail at a time tries. */
export class RoutedServer {
  /** Null once it has asked for a mail or refused one. */
  private failing: Failing | null = null;

  /** `realTime`: ms. */
  constructor(
    private readonly server: NamedTransport,
    private readonly realTime: () => number,
  ) {}

  get name(): string {
    return this.server.name;
  }

  get isFailing(): boolean {
    return this.failing !== null;
  }

  /** True when its failures cost no time, so that each mail may see for itself. */
  get failsQuickly(): boolean {
    return this.failing?.isQuick === true;
  }

  largestMail(): number | null {
    return this.server.transport.largestMail();
  }

  close(): Promise<void> {
    return this.server.transport.close();
  }

  /** Hands a mail over, unless the server is left alone and this is not `anyway`. Never rejects. */
  async handOver({ envelope, raw, fence }: RoutedHandOff, anyway = false): Promise<Tried> {
    const begun = this.realTime();
    const probed = anyway ? null : this.failing;
    if (probed && !mayProbe(probed, begun)) return this.leftAlone(probed.why);
    let isFenceAsked = false;
    const outcome = await this.server.transport.handOff(envelope, raw, () => {
      isFenceAsked = true;
      this.failing = null;
      return fence(this.name);
    });
    if (probed) probed.isProbed = false;
    this.note(outcome, begun);
    return { outcome: { ...outcome, server: this.name }, isFenceAsked, isTried: true };
  }

  private leftAlone(why: string): Tried {
    const outcome = { kind: 'not_sent', reason: `Not tried: ${why}`, unopened: true, server: this.name } as const;
    return { outcome, isFenceAsked: false, isTried: false };
  }

  private note(outcome: HandOffOutcome, begun: number): void {
    if ('unasked' in outcome) return;
    if (!isOfServer(outcome)) this.failing = null;
    else if (outcome.kind === 'not_sent' && (outcome.unopened || outcome.silent)) {
      const now = this.realTime();
      this.failing ??= { why: '', isQuick: true, wait: AVOIDED_FOR, until: now + AVOIDED_FOR, isProbed: false };
      this.failing.why = outcome.reason;
      this.failing.isQuick &&= now - begun <= QUICK;
    }
  }
}

/** True for one mail once the wait is over. */
function mayProbe(failing: Failing, now: number): boolean {
  if (failing.isProbed || now < failing.until) return false;
  failing.isProbed = true;
  failing.wait = Math.min(2 * failing.wait, AVOIDED_AT_MOST);
  failing.until = now + failing.wait;
  return true;
}
