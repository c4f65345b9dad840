/** A public page, as data; the template escapes every text of it. */
export interface Page {
  status: number;
  heading: string;
  /** Paragraphs, each a row of plain and emphasised pieces. */
  paragraphs: readonly (readonly Piece[])[];
  /** The label of the one button; it posts to the address of the page itself. */
  button?: string;
  /** Who sent the mail that led here. */
  sender?: { name: string; address: string };
}

/** Plain text, or text to stand out: names and addresses, which come from strangers. */
export type Piece = string | { strong: string };
