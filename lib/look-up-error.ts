/** A look-up in the DNS that got no answer. */
export class LookUpError extends Error {
  override readonly name = 'LookUpError';
}
