/** A value of a column. */
export type Value = null | number | string | Uint8Array;
