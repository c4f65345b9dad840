import type { OperationFaults } from '../../lib/operation-faults';
import { wrapEachMethod, type AnyMethod, type Wrap } from '../../lib/wrap-methods';

/** Labels a call of a method by its arguments; null = no label. */
export type Label = (...args: never[]) => string | null | Promise<string | null>;

/** Labels by method. A method that is not listed has no label. */
export type Labels<T> = { readonly [M in keyof T]?: Label };

/** Wraps every method of a port with faults, as operation `name.method`. All methods return promises. */
export const faultyPort = <T extends object>(
  port: T,
  name: string,
  faults: OperationFaults,
  labels: Labels<T> = {},
): T => wrapEachMethod(port, (method) => faultyMethod(`${name}.${method}`, faults, labels[method as keyof T]));

/** Wraps a method with the faults of an operation. */
export function faultyMethod(operation: string, faults: OperationFaults, label?: Label): Wrap<AnyMethod> {
  const labelOf = label as ((...args: unknown[]) => string | null | Promise<string | null>) | undefined;
  return (inner) =>
    async (...args) =>
      faults.around(operation, labelOf ? await labelOf(...args) : null, () => Promise.resolve(inner(...args)));
}
