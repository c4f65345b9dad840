import { clientNetwork } from '../../../lib/client-network';

export interface ConnectionLimits {
  inAll: number;
  /** From one IPv4 address, or one /64 of IPv6. */
  perAddress: number;
}

/** Counts the connections of a listener. */
export class ConnectionSlots {
  private readonly byNetwork = new Map<string, number>();
  private taken = 0;

  constructor(private readonly limits: ConnectionLimits) {}

  /** Takes a place; null when there is none left. Call the result once to give it back. */
  take(address: string): (() => void) | null {
    const network = clientNetwork(address);
    const own = this.byNetwork.get(network) ?? 0;
    if (this.taken >= this.limits.inAll || own >= this.limits.perAddress) return null;
    this.taken += 1;
    this.byNetwork.set(network, own + 1);
    return () => {
      this.taken -= 1;
      const left = (this.byNetwork.get(network) ?? 1) - 1;
      if (left === 0) this.byNetwork.delete(network);
      else this.byNetwork.set(network, left);
    };
  }
}
