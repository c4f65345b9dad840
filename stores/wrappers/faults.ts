import type { OperationFaults } from '../../lib/operation-faults';

/** A fault of one operation. `after`: the operation takes effect, but its caller gets no result. */
export type Fault =
  | { kind: 'crash' | 'error'; when: 'before' | 'after' }
  /** Delay before the operation runs, ms of real time. */
  | { kind: 'slow'; ms: number }
  /** Runs twice, as if the network repeated it. The caller gets the first result. */
  | { kind: 'twice' };

/** The fault happens to the `nth` call of an operation, counted from the start of the process (1 = the first). */
export interface FaultRule {
  /** `port.method`, `port.method:label`, or `*` for any operation. */
  operation: string;
  nth: number;
  fault: Fault;
}

/** How faults are carried out in this process. */
export interface FaultActs {
  /** Ends the process, or what stands in for it. The operation never returns. */
  crash(): void;
  /** The error that the caller gets; the port documents which errors it may throw. */
  error(operation: string): Error;
  pause(ms: number): Promise<void>;
}

/** Counts operations and injects the planned faults. */
export class Faults implements OperationFaults {
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

  /** Removes all rules that have not happened yet. */
  disarm(): void {
    this.rules.length = 0;
  }

  /** Number of rules that have not happened yet. */
  get pending(): number {
    return this.rules.length;
  }

  /** Runs the operation with its planned fault, if any. After a crash no operation returns. */
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

  /** Crashes at a moment that is not a port operation. */
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

  /** A method, because the value may change while an operation runs. */
  private isDead(): boolean {
    return this.dead;
  }
}

const never = (): Promise<never> => new Promise(() => undefined);
