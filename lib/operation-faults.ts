/** Surrounds every call of a port. */
export interface OperationFaults {
  /** Runs the operation, with a fault if there is to be one. `label` says more of what is called. */
  around<T>(operation: string, label: string | null, call: () => Promise<T>): Promise<T>;
}
