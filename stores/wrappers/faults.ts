/** What happens to one operation. `after`: it was done, and its caller does not hear of it. */
export type Fault =
  | { kind: 'crash' | 'error'; when: 'before' | 'after' }
  /** ms of real time before it is done. */
  | { kind: 'slow'; ms: number }
  /** Done twice, as by a network that repeats; the caller hears of the first time. */
  | { kind: 'twice' };

/** The `nth` call (1 = the first) of an operation, from the start of the process, has this fault. */
export interface FaultRule {
  /** `port.method`, `port.method:label`, or `*` for any operation there is. */
  operation: string;
  nth: number;
  fault: Fault;
}

/** How the faults of this process come to pass. */
export interface FaultActs {
  /** Ends the process, or whatever stands for it; the operation never comes back. */
  crash(): void;
  /** The error a caller gets; the port says which ones it must expect. */
  error(operation: string): Error;
  pause(ms: number): Promise<void>;
}

/** Counts operations and lets the faults of a plan happen to them. */
export class Faults {
  private readonly counts = new Map<string, number>();
  private readonly rules: FaultRule[];
  private dead = false;

  constructor(
    rules: readonly FaultRule[],
    private readonly acts: FaultActs,
  ) {
    this.rules = [...rules];
  }

  /** Adds a rule whose `nth` counts from now on. */
  arm(rule: FaultRule): void {
    this.rules.push({ ...rule, nth: rule.nth + (this.counts.get(rule.operation) ?? 0) });
  }

  /** Takes back what was armed and did not happen. */
  disarm(): void {
    this.rules.length = 0;
  }

  /** Rules that have not happened. */
  get pending(): number {
    return this.rules.length;
  }

  /** Runs the operation as the plan says. After a crash no operation ever comes back. */
  async around<T>(operation: string, label: string | null, call: () => Promise<T>): Promise<T> {
    if (this.dead) return never();
    const fault = this.next(operation, label);
    switch (fault?.kind) {
      case undefined:
        break;
      case 'slow':
        await this.acts.pause(fault.ms);
        break;
      case 'twice':
        return this.twice(call);
      case 'crash':
      case 'error':
        if (fault.when === 'after') await call();
        if (fault.kind === 'crash') return this.crash();
        throw this.acts.error(operation);
    }
    const value = await call();
    return this.isDead() ? never() : value;
  }

  /** The end of the process, at a moment that is no operation of a port. */
  crash(): Promise<never> {
    this.dead = true;
    this.acts.crash();
    return never();
  }

  private async twice<T>(call: () => Promise<T>): Promise<T> {
    const value = await call();
    await call();
    return value;
  }

  private next(operation: string, label: string | null): Fault | null {
    const names = ['*', operation, ...(label === null ? [] : [`${operation}:${label}`])];
    for (const name of names) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    const found = this.rules.findIndex(
      (rule) => names.includes(rule.operation) && this.counts.get(rule.operation) === rule.nth,
    );
    return found < 0 ? null : (this.rules.splice(found, 1)[0]?.fault ?? null);
  }

  /** A method, since it may have changed while an operation was under way. */
  private isDead(): boolean {
    return this.dead;
  }
}

const never = (): Promise<never> => new Promise(() => undefined);
