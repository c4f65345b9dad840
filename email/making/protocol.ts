import type { MailOrder } from './make-mail';

/** Orders of one turn of the caller's event loop. */
export type Orders = readonly (readonly [id: number, order: MailOrder])[];

/** What became of orders; between threads a Buffer is a plain Uint8Array. */
export interface Products {
  made: (readonly [id: number, raw: Uint8Array, destinations: string[]])[];
  failed: (readonly [id: number, message: string])[];
}
